import * as E from 'fp-ts/lib/Either.js';
import type { FileError, ImportError } from './imported.js';
import { type JsonDocument, readJson } from './json-formats.js';
import type { ImportedFile } from './read-file.js';
import type { Wanted } from './wanted-files.js';

type Read = ImportedFile & { readonly wanted: Wanted };

/** A page, its file, and its path in that file. */
interface PageInFile {
  readonly page: unknown;
  readonly file: string;
  readonly path: string;
}

const pagesOf = ({ file, paged }: Read): ReadonlyArray<PageInFile> =>
  paged === undefined
    ? []
    : paged.pages.map((page, index) => ({ page, file, path: paged.pages.length === 1 ? '' : `[${index}]` }));

/** Turns an error in the joined list of pages into an error in the file of the page. */
const inItsFile = (error: ImportError, held: ReadonlyArray<PageInFile>, files: string): FileError => {
  const [prefix = '', index = ''] = /^\[(\d+)\]\.?/.exec(error.path ?? '') ?? [];
  const page = held[Number(index)];
  if (prefix === '' || page === undefined) return { ...error, file: files };
  const rest = (error.path ?? '').slice(prefix.length);
  return { ...error, file: page.file, path: [page.path, rest].filter((part) => part !== '').join('.') };
};

const joined = (read: Read, group: ReadonlyArray<Read>): E.Either<FileError, Read> => {
  const { paged } = read;
  if (paged === undefined || group.length < 2) return E.right(read);
  const held = group.flatMap(pagesOf);
  const pages = held.map(({ page }) => page);
  const file = group.map((one) => one.file).join(', ');
  return E.bimap(
    (error: ImportError) => inItsFile(error, held, file),
    (result: JsonDocument): Read => ({ ...read, ...result, file }),
  )(readJson(pages, paged.format));
};

/**
 * Joins the pages of one result that are in several files, in any order, into one document. Other files are returned
 * unchanged. Fails if the pages belong to different results.
 */
export const joinPages = (files: ReadonlyArray<Read>): E.Either<FileError, ReadonlyArray<Read>> => {
  const all: Read[] = [];
  for (const file of files) {
    const group = files.filter(
      (other) => other.paged !== undefined && other.format === file.format && other.wanted === file.wanted,
    );
    if (group.length > 1 && group[0] !== file) continue;
    const result = joined(file, group);
    if (E.isLeft(result)) return result;
    all.push(result.right);
  }
  return E.right(all);
};
