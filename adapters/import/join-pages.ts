import * as E from 'fp-ts/lib/Either.js';
import type { FileError, ImportError } from './format.js';
import { type ImportedFile, type ReadDocument, readPages } from './read-document.js';
import type { Wanted } from './combine-files.js';

type Read = ImportedFile & { readonly wanted: Wanted };

/** A page, its file, and its path in that file. */
interface PageInFile {
  readonly page: unknown;
  readonly file: string;
  readonly path: string;
}

const pagesOf = ({ file, pages = [] }: Read): ReadonlyArray<PageInFile> =>
  pages.map((page, index) => ({ page, file, path: pages.length === 1 ? '' : `[${index}]` }));

/** Turns an error in the joined list of pages into an error in the file of the page. */
const inItsFile = (error: ImportError, held: ReadonlyArray<PageInFile>, files: string): FileError => {
  const [prefix = '', index = ''] = /^\[(\d+)\]\.?/.exec(error.path ?? '') ?? [];
  const page = held[Number(index)];
  if (prefix === '' || page === undefined) return { ...error, file: files };
  const rest = (error.path ?? '').slice(prefix.length);
  return { ...error, file: page.file, path: [page.path, rest].filter((part) => part !== '').join('.') };
};

const joined = (read: Read, group: ReadonlyArray<Read>): E.Either<FileError, Read> => {
  if (group.length < 2) return E.right(read);
  const held = group.flatMap(pagesOf);
  const file = group.map((one) => one.file).join(', ');
  return E.bimap(
    (error: ImportError) => inItsFile(error, held, file),
    (result: ReadDocument): Read => ({ ...read, ...result, file }),
  )(
    readPages(
      held.map(({ page }) => page),
      read.format,
    ),
  );
};

/**
 * Joins the pages of one result that are in several files, in any order, into one document. Other files are returned
 * unchanged. Fails if the pages belong to different results.
 */
export const joinPages = (files: ReadonlyArray<Read>): E.Either<FileError, ReadonlyArray<Read>> => {
  const all: Read[] = [];
  for (const file of files) {
    const group = files.filter(
      (other) => other.pages !== undefined && other.format === file.format && other.wanted === file.wanted,
    );
    if (group.length > 1 && group.includes(file) && group[0] !== file) continue;
    const result = joined(file, file.pages === undefined ? [] : group);
    if (E.isLeft(result)) return result;
    all.push(result.right);
  }
  return E.right(all);
};
