import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Checkpoints } from '../../application/ports/checkpoints.js';
import type { StoreUnavailable, Subscription } from '../../application/ports/event-store.js';
import type { ChainedStore } from './chained-store.js';

interface Closing {
  /** Ends what may still need the store. */
  readonly first: () => Promise<void>;
  /** Ends the store, when nothing new can come any more. */
  readonly last: () => Promise<void>;
}

interface Closable {
  readonly store: ChainedStore;
  readonly checkpoints: Checkpoints;
  readonly close: () => Promise<void>;
}

const closed: StoreUnavailable = { _tag: 'StoreUnavailable', reason: 'the event store is closed' };

const refuse = (onFailure: (failure: unknown) => void): Subscription => {
  const refused = Promise.resolve().then(() => onFailure(closed));
  return { close: () => refused };
};

/**
 * The store and its checkpoints, which answer `StoreUnavailable` once closed. While it closes, running handlers may
 * still append and read; new subscriptions are refused.
 */
export const untilClosed = (store: ChainedStore, checkpoints: Checkpoints, { first, last }: Closing): Closable => {
  let state: 'open' | 'closing' | 'closed' = 'open';
  let closing: Promise<void> | null = null;
  const guard =
    <E, A>(work: TE.TaskEither<E | StoreUnavailable, A>): TE.TaskEither<E | StoreUnavailable, A> =>
    () =>
      state === 'closed' ? TE.left(closed)() : work();
  const end = async (): Promise<void> => {
    state = 'closing';
    await first();
    state = 'closed';
    await last();
  };
  return {
    store: {
      append: (stream, expected, events, follows) => guard(store.append(stream, expected, events, follows)),
      read: (...wanted) => guard(store.read(...wanted)),
      readAll: (after, filter, limit) => guard(store.readAll(after, filter, limit)),
      isPosition: store.isPosition,
      head: () => guard(store.head()),
      holds: (event) => guard(store.holds(event)),
      subscribe: (after, filter, handlers) =>
        state === 'open' ? store.subscribe(after, filter, handlers) : refuse(handlers.onFailure),
    },
    checkpoints: {
      load: (process) => guard(checkpoints.load(process)),
      save: (process, position) => guard(checkpoints.save(process, position)),
    },
    close: () => (closing ??= end()),
  };
};
