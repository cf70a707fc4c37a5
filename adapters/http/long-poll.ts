import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Change, Listing } from '../../projections/queries.js';
import { waitAtMost } from '../runtime/clock.js';
import type { NotListed, Service } from './endpoint.js';

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
 * Runs a query once for all who ask for the same at the same instant, since one change may wake a thousand. Nobody gets the
 * result of a query that began before they asked.
 */
export const askedTogether = <Result>(): ((
  service: object,
  key: string,
  ask: () => Promise<Result>,
) => Promise<Result>) => {
  const byService = new WeakMap<object, Map<string, Promise<Result>>>();
  return (service, key, ask) => {
    const asked = byService.get(service) ?? new Map<string, Promise<Result>>();
    byService.set(service, asked);
    const asking = asked.get(key) ?? ask();
    asked.set(key, asking);
    queueMicrotask(() => asked.delete(key));
    return asking;
  };
};

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
      await waitAtMost(change.happened, Math.min(leftMs, expiresInMs?.(answer.right) ?? leftMs));
    } finally {
      change?.cancel();
    }
  }
};

const askForItems = askedTogether<E.Either<NotListed, Listing<unknown>>>();

/** A page without items that has a next one may be followed by some. */
const isNotEmpty = ({ items, next_cursor }: Listing<unknown>): boolean => items.length > 0 || next_cursor !== null;

/**
 * Waits until a list from a table has an item, for at most so many seconds, and no longer once the service is stopped.
 * `asked` is equal for requests that wait for the same.
 */
export const waitForItems =
  (
    service: Service,
    table: 'match_runs' | 'videos' | 'audios',
    asked: unknown,
    first: TE.TaskEither<NotListed, Listing<unknown>>,
    seconds: number,
  ): TE.TaskEither<NotListed, unknown> =>
  async () =>
    seconds === 0
      ? E.right(null)
      : longPoll({
          ask: () => askForItems(service, JSON.stringify([table, asked]), first),
          isReady: isNotEmpty,
          nextChange: () => service.queries.change(table),
          timeoutMs: seconds * 1_000,
        });
