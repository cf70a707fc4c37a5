import type * as t from 'io-ts';
import { refuse } from './imported.js';
import { decodeDocument } from './json.js';
import { Tally } from './tally.js';

/** A page of a result and its path in the document: empty for a single page, `[2].` in a list. */
export interface ResultPage<Page> {
  readonly page: Page;
  readonly path: string;
}

/** What a page of Amazon says about the result that it belongs to. */
interface Linked {
  readonly JobStatus?: string | undefined;
  readonly JobId?: string | undefined;
  /** The token of the next page; absent on the last page. */
  readonly NextToken?: string | undefined;
}

const listOf = (json: unknown): ReadonlyArray<unknown> => (Array.isArray(json) ? json : [json]);

/** Whether a document is a page, or a list with a page in it. */
export const somePage =
  (isPage: (page: unknown) => boolean) =>
  (json: unknown): boolean =>
    listOf(json).some(isPage);

/**
 * The pages of a document, which is one page or a list of pages in any order. Pages of different results are refused;
 * missing pages are noted.
 */
export const decodePages = <Page extends Linked>(
  codec: t.Decoder<unknown, Page>,
  json: unknown,
): { readonly pages: ReadonlyArray<ResultPage<Page>>; readonly notes: Tally } => {
  const pages = listOf(json).map((one, index): ResultPage<Page> => {
    const at = Array.isArray(json) ? `[${index}]` : '';
    return { page: decodeDocument(codec, one, at), path: at === '' ? '' : `${at}.` };
  });
  const tokens = new Set<string>();
  let job: string | null = null;
  let lastPages = 0;
  for (const { page, path } of pages) {
    const { JobStatus = 'SUCCEEDED', JobId = null, NextToken = null } = page;
    if (JobStatus !== 'SUCCEEDED')
      refuse(`${path}JobStatus`, `the job is ${JSON.stringify(JobStatus)}, not "SUCCEEDED"`);
    if (job !== null && JobId !== null && JobId !== job) refuse(`${path}JobId`, 'the pages are of different jobs');
    job ??= JobId;
    if (NextToken === null) lastPages += 1;
    else if (tokens.has(NextToken)) refuse(`${path}NextToken`, 'the same page occurs twice');
    else tokens.add(NextToken);
    if (lastPages > 1) refuse(`${path}NextToken`, 'is missing on two pages, so these are pages of two results');
  }
  const notes = new Tally();
  if (lastPages === 0) notes.add('page with a NextToken: the pages after it are missing', 1);
  return { pages, notes };
};
