import * as E from 'fp-ts/lib/Either.js';
import type { FileError, ImportError } from './imported.js';
import { type JsonDocument, readJson } from './json-formats.js';
import type { ImportedFile } from './read-file.js';
import type { Wanted } from './wanted-files.js';

type Read = ImportedFile & { readonly wanted: Wanted };

/** A page, the file that holds it, and where in that file. */
interface Held {
  readonly page: unknown;
  readonly file: string;
  readonly path: string;
}

const pagesOf = ({ file, paged }: Read): ReadonlyArray<Held> =>
  paged === undefined
    ? []
    : paged.pages.map((page, index) => ({ page, file, path: paged.pages.length === 1 ? '' : `[${index}]` }));

/** An error in the list of all pages as one of the file that holds the page. */
const inItsFile = (error: ImportError, held: ReadonlyArray<Held>, files: string): FileError => {
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
 * Puts the pages of one result together that lie in several files, in any order, as one document of all these
 * files. Other files stay as they are. The error is that of pages that are not of one result.
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
