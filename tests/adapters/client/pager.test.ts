import { expect } from 'chai';
import { MalformedAnswerError, MediaAnalysis, Pager, describeError } from '../../../adapters/client/index.js';
import { apiError } from '../../../adapters/client/errors.js';

const pages: ReadonlyArray<ReadonlyArray<number>> = [[], [1, 2], [], [], [3], []];

const pagerOf = (onFetch: (at: number) => Promise<void> = async () => undefined) => {
  const requestedPages: number[] = [];
  const pager = new Pager<number>(async (cursor) => {
    const at = Number(cursor ?? 0);
    requestedPages.push(at);
    await onFetch(at);
    return { items: pages[at] ?? [], next_cursor: at + 1 < pages.length ? String(at + 1) : null };
  }, null);
  return { requestedPages, pager };
};

describe('the pager', () => {
  it('continues after empty pages, and fetches each page once', async () => {
    const { requestedPages, pager } = pagerOf();
    expect(await pager.toArray()).to.deep.equal([1, 2, 3]);
    expect(requestedPages).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('fetches only the pages that are read', async () => {
    const { requestedPages, pager } = pagerOf();
    expect(await pager.toArray(0)).to.deep.equal([]);
    expect(requestedPages).to.deep.equal([]);
    expect(await pager.toArray(1)).to.deep.equal([1]);
    expect(requestedPages).to.deep.equal([0, 1]);
  });

  it('returns items in order to parallel calls of next', async () => {
    const { requestedPages, pager } = pagerOf();
    const items = pager[Symbol.asyncIterator]();
    const read = await Promise.all([1, 2, 3, 4].map(() => items.next()));
    expect(read.map(({ value, done }) => (done === true ? 'end' : value))).to.deep.equal([1, 2, 3, 'end']);
    expect(requestedPages).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('rejects if a page fails, and fetches the list anew for each reader', async () => {
    let failures = 1;
    const { requestedPages, pager } = pagerOf(async (at) => {
      if (at === 1 && failures-- > 0) throw new Error('failed');
    });
    const failed = await pager.toArray().catch((reason: unknown) => String(reason));
    expect(failed).to.equal('Error: failed');
    expect(await pager.toArray()).to.deep.equal([1, 2, 3]);
    expect(requestedPages).to.deep.equal([0, 1, 0, 1, 2, 3, 4, 5]);
  });

  it('ends with an error if the pages form a cycle', async () => {
    const pager = new Pager<number>(async () => ({ items: [], next_cursor: 'again' }), null);
    const error: unknown = await pager.toArray().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(MalformedAnswerError);
  });

  it('sends filters and cursor in each request', async () => {
    const urls: string[] = [];
    const client = new MediaAnalysis({
      baseUrl: 'http://localhost/base/',
      apiKey: 'k',
      fetch: async (url) => {
        urls.push(url);
        const next_cursor = urls.length < 3 ? `c/${urls.length}` : null;
        return { status: 200, headers: new Headers(), text: async () => JSON.stringify({ videos: [], next_cursor }) };
      },
    });
    await client.videos.list({ title: 'a & b', limit: 5, cursor: 'first' }).toArray();
    expect(urls).to.deep.equal([
      'http://localhost/base/v2/videos?title=a+%26+b&limit=5&cursor=first',
      'http://localhost/base/v2/videos?title=a+%26+b&limit=5&cursor=c%2F1',
      'http://localhost/base/v2/videos?title=a+%26+b&limit=5&cursor=c%2F2',
    ]);
  });
});

const malformed = (message: string, errors: ReadonlyArray<{ readonly path: string; readonly message: string }>) =>
  apiError({
    status: 422,
    code: null,
    message,
    request_id: null,
    retryable: false,
    retry_after_seconds: null,
    reason: null,
    detail: message,
    errors,
  });

describe('the messages of the client', () => {
  it('name a baseUrl that is not an address', () => {
    for (const baseUrl of ['nonsense', 'ftp://host'])
      expect(() => new MediaAnalysis({ baseUrl, apiKey: 'k' })).to.throw(
        TypeError,
        `baseUrl must be an http or https address: ${baseUrl}`,
      );
  });

  it('say each error of a body once', () => {
    const title = { path: 'title', message: 'must be a text' };
    expect(describeError(malformed('title must be a text', [title]))).to.equal('422 title must be a text');
    expect(describeError(malformed('title must be a text', [title, { path: 'kind', message: 'is missing' }]))).to.equal(
      '422 title must be a text (kind: is missing)',
    );
  });
});
