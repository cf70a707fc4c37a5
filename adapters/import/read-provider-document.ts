import * as E from 'fp-ts/lib/Either.js';
import type {
  DocumentFault,
  DocumentRequest,
  UnderstoodDocument,
  Understanding,
} from '../../application/ports/provider-documents.js';
import {
  audioAnalysis,
  videoAnalysis,
  type CombiningFault,
  type ImportContent,
  combineFiles,
} from './combine-files.js';
import { understanding, joinUnderstanding } from './import-text.js';
import { type FileError, type ImportError, quoted, formatNotRecognised } from './format.js';
import { importFormats, isSupplied } from './format-names.js';
import { type ReadDocument, readDocument, type ImportedFile } from './read-document.js';
import * as t from 'io-ts';
import { joinPages } from './join-pages.js';

/** Several files of one recording as one document: `{"files": [{"name": "turns.rttm", "text": "SPEAKER …"}, …]}`. */
const SeveralFiles = t.type({ files: t.readonlyArray(t.type({ name: t.string, text: t.string })) });
type NamedText = t.TypeOf<typeof SeveralFiles>['files'][number];

const begins = /^\s*\{\s*"files"\s*:\s*\[\s*\{\s*"(?:name|text)"\s*:\s*"/;

/** The files in a document; null if it is not such a document. */
const filesIn = (bytes: Uint8Array): ReadonlyArray<NamedText> | null => {
  if (!begins.test(new TextDecoder().decode(bytes.subarray(0, 200)))) return null;
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return SeveralFiles.is(document) ? document.files : null;
  } catch {
    return null;
  }
};

/** What several files contain together, and how they were understood. */
interface SeveralRead {
  readonly content: ImportContent;
  readonly understood: Understanding;
}

const understoodOf = (
  files: ReadonlyArray<ImportedFile>,
  skipped: ReadonlyArray<string>,
  { speech, joined }: ImportContent,
): Understanding => {
  const all = {
    format: 'files',
    files: files.map((one) => ({ file: one.file, ...understanding(one) })),
    skipped,
    joined: speech === null || joined === null ? null : joinUnderstanding(joined, speech),
    notes: speech === null || joined === null ? [] : speech.summary.notes,
    ...(speech === null || speech.transcript === null ? {} : { words: speech.transcript.words }),
  };
  return all;
};

/** Reads several files as the import command does: all of them, or none. Those in no supported format are left out. */
const readSeveral = (
  texts: ReadonlyArray<NamedText>,
  options: NonNullable<Parameters<typeof readDocument>[1]>,
  declared: boolean | null,
): E.Either<FileError | CombiningFault, SeveralRead> => {
  const read: Array<ImportedFile & { readonly wanted: 'all' }> = [];
  const skipped: string[] = [];
  for (const { name: file, text } of texts) {
    const result = readDocument([new TextEncoder().encode(text)], options);
    if (E.isRight(result)) read.push({ ...result.right, file, wanted: 'all' });
    else if (result.left.message.endsWith(formatNotRecognised.message)) skipped.push(file);
    else return E.left({ ...result.left, file });
  }
  if (read.length === 0) return E.left({ ...formatNotRecognised, file: skipped.join(', ') });
  const files = joinPages(read);
  if (E.isLeft(files)) return files;
  const combined = combineFiles(files.right, declared);
  if (E.isLeft(combined)) return combined;
  const content = combined.right;
  return E.right({ content, understood: understoodOf(files.right, skipped, content) });
};

/** A JSON document needs about ten times its length while it is read, and so may a line of text. */
const maxLength = 32 * 1024 * 1024;

const faultOf = ({ line, path = '', message }: ImportError): DocumentFault => ({
  _tag: 'UnreadableDocument',
  path: line === null ? quoted(path) : `line ${line}`,
  message: quoted(message),
});

const bytesOf = (body: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(body));

/** An error in one of several files, or about their combination. */
const faultAmong = (error: FileError | CombiningFault): DocumentFault =>
  'kind' in error
    ? { _tag: 'UnreadableDocument', path: '', message: quoted(error.message) }
    : { ...faultOf(error), path: quoted([error.file, faultOf(error).path].filter((part) => part !== '').join(', ')) };

type Content = Pick<ImportContent, 'faces' | 'speech' | 'provider_supplied'>;

const bodiesOf = ({ faces, speech, provider_supplied }: Content, understood: Understanding): UnderstoodDocument => ({
  video: faces === null ? null : bytesOf(videoAnalysis(faces)),
  audio: speech === null ? null : bytesOf(audioAnalysis(speech, provider_supplied)),
  understood,
});

/** Reads a document that was sent to the service, and returns the bodies of the analyses in it. */
export const readProviderDocument = (
  bytes: Uint8Array,
  request: DocumentRequest,
): E.Either<DocumentFault, UnderstoodDocument> => {
  const format = importFormats.find((name) => name === request.format);
  const { recordings, fps, provider_supplied } = request;
  const options = { recordings, fps: fps ?? undefined, maxBytes: maxLength };
  const several = format === undefined ? filesIn(bytes) : null;
  if (several !== null)
    return E.bimap(faultAmong, ({ content, understood }: SeveralRead) => bodiesOf(content, understood))(
      readSeveral(several, options, provider_supplied),
    );
  return E.bimap(faultOf, (document: ReadDocument) =>
    bodiesOf(
      { ...document.imported, provider_supplied: provider_supplied ?? isSupplied(document.format) },
      understanding(document),
    ),
  )(readDocument([bytes], { ...options, format }));
};
