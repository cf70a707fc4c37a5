import * as E from 'fp-ts/lib/Either.js';
import type {
  DocumentFault,
  DocumentRequest,
  UnderstoodDocument,
  Understanding,
} from '../../application/ports/provider-documents.js';
import { understanding, filesUnderstanding } from './import-text.js';
import { type FileError, type ImportError, isUnrecognised, quoted, formatNotRecognised } from './format.js';
import { importFormats, isSupplied } from './format-names.js';
import { type ReadDocument, type ReadOptions, readDocument } from './read-document.js';
import { type ImportContent, audioAnalysis, combineFiles, readFiles, videoAnalysis } from './recording-files.js';
import * as t from 'io-ts';
import { parsedJson } from '../runtime/json.js';

/** Several files of one recording as one document: `{"files": [{"name": "turns.rttm", "text": "SPEAKER …"}, …]}`. */
const SeveralFiles = t.type({ files: t.readonlyArray(t.type({ name: t.string, text: t.string })) });
type NamedText = t.TypeOf<typeof SeveralFiles>['files'][number];

const begins = /^\s*\{\s*"files"\s*:\s*\[\s*\{\s*"(?:name|text)"\s*:\s*"/;

/** The files in a document; null if it is not such a document. */
const filesIn = (bytes: Uint8Array): ReadonlyArray<NamedText> | null => {
  if (!begins.test(new TextDecoder().decode(bytes.subarray(0, 200)))) return null;
  const document = parsedJson(new TextDecoder().decode(bytes));
  return SeveralFiles.is(document) ? document.files : null;
};

/** A JSON document needs about ten times its length while it is read, and so may a line of text. */
const maxLength = 32 * 1024 * 1024;

const faultOf = ({ place, message }: ImportError): DocumentFault => ({
  _tag: 'UnreadableDocument',
  path: typeof place === 'number' ? `line ${place}` : quoted(place ?? ''),
  message: quoted(message),
});

const bytesOf = (body: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(body));

type Content = Pick<ImportContent, 'faces' | 'speech' | 'provider_supplied'>;

const bodiesOf = ({ faces, speech, provider_supplied }: Content, understood: Understanding): UnderstoodDocument => ({
  video: faces === null ? null : bytesOf(videoAnalysis(faces)),
  audio: speech === null ? null : bytesOf(audioAnalysis(speech, provider_supplied)),
  understood,
});

/** The first error in several files; if no format was recognised, of all of them. */
const faultAmong = (errors: ReadonlyArray<FileError>): DocumentFault => {
  const [error = { ...formatNotRecognised, file: '' }] = errors;
  const isUnknown = isUnrecognised(error);
  const { path, message } = faultOf(isUnknown ? formatNotRecognised : error);
  const files = isUnknown ? errors.map(({ file }) => file).join(', ') : error.file;
  return { _tag: 'UnreadableDocument', path: quoted([files, path].filter((part) => part !== '').join(', ')), message };
};

/** Reads several files as the import command does: all of them, or none. Those in no supported format are left out. */
const readSeveral = (
  texts: ReadonlyArray<NamedText>,
  options: ReadOptions,
  declared: boolean | null,
): E.Either<DocumentFault, UnderstoodDocument> => {
  const asked = texts.map(({ name: path, text }) => ({ path, text, wanted: 'all', format: undefined }) as const);
  const read = readFiles(asked, ({ text }) => readDocument([new TextEncoder().encode(text)], options));
  if (E.isLeft(read)) return E.left(faultAmong(read.left));
  const { files, skipped } = read.right;
  const combined = combineFiles(files, declared);
  if (E.isLeft(combined)) return E.left(faultOf({ place: null, message: combined.left.message }));
  const content = combined.right;
  const { speech, joined } = content;
  const understood = {
    format: 'files',
    ...filesUnderstanding(
      files,
      skipped.map(({ file }) => file),
      content,
    ),
    notes: speech === null || joined === null ? [] : speech.summary.notes,
    ...(speech === null || speech.transcript === null ? {} : { words: speech.transcript.words }),
  };
  return E.right(bodiesOf(content, understood));
};

/** Reads a document that was sent to the service, and returns the bodies of the analyses in it. */
export const readProviderDocument = (
  bytes: Uint8Array,
  request: DocumentRequest,
): E.Either<DocumentFault, UnderstoodDocument> => {
  const format = importFormats.find((name) => name === request.format);
  const { recordings, fps, provider_supplied } = request;
  const options = { recordings, fps: fps ?? undefined, maxBytes: maxLength };
  const several = format === undefined ? filesIn(bytes) : null;
  if (several !== null) return readSeveral(several, options, provider_supplied);
  return E.bimap(faultOf, (document: ReadDocument) =>
    bodiesOf(
      { ...document.imported, provider_supplied: provider_supplied ?? isSupplied(document.format) },
      understanding(document),
    ),
  )(readDocument([bytes], { ...options, format }));
};
