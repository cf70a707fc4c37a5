import {
  ConnectionError,
  MalformedAnswerError,
  MediaAnalysisError,
  type ResponseInfo,
  TimeoutError,
  apiError,
} from './errors.js';
import { refusalOf } from './refusal.js';

/** What the client needs of an answer of `fetch`. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** `fetch`, or what stands in for it. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
    readonly body?: string;
  },
) => Promise<FetchAnswer>;

/** A request as it is sent, each time in the same way. */
export interface Prepared {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** An answer with status 200. */
export interface Received {
  readonly data: unknown;
  /** The body as it came. */
  readonly text: string;
  readonly response: ResponseInfo;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const infoOf = ({ status, headers }: FetchAnswer): ResponseInfo => {
  const revision = /^(?:W\/)?"(\d+)"$/.exec(headers.get('ETag') ?? '')?.[1];
  const ignored = headers.get('X-Ignored-Parameters');
  return {
    status,
    request_id: headers.get('X-Request-Id'),
    position: headers.get('X-Event-Position'),
    revision: revision === undefined ? null : Number(revision),
    run_id: headers.get('X-Run-Id'),
    model: headers.get('X-Model'),
    replayed: headers.get('Idempotency-Replayed') === 'true',
    ignored_parameters:
      ignored === null || ignored === '' ? [] : ignored.split(',').map((name) => decoded(name.trim())),
  };
};

const received = async (answering: Promise<FetchAnswer>): Promise<Received> => {
  const answer = await answering;
  const text = await answer.text();
  const data = parsed(text);
  if (answer.status !== 200) throw apiError(refusalOf(answer.status, text, data, (name) => answer.headers.get(name)));
  if (typeof data !== 'object' || data === null)
    throw new MalformedAnswerError('the answer is not JSON of this service', 200, answer.headers.get('X-Request-Id'));
  return { data, text, response: infoOf(answer) };
};

/** `fetch` says only that it failed; its cause says why. */
const whyOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(whyOf).join('; ');
  return cause instanceof Error ? cause.message : error.message;
};

/**
 * Sends a request once and reads its whole answer; ends after so many milliseconds or with the caller's signal,
 * whatever `fetch` makes of that. Rejects with an error of this client, or with the reason of the signal.
 */
export const attempt = (fetch: Fetch, request: Prepared, timeoutMs: number, signal?: AbortSignal): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { url, method, headers, body } = request;
    const { origin, pathname } = new URL(url);
    const place = `${method} ${pathname}`;
    const abort = new AbortController();
    const end = (reason: unknown): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      reject(reason);
      abort.abort(reason);
    };
    const aborted = (): void => end(signal?.reason);
    const timer = setTimeout(
      () => end(new TimeoutError(`no answer from ${origin} to ${place} within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    );
    if (signal?.aborted === true) return aborted();
    signal?.addEventListener('abort', aborted);
    const sent = async (): Promise<FetchAnswer> =>
      fetch(url, { method, headers, signal: abort.signal, ...(body === undefined ? {} : { body }) });
    received(sent()).then(
      (answer) => {
        resolve(answer);
        end(undefined);
      },
      (error: unknown) =>
        end(
          error instanceof MediaAnalysisError
            ? error
            : new ConnectionError(`no answer from ${origin} to ${place}: ${whyOf(error)}`, { cause: error }),
        ),
    );
  });
