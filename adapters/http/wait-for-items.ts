import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Change, Listing } from '../../projections/queries.js';
import { longPoll, sharedQueries } from './long-poll.js';
import { type BadQuery, type Query, badQuery } from './query.js';

const maxWaitSeconds = 30;

/** `wait`: the number of seconds to wait for the result, 0 to 30; by default 0. */
export const waitOf = ({ wait }: Query): E.Either<BadQuery, number> => {
  const seconds = wait === undefined ? 0 : Number(/^\d{1,2}(?:\.\d{1,3})?$/.exec(wait)?.[0] ?? NaN);
  return seconds >= 0 && seconds <= maxWaitSeconds
    ? E.right(seconds)
    : badQuery('wait', `must be a number of seconds from 0 to ${maxWaitSeconds}`);
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
  list: AwaitedList<Refused, Item>,
) => TE.TaskEither<Refused, unknown>) => {
  const share = sharedQueries<E.Either<Refused, Listing<Item>>>();
  return ({ key, first, nextChange, seconds }) =>
    seconds === 0
      ? TE.right(null)
      : () =>
          longPoll({
            ask: () => share(key, first),
            isReady: isNotEmpty,
            nextChange,
            timeoutMs: seconds * 1_000,
          });
};
