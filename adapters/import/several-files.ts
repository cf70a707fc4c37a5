import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Understanding } from '../../application/ports/provider-documents.js';
import { type CombiningFault, type ImportContent, combineFiles } from './combine-files.js';
import { joinUnderstanding, understanding } from './import-text.js';
import { type FileError, formatNotRecognised } from './imported.js';
import { joinPages } from './join-pages.js';
import { type ImportedFile, readDocument } from './read-document.js';

/** Several files of one recording as one document: `{"files": [{"name": "turns.rttm", "text": "SPEAKER …"}, …]}`. */
const SeveralFiles = t.type({ files: t.readonlyArray(t.type({ name: t.string, text: t.string })) });
type NamedText = t.TypeOf<typeof SeveralFiles>['files'][number];

const begins = /^\s*\{\s*"files"\s*:\s*\[\s*\{\s*"(?:name|text)"\s*:\s*"/;

/** The files in a document; null if it is not such a document. */
export const filesIn = (bytes: Uint8Array): ReadonlyArray<NamedText> | null => {
  if (!begins.test(new TextDecoder().decode(bytes.subarray(0, 200)))) return null;
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return SeveralFiles.is(document) ? document.files : null;
  } catch {
    return null;
  }
};

/** What several files contain together, and how they were understood. */
export interface SeveralRead {
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
export const readSeveral = (
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
