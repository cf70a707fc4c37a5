import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { buildImported, type DocumentParts, type JsonFormat } from './document.js';
import type { ImportError } from './imported.js';
import { errorIn, decodeDocument } from './json-document.js';
import { Tally } from './tally.js';

/** A page of a result and its path in the document: empty for a single page, `[2].` in a list. */
export interface ResultPage<Page> {
  readonly page: Page;
  readonly path: string;
}

/** How pages are linked to one result. */
interface Paging<Page> {
  /** The id of the job, if the page has it. */
  readonly jobOf: (page: Page) => string | null;
  /** The token of the next page; null for the last page. */
  readonly nextOf: (page: Page) => string | null;
  /** Checks a single page. */
  readonly check: (page: ResultPage<Page>) => E.Either<ImportError, void>;
}

const listOf = (json: unknown): ReadonlyArray<unknown> => (Array.isArray(json) ? json : [json]);

const decodePages = <Page>(
  codec: t.Decoder<unknown, Page>,
  json: unknown,
): E.Either<ImportError, ReadonlyArray<ResultPage<Page>>> => {
  const pages: ResultPage<Page>[] = [];
  for (const [index, one] of listOf(json).entries()) {
    const path = Array.isArray(json) ? `[${index}].` : '';
    const page = decodeDocument(codec, one);
    if (E.isLeft(page)) return E.left({ ...page.left, path: `${path}${page.left.path ?? ''}`.replace(/\.$/, '') });
    pages.push({ page: page.right, path });
  }
  return E.right(pages);
};

/** Refuses pages of different results. Returns a note if pages are missing. */
const sameResult = <Page>(
  pages: ReadonlyArray<ResultPage<Page>>,
  { jobOf, nextOf, check }: Paging<Page>,
): E.Either<ImportError, Tally> => {
  const tokens = new Set<string>();
  let job: string | null = null;
  let lastPages = 0;
  for (const one of pages) {
    const sound = check(one);
    if (E.isLeft(sound)) return sound;
    const own = jobOf(one.page);
    if (job !== null && own !== null && own !== job)
      return errorIn(`${one.path}JobId`, 'the pages are of different jobs');
    job ??= own;
    const next = nextOf(one.page);
    if (next === null) lastPages += 1;
    else if (tokens.has(next)) return errorIn(`${one.path}NextToken`, 'the same page occurs twice');
    else tokens.add(next);
    if (lastPages > 1)
      return errorIn(`${one.path}NextToken`, 'is missing on two pages, so these are pages of two results');
  }
  const notes = new Tally();
  if (lastPages === 0) notes.add('page with a NextToken: the pages after it are missing', 1);
  return E.right(notes);
};

/** A format with paged results: a document is one page or a list of pages in any order. */
export const pagedFormat = <Page>(
  recognises: (page: unknown) => boolean,
  codec: t.Decoder<unknown, Page>,
  paging: Paging<Page>,
  convert: (pages: ReadonlyArray<ResultPage<Page>>) => E.Either<ImportError, DocumentParts>,
): JsonFormat => ({
  recognises: (json) => listOf(json).some(recognises),
  pages: listOf,
  read: (json) => {
    const pages = decodePages(codec, json);
    if (E.isLeft(pages)) return pages;
    const notes = sameResult(pages.right, paging);
    if (E.isLeft(notes)) return notes;
    const parts = convert(pages.right);
    return E.isLeft(parts) ? parts : buildImported({ ...parts.right, notes: notes.right });
  },
});
