import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import {
  MalformedAnswerError,
  MediaAnalysis,
  Pager,
  describeError,
  ApiError,
  ConflictError,
  ConnectionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../../adapters/client/index.js';
import { apiError } from '../../../adapters/client/errors.js';
import { type Arrived, type LocalServer, startLocalServer } from '../../support/local-server.js';
import { cutsOff, hangs, hangsInBody, hangsUp } from '../../support/name-model/behaviours.js';

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

/** How the server behaves on a request. */
type Deed = (request: Arrived, response: ServerResponse) => void;

const json = { 'Content-Type': 'application/json', 'X-Request-Id': 'a-request' };
const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Deed =>
  (_, response) =>
    void response
      .writeHead(status, { ...json, ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const fine = answers(200, { status: 'ok' });
const detail = (code: string, facts: object = {}) => ({ detail: { code, message: 'Not now', ...facts } });
const passing = detail('store_unavailable', { retryable: true });

describe('retries of the client', function () {
  this.timeout(20_000);
  let server: LocalServer;
  let deeds: ReadonlyArray<Deed> = [];
  const arrived: Arrived[] = [];
  /** The behaviour for each of the next requests; the last one is that of all further requests. */
  const play = (...next: ReadonlyArray<Deed>): void => {
    deeds = next;
    arrived.length = 0;
  };
  const unhandled: unknown[] = [];
  const remember = (reason: unknown): void => void unhandled.push(reason);

  before(async () => {
    server = await startLocalServer((request, response) => {
      arrived.push(request);
      const [deed, ...rest] = deeds;
      if (rest.length > 0) deeds = rest;
      deed?.(request, response);
    });
    process.on('unhandledRejection', remember);
  });
  after(async () => {
    await new Promise((later) => setTimeout(later, 50));
    process.off('unhandledRejection', remember);
    await server.close();
    expect(unhandled).to.deep.equal([]);
  });

  const client = (options: { readonly timeoutMs?: number; readonly maxRetries?: number } = {}) =>
    new MediaAnalysis({ baseUrl: server.url, apiKey: 'a-key', timeoutMs: 300, ...options });
  const rejection = async (call: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(call).then(
      (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
      (error: unknown) => error,
    );
  const infer = (from = client()) => from.names.infer('a', { target_speaker_ids: [1] });

  const passingDeeds: Readonly<Record<string, Deed>> = {
    'closes the connection': hangsUp,
    'cuts a body off': cutsOff,
    'sends no JSON': answers(200, '<html>'),
    'answers 408': answers(408, detail('request_timeout')),
    'answers 429 with Retry-After': answers(429, detail('slow_down'), { 'Retry-After': '0' }),
    'answers 500 that is retryable': answers(500, detail('internal', { retryable: true })),
    'answers 503 without Retry-After': answers(503, passing),
    'is a gateway that answers 502': answers(502, '<html>Bad gateway</html>'),
    'hangs once': hangs,
    'hangs in the middle once': hangsInBody,
  };
  for (const [what, deed] of Object.entries(passingDeeds))
    it(`retries a write with the same key if the server ${what}`, async () => {
      play(deed, answers(200, []));
      expect(await infer()).to.deep.equal([]);
      expect(arrived).to.have.length(2);
      const [first, second] = arrived;
      expect(first?.headers['idempotency-key']).to.match(/^[0-9a-f]{32}$/);
      expect(second?.headers['idempotency-key']).to.equal(first?.headers['idempotency-key']);
      expect(second?.body).to.equal(first?.body).and.to.equal('{"target_speaker_ids":[1]}');
    });

  const lastingDeeds: Readonly<Record<string, readonly [Deed, typeof ApiError]>> = {
    'a 409': [answers(409, detail('idempotency_key_held', { retryable: true })), ConflictError],
    'a 502 that is not retryable': [answers(502, detail('name_model_failed', { retryable: false })), ServerError],
    'a 500 without retryable': [answers(500, detail('internal_error')), ServerError],
    'a 429 that asks for an hour': [answers(429, detail('slow_down'), { 'Retry-After': '3600' }), RateLimitError],
  };
  for (const [what, [deed, error]] of Object.entries(lastingDeeds))
    it(`does not retry ${what}`, async () => {
      play(deed);
      expect(await rejection(infer())).to.be.instanceOf(error);
      expect(arrived).to.have.length(1);
    });

  it('gives up after the maximum number of retries, with the last error', async () => {
    play(answers(503, passing, { 'Retry-After': '0' }));
    const error = await rejection(infer(client({ maxRetries: 2 })));
    expect(error).to.be.instanceOf(ServerError).and.to.include({
      status: 503,
      code: 'store_unavailable',
      message: 'Not now',
      request_id: 'a-request',
      retryable: true,
    });
    expect(arrived).to.have.length(3);
  });

  it('waits for the time in Retry-After, in seconds or as a date', async () => {
    play(answers(503, passing, { 'Retry-After': '1' }), fine);
    await client().service.health();
    expect((arrived[1]?.at ?? 0) - (arrived[0]?.at ?? 0)).to.be.within(990, 3_000);
    play(answers(503, passing, { 'Retry-After': new Date(Date.now() + 2_000).toUTCString() }), fine);
    await client().service.health();
    expect((arrived[1]?.at ?? 0) - (arrived[0]?.at ?? 0)).to.be.within(900, 4_000);
  });

  it('ends every call after its timeout, even if the server hangs', async () => {
    for (const deed of [hangs, hangsInBody]) {
      play(deed);
      const started = performance.now();
      expect(await rejection(infer(client({ timeoutMs: 50, maxRetries: 1 })))).to.be.instanceOf(TimeoutError);
      expect(performance.now() - started).to.be.below(2_000);
      expect(arrived).to.have.length(2);
    }
  });

  it('rejects with the reason of the signal, during a request and during a pause', async () => {
    const reason = new Error('enough');
    for (const deed of [hangs, answers(503, passing, { 'Retry-After': '30' })]) {
      play(deed);
      const stop = new AbortController();
      const call = rejection(client({ timeoutMs: 10_000 }).me.get({ signal: stop.signal }));
      setTimeout(() => stop.abort(reason), 50);
      expect(await call).to.equal(reason);
    }
    expect(await rejection(client().me.get({ signal: AbortSignal.abort(reason) }))).to.equal(reason);
  });

  it('distinguishes an unreachable server from an error answer', async () => {
    const nowhere = new MediaAnalysis({ baseUrl: 'http://127.0.0.1:9', apiKey: 'a-key', maxRetries: 0 });
    const error = await rejection(nowhere.me.get());
    expect(error).to.be.instanceOf(ConnectionError).and.not.instanceOf(TimeoutError);
    expect(String(error)).to.match(/ECONNREFUSED|bad port/);
  });

  it('rejects JSON that is not an answer of the service', async () => {
    for (const body of ['null', '3', '"ok"']) {
      play(answers(200, body));
      expect(await rejection(client({ maxRetries: 0 }).me.get())).to.be.instanceOf(MalformedAnswerError);
    }
    play(answers(200, { videos: 3, next_cursor: null }));
    expect(await rejection(client({ maxRetries: 0 }).videos.list().toArray())).to.be.instanceOf(MalformedAnswerError);
  });

  it('reads error answers of any shape', async () => {
    for (const body of ['', '<html>', 'null', '{"detail":null}', '{"detail":{"code":3}}', '{"detail":[]}']) {
      play(answers(400, body));
      expect(await rejection(client().me.get()), body)
        .to.be.instanceOf(ApiError)
        .and.to.include({ status: 400, code: null });
    }
    const errors = [{ path: 'a', message: 'b' }];
    play(answers(422, detail('malformed_body', { errors })));
    expect(await rejection(client().me.get())).to.deep.include({ code: 'malformed_body', errors });
    play(answers(401, { detail: 'Missing or invalid API key' }));
    expect(await rejection(client().me.get())).to.include({ code: null, message: 'Missing or invalid API key' });
  });
});
