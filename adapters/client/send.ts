import type { Answered } from './call.js';
import {
  type BodyError,
  type Refusal,
  type ResponseInfo,
  apiError,
  ApiError,
  ConnectionError,
  MalformedAnswerError,
  MediaAnalysisError,
  TimeoutError,
} from './errors.js';

/** The part of a `fetch` response that the client uses. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** `fetch`, or a replacement. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
    readonly body?: string;
  },
) => Promise<FetchAnswer>;

/** A request, which every attempt sends unchanged. */
export interface Prepared {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** Timeout and retries of a request. */
export interface RetryPolicy {
  /** For one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An error at one place of a request; of a tag, the place is its key. */
const bodyErrorOf = (value: unknown): ReadonlyArray<BodyError> => {
  if (!isRecord(value)) return [];
  const { path = value['key'], message } = value;
  return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
};

/** `Retry-After` in seconds, which may be given as a date; null if it is invalid. */
const secondsOf = (header: string | null): number | null => {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000);
};

/** Errors of gateways between the client and the service, which have no `detail`. */
const gatewayStatuses: ReadonlyArray<number> = [502, 503, 504];

const mayBeRetried = (status: number, detail: unknown): boolean => {
  const retryable = isRecord(detail) ? detail['retryable'] : undefined;
  if (typeof retryable === 'boolean') return retryable;
  return status === 408 || status === 429 || (detail === undefined && gatewayStatuses.includes(status));
};

const maxText = 200;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What an error answer says. */
const refusalOf = ({ status, headers }: FetchAnswer, text: string, body: unknown): Refusal => {
  const detail = isRecord(body) ? body['detail'] : undefined;
  const fields = isRecord(detail) ? detail : {};
  const after = fields['retry_after_seconds'];
  const errors = fields['errors'];
  return {
    status,
    code: textOrNull(fields['code']),
    message:
      textOrNull(typeof detail === 'string' ? detail : fields['message']) ??
      `${status} ${text.replaceAll(/\s+/g, ' ').slice(0, maxText)}`.trim(),
    request_id: headers.get('X-Request-Id'),
    retryable: status !== 409 && mayBeRetried(status, detail),
    retry_after_seconds: secondsOf(headers.get('Retry-After')) ?? (typeof after === 'number' ? after : null),
    reason: headers.get('X-Refusal-Reason') ?? textOrNull(fields['reason']),
    detail,
    errors: Array.isArray(errors) ? errors.flatMap(bodyErrorOf) : [],
  };
};

/** The value of a JSON text; undefined for any other text. */
export const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text));
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

const received = async (answering: Promise<FetchAnswer>): Promise<Answered<object>> => {
  const answer = await answering;
  const text = await answer.text();
  const data = parsed(text);
  if (answer.status !== 200) throw apiError(refusalOf(answer, text, data));
  if (typeof data !== 'object' || data === null)
    throw new MalformedAnswerError('the answer is not a JSON object', 200, answer.headers.get('X-Request-Id'));
  return { data, response: infoOf(answer) };
};

/** The message of a `fetch` error says only that it failed; its cause says why. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join('; ');
  return cause instanceof Error ? cause.message : error.message;
};

/**
 * Sends a request once and reads its whole answer. Ends after `timeoutMs` or when the signal aborts, even if `fetch` does not
 * support that. Rejects with an error of this client, or with the reason of the signal.
 */
const attempt = (
  fetch: Fetch,
  { url, method, headers, body }: Prepared,
  { timeoutMs, signal }: RetryPolicy,
): Promise<Answered<object>> =>
  new Promise((resolve, reject) => {
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
            : new ConnectionError(`no answer from ${origin} to ${place}: ${reasonOf(error)}`, { cause: error }),
        ),
    );
  });

const firstPauseMs = 250;
const maxPauseMs = 8_000;
/** A longer `Retry-After` is not waited for: the error says when to retry. */
const maxRetryAfterSeconds = 60;

/** Waits. Rejects with the reason of the signal if it aborts. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) aborted();
    else signal?.addEventListener('abort', aborted, { once: true });
  });

/** How long to wait before the next attempt, in milliseconds; null if the error is not retryable. */
const pauseAfter = (error: unknown, tried: number): number | null => {
  const backoff = Math.min(maxPauseMs, firstPauseMs * 2 ** tried) * (0.5 + Math.random() / 2);
  if (error instanceof ApiError) {
    const asked = error.retry_after_seconds;
    // Credit that is lacking is not waited for: it can take days.
    if (!error.retryable || error.status === 402 || (asked !== null && asked > maxRetryAfterSeconds)) return null;
    return asked === null ? backoff : Math.max(asked * 1_000, firstPauseMs * Math.random());
  }
  return error instanceof ConnectionError || error instanceof MalformedAnswerError ? backoff : null;
};

/**
 * Sends a request, with retries after transient failures. Every attempt of a write has the same idempotency key, so that the
 * service executes it only once.
 */
export const send = async (
  fetch: Fetch,
  request: Prepared,
  policy: RetryPolicy,
  tried = 0,
): Promise<Answered<object>> => {
  try {
    return await attempt(fetch, request, policy);
  } catch (error) {
    const wait = tried < policy.maxRetries ? pauseAfter(error, tried) : null;
    if (wait === null || policy.signal?.aborted === true) throw error;
    await pause(wait, policy.signal);
    return send(fetch, request, policy, tried + 1);
  }
};
