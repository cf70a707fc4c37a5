import type { EventStore, Subscription } from '../../application/ports/event-store.js';

export interface Subscriptions {
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
