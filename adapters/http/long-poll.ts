import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Change, Listing } from '../../projections/queries.js';

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
export const sharedQueries = <Result>(): ((
  service: object,
  key: string,
  ask: () => Promise<Result>,
) => Promise<Result>) => {
  type Running = Map<string, { readonly current: Promise<Result>; next: Promise<Result> | null }>;
  const byService = new WeakMap<object, Running>();
  const begin = (running: Running, key: string, ask: () => Promise<Result>): Promise<Result> => {
    const own = { current: ask(), next: null };
    running.set(key, own);
    const end = (): void => {
      if (own.next === null) running.delete(key);
    };
    own.current.then(end, end);
    return own.current;
  };
  return (service, key, ask) => {
    const running: Running = byService.get(service) ?? new Map();
    byService.set(service, running);
    const own = running.get(key);
    if (own === undefined) return begin(running, key, ask);
    const then = (): Promise<Result> => begin(running, key, ask);
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

/** A list that is waited for. */
interface AwaitedList<Refused, Item> {
  /** Equal for requests that wait for the same. */
  readonly key: string;
  /** The first item. */
  readonly first: TE.TaskEither<Refused, Listing<Item>>;
  readonly nextChange: () => Change | null;
  readonly seconds: number;
}

/** A page without items that has a next one may be followed by some. */
const isNotEmpty = ({ items, next_cursor }: Listing<unknown>): boolean => items.length > 0 || next_cursor !== null;

/**
 * Waits until a list has an item, for at most so many seconds, and no longer once the service is stopped.
 */
export const waitForItems = <Refused, Item>(): ((
  service: object,
  list: AwaitedList<Refused, Item>,
) => TE.TaskEither<Refused, unknown>) => {
  const share = sharedQueries<E.Either<Refused, Listing<Item>>>();
  return (service, { key, first, nextChange, seconds }) =>
    seconds === 0
      ? TE.right(null)
      : () =>
          longPoll({
            ask: () => share(service, key, first),
            isReady: isNotEmpty,
            nextChange,
            timeoutMs: seconds * 1_000,
          });
};
