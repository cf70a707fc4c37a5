import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore, Subscription, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';

interface Subscriptions {
  readonly subscribe: EventStore['subscribe'];
  /** Closes all running subscriptions; resolves once none of their handlers is running. */
  readonly closeAll: () => Promise<void>;
}

/** Keeps track of the running subscriptions. */
export const trackSubscriptions = (start: EventStore['subscribe']): Subscriptions => {
  const running = new Set<Subscription>();
  return {
    subscribe: (after, filter, handlers) => {
      const subscription = start(after, filter, {
        ...handlers,
        onFailure: (failure) => {
          running.delete(subscription);
          handlers.onFailure(failure);
        },
      });
      running.add(subscription);
      return { close: () => subscription.close().finally(() => running.delete(subscription)) };
    },
    closeAll: async () => {
      await Promise.all([...running].map((subscription) => subscription.close()));
    },
  };
};

interface Closing {
  /** Ends everything that may still use the store. */
  readonly first: () => Promise<void>;
  /** Closes the store itself, once nothing new can arrive. */
  readonly last: () => Promise<void>;
}

interface Closable {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly close: () => Promise<void>;
}

const closed: StoreUnavailable = { _tag: 'StoreUnavailable', reason: 'the event store is closed' };

const refuse = (onFailure: (failure: unknown) => void): Subscription => {
  const refused = Promise.resolve().then(() => onFailure(closed));
  return { close: () => refused };
};

/**
 * The store and its checkpoints. Once closed, they answer `StoreUnavailable`. While closing, running handlers may still
 * append and read, but new subscriptions are refused.
 */
export const closable = (store: EventStore, checkpoints: Checkpoints, { first, last }: Closing): Closable => {
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
      append: (...given) => guard(store.append(...given)),
      read: (...wanted) => guard(store.read(...wanted)),
      readAll: (after, filter, limit) => guard(store.readAll(after, filter, limit)),
      positionIn: store.positionIn,
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
