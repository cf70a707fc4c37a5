import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** What is wrong with a document of a provider. */
export interface DocumentFault {
  readonly _tag: 'UnreadableDocument';
  /** A JSON path, or `line 12` of a text; empty for the document itself. */
  readonly path: string;
  readonly message: string;
}

/** The reader itself failed: the document may be sound. */
export interface DocumentReaderFailed {
  readonly _tag: 'DocumentReaderFailed';
  readonly reason: string;
}

/** What a document says, in the form of the analysis write-backs. */
export interface UnderstoodDocument {
  /** The body of a video's analysis, as the UTF-8 of JSON; null for a document without faces. */
  readonly video: Uint8Array<ArrayBuffer> | null;
  /** The body of an audio's analysis, likewise; null for a document without speech. */
  readonly audio: Uint8Array<ArrayBuffer> | null;
  /** The format, what was counted, left out and noted. */
  readonly understood: object;
}

export interface DocumentRequest {
  /** Null: recognised by content. */
  readonly format: string | null;
  /** Which recording to take from a document that holds several. */
  readonly recordings: ReadonlyArray<string>;
  /** Did the transcript come with the recording? Null leaves it to the format. */
  readonly provider_supplied: boolean | null;
}

/** The bytes of a document, in blocks of which the last may be filled in part. */
export interface DocumentBytes {
  readonly blocks: ReadonlyArray<Uint8Array>;
  readonly length: number;
}

/** Reads what analysis tools and providers write. All or nothing: a broken document is one fault. */
export interface ProviderDocuments {
  readonly formats: ReadonlyArray<string>;
  readonly read: (
    document: DocumentBytes,
    request: DocumentRequest,
  ) => TaskEither<DocumentFault | DocumentReaderFailed, UnderstoodDocument>;
}
