import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { buildSpeech } from './build-speech.js';
import { type FaceParts, toFaces } from './faces.js';
import type { Imported, ImportedFaces, ImportError } from './imported.js';
import { brokenIn, decodeDocument } from './json-document.js';
import type { SpeechParts } from './speech-parts.js';
import { Tally } from './tally.js';

/** What a document says, before anything has a number. */
export interface DocumentParts {
  readonly recording?: string | null;
  /** How many samples, words or turns the document has. */
  readonly rows: number;
  readonly faces?: ReadonlyArray<FaceParts>;
  readonly speech?: SpeechParts;
  readonly dropped?: Tally;
  readonly notes?: Tally;
}

/** How one provider writes JSON. */
export interface JsonFormat {
  /** Does a document look like this provider's, right or broken? */
  readonly recognises: (json: unknown) => boolean;
  readonly read: (json: unknown) => E.Either<ImportError, Imported>;
  /** The pages of a document, for a provider that answers in pages; a list of pages is a document too. */
  readonly pages?: (json: unknown) => ReadonlyArray<unknown>;
}

/** No recording shows more people; a document with more has mixed up its ids. */
const mostFaces = 10_000;

const buildFaces = (
  parts: ReadonlyArray<FaceParts>,
  { recording = null, rows }: DocumentParts,
  dropped: Tally,
  notes: Tally,
): E.Either<ImportError, ImportedFaces> => {
  if (parts.length > mostFaces)
    return brokenIn(parts[mostFaces]?.key ?? '', `more than ${mostFaces.toLocaleString('en')} faces`);
  const { faces, seconds } = toFaces(parts);
  return E.right({ faces, summary: { recording, rows, seconds, dropped: dropped.notes(), notes: notes.notes() } });
};

/** Gives numbers to the faces and speakers of a document. */
export const buildImported = (parts: DocumentParts): E.Either<ImportError, Imported> => {
  const { recording = null, rows, dropped = new Tally(), notes = new Tally() } = parts;
  const faces = parts.faces === undefined ? E.right(null) : buildFaces(parts.faces, parts, dropped, notes);
  if (E.isLeft(faces)) return faces;
  const speech =
    parts.speech === undefined ? E.right(null) : buildSpeech(parts.speech, { recording, rows }, dropped, notes);
  if (E.isLeft(speech)) return speech;
  return E.right({ faces: faces.right, speech: speech.right });
};

/** A format of a provider: its recogniser, the codec of what is taken from it, and how that is understood. */
export const jsonFormat = <Document>(
  recognises: (json: unknown) => boolean,
  codec: t.Decoder<unknown, Document>,
  understand: (document: Document) => E.Either<ImportError, DocumentParts>,
): JsonFormat => ({
  recognises,
  read: (json) => {
    const document = decodeDocument(codec, json);
    if (E.isLeft(document)) return document;
    const parts = understand(document.right);
    return E.isLeft(parts) ? parts : buildImported(parts.right);
  },
});
