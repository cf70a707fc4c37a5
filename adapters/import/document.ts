import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { buildSpeech } from './build-speech.js';
import { type FaceParts, toFaces } from './faces.js';
import type { Imported, ImportedFaces, ImportError } from './imported.js';
import { errorIn, decodeDocument } from './json-document.js';
import type { SpeechParts } from './speech-parts.js';
import { Tally } from './tally.js';

/** The content of a document, before faces and speakers are numbered. */
export interface DocumentParts {
  readonly recording?: string | null;
  /** How many samples, words or turns the document has. */
  readonly rows: number;
  readonly faces?: ReadonlyArray<FaceParts>;
  readonly speech?: SpeechParts;
  readonly dropped?: Tally;
  readonly notes?: Tally;
}

/** A JSON format of one provider. */
export interface JsonFormat {
  /** Whether a document looks like this format, valid or not. */
  readonly recognises: (json: unknown) => boolean;
  readonly read: (json: unknown) => E.Either<ImportError, Imported>;
  /** The pages of a document, for a provider with paged results. A list of pages is a document, too. */
  readonly pages?: (json: unknown) => ReadonlyArray<unknown>;
}

/** A plausibility limit: a document with more faces has mixed up its ids. */
const maxFaces = 10_000;

const buildFaces = (
  parts: ReadonlyArray<FaceParts>,
  { recording = null, rows }: DocumentParts,
  dropped: Tally,
  notes: Tally,
): E.Either<ImportError, ImportedFaces> => {
  if (parts.length > maxFaces)
    return errorIn(parts[maxFaces]?.key ?? '', `more than ${maxFaces.toLocaleString('en')} faces`);
  const { faces, seconds } = toFaces(parts);
  return E.right({ faces, summary: { recording, rows, seconds, dropped: dropped.notes(), notes: notes.notes() } });
};

/** Numbers the faces and speakers of a document. */
export const buildImported = (parts: DocumentParts): E.Either<ImportError, Imported> => {
  const { recording = null, rows, dropped = new Tally(), notes = new Tally() } = parts;
  const faces = parts.faces === undefined ? E.right(null) : buildFaces(parts.faces, parts, dropped, notes);
  if (E.isLeft(faces)) return faces;
  const speech =
    parts.speech === undefined ? E.right(null) : buildSpeech(parts.speech, { recording, rows }, dropped, notes);
  if (E.isLeft(speech)) return speech;
  return E.right({ faces: faces.right, speech: speech.right });
};

/** A format from a function that recognises it, a codec, and a function that converts a decoded document. */
export const jsonFormat = <Document>(
  recognises: (json: unknown) => boolean,
  codec: t.Decoder<unknown, Document>,
  convert: (document: Document) => E.Either<ImportError, DocumentParts>,
): JsonFormat => ({
  recognises,
  read: (json) => {
    const document = decodeDocument(codec, json);
    if (E.isLeft(document)) return document;
    const parts = convert(document.right);
    return E.isLeft(parts) ? parts : buildImported(parts.right);
  },
});
