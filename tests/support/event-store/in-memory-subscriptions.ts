import type { EventFilter, Page, Subscription, SubscriptionHandlers } from '../../../application/ports/event-store.js';

export interface InMemorySubscriptions {
  readonly open: (
    after: string | null,
    filter: EventFilter,
    handlers: SubscriptionHandlers,
    storeClosed: boolean,
  ) => Subscription;
  /** Called when there are new events to read. */
  readonly wake: () => void;
  readonly closeAll: () => Promise<void>;
}

interface Follower extends Subscription {
  readonly wake: () => void;
}

type Read = (after: string | null, filter: EventFilter) => Page;

const follow = (start: string | null, filter: EventFilter, handlers: SubscriptionHandlers, read: Read): Follower => {
  let after = start;
  let ended = false;
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    await Promise.resolve();
    try {
      for (;;) {
        const page = read(after, filter);
        if (ended || page.examined === null) break;
        after = page.examined;
        await handlers.onPage(page);
      }
      if (!ended) handlers.onCaughtUp?.();
    } catch (failure) {
      ended = true;
      handlers.onFailure(failure);
    }
  };
  const wake = (): void => {
    if (ended || running !== null) return;
    running = run().finally(() => {
      running = null;
      if (read(after, filter).examined !== null) wake();
    });
  };
  wake();
  const close = async (): Promise<void> => {
    ended = true;
    await running;
  };
  return { wake, close };
};

/** Subscriptions to a log in memory. Each reads at its own pace, one page at a time. */
export const inMemorySubscriptions = (read: Read): InMemorySubscriptions => {
  const followers = new Set<Follower>();
  return {
    open: (after, filter, handlers, storeClosed) => {
      if (storeClosed) {
        queueMicrotask(() => handlers.onFailure({ _tag: 'StoreUnavailable', reason: 'closed' }));
        return { close: () => Promise.resolve() };
      }
      const follower = follow(after, filter, handlers, read);
      followers.add(follower);
      return {
        close: () => {
          followers.delete(follower);
          return follower.close();
        },
      };
    },
    wake: () => followers.forEach(({ wake }) => wake()),
    closeAll: async () => {
      await Promise.all([...followers].map(({ close }) => close()));
    },
  };
};
