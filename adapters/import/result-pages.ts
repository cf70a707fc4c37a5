import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { buildImported, type DocumentParts, type JsonFormat } from './document.js';
import type { ImportError } from './imported.js';
import { brokenIn, decodeDocument } from './json-document.js';
import { Tally } from './tally.js';

/** A page of a result, and where it stands: empty for a page on its own, `[2].` in a list. */
export interface ResultPage<Page> {
  readonly page: Page;
  readonly path: string;
}

/** How the pages of one result are told from those of another. */
interface Paging<Page> {
  /** The job whose result it is, where the page says so. */
  readonly jobOf: (page: Page) => string | null;
  /** The token of the page that follows; null for the last. */
  readonly nextOf: (page: Page) => string | null;
  /** Is this page on its own as it should be? */
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

/** Refuses pages of several results; the tally notes that some are missing. */
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
      return brokenIn(`${one.path}JobId`, 'the pages are of different jobs');
    job ??= own;
    const next = nextOf(one.page);
    if (next === null) lastPages += 1;
    else if (tokens.has(next)) return brokenIn(`${one.path}NextToken`, 'the same page stands twice');
    else tokens.add(next);
    if (lastPages > 1)
      return brokenIn(`${one.path}NextToken`, 'is missing, as on another page: both end a result, so there are two');
  }
  const notes = new Tally();
  if (lastPages === 0) notes.add('page of a longer result (it has a NextToken): the rest is missing', 1);
  return E.right(notes);
};

/** A format of a provider that answers in pages: a document is one of them, or a list of them, in any order. */
export const pagedFormat = <Page>(
  recognises: (page: unknown) => boolean,
  codec: t.Decoder<unknown, Page>,
  paging: Paging<Page>,
  understand: (pages: ReadonlyArray<ResultPage<Page>>) => E.Either<ImportError, DocumentParts>,
): JsonFormat => ({
  recognises: (json) => listOf(json).some(recognises),
  pages: listOf,
  read: (json) => {
    const pages = decodePages(codec, json);
    if (E.isLeft(pages)) return pages;
    const notes = sameResult(pages.right, paging);
    if (E.isLeft(notes)) return notes;
    const parts = understand(pages.right);
    return E.isLeft(parts) ? parts : buildImported({ ...parts.right, notes: notes.right });
  },
});
