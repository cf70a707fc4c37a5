import type { Tagged } from '../../domain/kernel/decider.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** A provider's document is invalid. */
export interface DocumentFault {
  readonly _tag: 'UnreadableDocument';
  /** A JSON path, or `line 12` of a text; empty for the document itself. */
  readonly path: string;
  readonly message: string;
}

/** The reader failed; the document may be valid. */
export type DocumentReaderFailed = Tagged<'DocumentReaderFailed', { reason: string }>;

/** How a document was read: besides these, its format and counts. */
export interface Understanding {
  /** What users should know, and how often it occurred. */
  readonly notes: ReadonlyArray<{ readonly count: number; readonly what: string }>;
  /** Absent for a document without a transcript. */
  readonly words?: number;
}

/** The content of a document, as bodies of analysis write-backs. */
export interface UnderstoodDocument {
  /** The body of a video's analysis, as the UTF-8 of JSON; null for a document without faces. */
  readonly video: Uint8Array<ArrayBuffer> | null;
  /** The body of an audio's analysis, likewise; null for a document without speech. */
  readonly audio: Uint8Array<ArrayBuffer> | null;
  /** The format, counts, omissions and notes. */
  readonly understood: Understanding;
}

export interface DocumentRequest {
  /** Null: detected from the content. */
  readonly format: string | null;
  /** Which recordings to take from a document with several. */
  readonly recordings: ReadonlyArray<string>;
  /** Whether the transcript came with the recording; null: decided by the format. */
  readonly provider_supplied: boolean | null;
  /** Frames a second, for documents that count frames; null: unknown. */
  readonly fps: number | null;
}

/** Reads documents of analysis tools and providers. A document with an error is rejected as a whole. */
export interface ProviderDocuments {
  readonly formats: ReadonlyArray<string>;
  readonly read: (
    document: Uint8Array,
    request: DocumentRequest,
  ) => TaskEither<DocumentFault | DocumentReaderFailed, UnderstoodDocument>;
}
