import { type Fetch, type Prepared, type Received, attempt } from './attempt.js';
import { ApiError, ConnectionError, MalformedAnswerError } from './errors.js';

/** How a request is repeated. */
export interface Patience {
  /** Of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
}

const firstPause_ms = 250;
const longestPause_ms = 8_000;
/** A service that asks for more patience than this is not waited for: the error says when to come back. */
const longestAsked_seconds = 60;

/** Ends early, with the signal's reason, when that aborts. */
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

/** How long to wait before the next attempt, in milliseconds; null where there is to be none. */
const pauseAfter = (error: unknown, tried: number): number | null => {
  const backoff = Math.min(longestPause_ms, firstPause_ms * 2 ** tried) * (0.5 + Math.random() / 2);
  if (error instanceof ApiError) {
    const asked = error.retry_after_seconds;
    if (!error.retryable || (asked !== null && asked > longestAsked_seconds)) return null;
    return asked === null ? backoff : Math.max(asked * 1_000, firstPause_ms * Math.random());
  }
  return error instanceof ConnectionError || error instanceof MalformedAnswerError ? backoff : null;
};

/**
 * Sends a request until an answer comes that is no passing failure, as often as it is allowed to. A write carries its
 * idempotency key each time, so that the service does it once.
 */
export const send = async (fetch: Fetch, request: Prepared, patience: Patience, tried = 0): Promise<Received> => {
  try {
    return await attempt(fetch, request, patience.timeoutMs, patience.signal);
  } catch (error) {
    const wait = tried < patience.maxRetries ? pauseAfter(error, tried) : null;
    if (wait === null || patience.signal?.aborted === true) throw error;
    await pause(wait, patience.signal);
    return send(fetch, request, patience, tried + 1);
  }
};
