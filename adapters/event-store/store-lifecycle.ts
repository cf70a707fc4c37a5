import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore, Subscription, StoreUnavailable } from '../../application/ports/event-store.js';
import type { Checkpoints } from '../../application/ports/checkpoints.js';
import type { ChainedStore } from './chained-store.js';

interface Subscriptions {
  readonly subscribe: EventStore['subscribe'];
  /** Closes all that still run, and resolves once none of their handlers does. */
  readonly closeAll: () => Promise<void>;
}

/** Keeps account of the subscriptions that run. */
export const createSubscriptions = (start: EventStore['subscribe']): Subscriptions => {
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

interface RefusableStore {
  readonly store: EventStore;
  /** From now on everything is refused with this reason: the log is not to be trusted. */
  readonly refuse: (reason: string) => void;
  readonly refusedBecause: () => string | null;
}

/** A store that can be made to refuse everything, when its file is found damaged while it is in use. */
export const refusableStore = (store: EventStore): RefusableStore => {
  let refusal: StoreUnavailable | null = null;
  const guard =
    <E, A>(work: TE.TaskEither<E | StoreUnavailable, A>): TE.TaskEither<E | StoreUnavailable, A> =>
    () =>
      refusal === null ? work() : TE.left(refusal)();
  return {
    refuse: (reason) => {
      refusal = { _tag: 'StoreUnavailable', reason };
    },
    refusedBecause: () => refusal?.reason ?? null,
    store: {
      ...store,
      append: (...given) => guard(store.append(...given)),
      read: (...wanted) => guard(store.read(...wanted)),
      readAll: (...wanted) => guard(store.readAll(...wanted)),
      head: () => guard(store.head()),
    },
  };
};
