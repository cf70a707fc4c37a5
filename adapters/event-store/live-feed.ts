import * as E from 'fp-ts/lib/Either.js';
import type { EventFilter, EventStore, Page, StoredEvent } from '../../application/ports/event-store.js';
import type { LiveFeed } from '../../application/ports/live-feed.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { ChainedStore } from './chained-store.js';

/** Milliseconds within which an append of this process should come back through its subscription. */
const maxDelayMs = 500;
/** Milliseconds to wait for a position. */
const waitTimeoutMs = 1_000;

interface Waiting {
  readonly position: Position;
  readonly resolve: (isReceived: boolean) => void;
}

/** The position that the subscriptions have reached, and who waits for a later one. */
const createProgress = () => {
  let reached: Position | null = null;
  let waiting: ReadonlyArray<Waiting> = [];
  const has = (position: Position): boolean => reached !== null && reached >= position;
  const wait = (position: Position): Promise<boolean> =>
    new Promise((resolve) => {
      const late = setTimeout(() => {
        waiting = waiting.filter((one) => one !== entry);
        resolve(false);
      }, waitTimeoutMs);
      const entry: Waiting = {
        position,
        resolve: (isReceived) => {
          clearTimeout(late);
          resolve(isReceived);
        },
      };
      waiting = [...waiting, entry];
    });
  return {
    has,
    received: (position: Position) => () => (has(position) ? Promise.resolve(true) : wait(position)),
    reach: (position: Position): void => {
      if (has(position)) return;
      reached = position;
      const [there, later] = [waiting.filter((one) => has(one.position)), waiting.filter((one) => !has(one.position))];
      waiting = later;
      there.forEach(({ resolve }) => resolve(true));
    },
  };
};

/** An append of this process that has not come back yet, and when it was made. */
interface Awaited {
  readonly position: Position;
  readonly since: number;
}

/** Tracks whether the appends of this process come back through its subscriptions in time. */
const createLateness = (hasReached: (position: Position) => boolean) => {
  let awaited: Awaited | null = null;
  let newest: Position | null = null;
  const later = (): Awaited | null =>
    newest === null || hasReached(newest) ? null : { position: newest, since: performance.now() };
  return {
    wrote: (position: Position): void => {
      if (newest === null || position > newest) newest = position;
      awaited ??= later();
    },
    received: (): void => {
      if (awaited !== null && hasReached(awaited.position)) awaited = later();
    },
    isLate: (): boolean => awaited !== null && performance.now() - awaited.since >= maxDelayMs,
  };
};

const isUnfiltered = ({ categories, types }: EventFilter): boolean => categories === undefined && types === undefined;

/** Tracks whether the last subscription to all events follows the log and has caught up with it. */
const trackFollowing = (start: EventStore['subscribe']) => {
  let isCaughtUp = false;
  let last = 0;
  const subscribe: EventStore['subscribe'] = (after, filter, handlers) => {
    const all = isUnfiltered(filter);
    if (all) [isCaughtUp, last] = [false, last + 1];
    const own = last;
    let ended = false;
    const isFollowing = (): boolean => all && own === last && !ended;
    const end = (): void => {
      if (isFollowing()) isCaughtUp = false;
      ended = true;
    };
    const subscription = start(after, filter, {
      onPage: handlers.onPage,
      onCaughtUp: () => {
        isCaughtUp ||= isFollowing();
        handlers.onCaughtUp?.();
      },
      onFailure: (failure) => {
        end();
        handlers.onFailure(failure);
      },
    });
    return {
      close: () => {
        end();
        return subscription.close();
      },
    };
  };
  return { subscribe, isCaughtUp: () => isCaughtUp };
};

/**
 * The store, and the live feed of its subscriptions: every event that any of them delivers, and how far the unfiltered ones
 * have come. The feed is not live while nobody follows the whole log, or appends of this process do not come back in time.
 */
export const withLiveFeed = (store: ChainedStore): { readonly store: ChainedStore; readonly liveFeed: LiveFeed } => {
  const listeners: Array<(event: StoredEvent) => void> = [];
  const progress = createProgress();
  const lateness = createLateness(progress.has);
  const following = trackFollowing(store.subscribe);

  const deliver = ({ events, examined }: Page, all: boolean): void => {
    events.forEach((event) => listeners.forEach((listener) => listener(event)));
    const position = events.at(-1)?.position ?? examined;
    if (!all || position === null) return;
    progress.reach(position);
    lateness.received();
  };
  const append: ChainedStore['append'] =
    (...given) =>
    async () => {
      const answer = await store.append(...given)();
      if (E.isRight(answer)) lateness.wrote(answer.right.position);
      return answer;
    };
  const subscribe: EventStore['subscribe'] = (after, filter, handlers) =>
    following.subscribe(after, filter, {
      ...handlers,
      onPage: (page) => {
        deliver(page, isUnfiltered(filter));
        return handlers.onPage(page);
      },
    });
  const isLive = (): boolean => following.isCaughtUp() && !lateness.isLate();
  return {
    store: { ...store, append, subscribe },
    liveFeed: {
      onEvent: (listener) => void listeners.push(listener),
      isLive,
      received: (position) => async () => isLive() && progress.received(position)(),
    },
  };
};
