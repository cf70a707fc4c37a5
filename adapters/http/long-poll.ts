import * as E from 'fp-ts/lib/Either.js';
import type { Change } from '../../projections/queries.js';

/** A query whose result is waited for. */
interface PolledQuery<Refused, Answer> {
  readonly ask: () => Promise<E.Either<Refused, Answer>>;
  readonly isReady: (answer: Answer) => boolean;
  /** The next change after which the query may have another result; null if there will be none. */
  readonly nextChange: () => Change | null;
  /** After how many milliseconds the result may be another without a change; null if only a change can alter it. */
  readonly expiresInMs?: (answer: Answer) => number | null;
  readonly timeoutMs: number;
}

/**
 * Runs a query once for all who ask for the same while an earlier one is running: thousands may be woken by the same change.
 * Nobody gets the result of a query that began before they asked.
 */
export const sharedQueries = <Result>(): ((key: string, ask: () => Promise<Result>) => Promise<Result>) => {
  const running = new Map<string, { readonly current: Promise<Result>; next: Promise<Result> | null }>();
  const begin = (key: string, ask: () => Promise<Result>): Promise<Result> => {
    const own = { current: ask(), next: null };
    running.set(key, own);
    const end = (): void => {
      if (own.next === null) running.delete(key);
    };
    own.current.then(end, end);
    return own.current;
  };
  return (key, ask) => {
    const own = running.get(key);
    if (own === undefined) return begin(key, ask);
    const then = (): Promise<Result> => begin(key, ask);
    return (own.next ??= own.current.then(then, then));
  };
};

const atMost = (happened: Promise<void>, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void happened.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Waits until the result of a query is ready; after `timeoutMs` returns it as it is. Asks again after each change only. */
export const longPoll = async <Refused, Answer>({
  ask,
  isReady,
  nextChange,
  expiresInMs,
  timeoutMs,
}: PolledQuery<Refused, Answer>): Promise<E.Either<Refused, Answer>> => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    // Before asking, so that no change in between is missed.
    const change = timeoutMs > 0 ? nextChange() : null;
    try {
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      const answer = await ask();
      const leftMs = deadline - performance.now();
      if (change === null || leftMs <= 0 || E.isLeft(answer) || isReady(answer.right)) return answer;
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      await atMost(change.happened, Math.min(leftMs, expiresInMs?.(answer.right) ?? leftMs));
    } finally {
      change?.cancel();
    }
  }
};
