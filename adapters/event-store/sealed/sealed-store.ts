import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StoredEvent, EventStore, Page, StoreUnavailable } from '../../../application/ports/event-store.js';
import { backoff } from '../../../application/backoff.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import type { Subject } from '../../../domain/kernel/stream-name.js';
import { type YieldIfBusy, neverYield, startTurnTimer, yieldIfBusy } from '../../runtime/event-loop.js';
import { forgetLastMatch } from '../../runtime/last-match.js';
import { openText } from './sealed-text.js';
import { withErasureBarrier } from './erasures.js';
import type { KeyRing } from './key-ring.js';
import { type ClearEventCache, clearEventCache, sealedAppend } from './sealed-append.js';
import { isSealed } from './sealed-data.js';

type Opened = E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>;

/** Opens the events that a store returned. */
type OpenEvents = (events: ReadonlyArray<StoredEvent>) => Promise<Opened>;

export interface SealedStore {
  /** The log as the application sees it: data is in clear, or withheld. */
  readonly store: EventStore;
  readonly open: OpenEvents;
  /** Opens events, retrying while the vault is unavailable; null once `isClosed` returns true. */
  readonly openWithRetry: (
    events: ReadonlyArray<StoredEvent>,
    isClosed: () => boolean,
  ) => Promise<ReadonlyArray<StoredEvent> | null>;
  /** Drops everything cached about a subject: its keys and what was read or written of it. */
  readonly forget: (subject: Subject) => void;
}

type Found = Uint8Array | MediumErased | 'key_missing';

/** An event with its data opened by the key, or with the reason why it cannot be opened. */
const openWith = (key: Found, event: StoredEvent, sealed: string): StoredEvent => {
  if (key === 'key_missing') return { ...event, data: {}, withheld: key };
  if ('_tag' in key) return { ...event, data: {}, withheld: 'erased', erased_at: key.erased_at };
  startTurnTimer();
  const clear = openText(sealed, key, event);
  return clear === null ? { ...event, data: {}, withheld: 'key_missing' } : { ...event, data: clear };
};

/** Opening data of more sealed characters than this takes long enough to cache the result. */
const cacheFrom = 10_000;

/** Opens what is read. What was appended is cached, because it is read soon, and so is what took long to open. */
const opener = (ring: KeyRing) => {
  let cache = clearEventCache();
  /** Null when the vault has to be asked for the key. */
  const openNow = (event: StoredEvent): StoredEvent | null => {
    const { data } = event;
    if (!isSealed(data)) return event;
    const known = cache.find(event, data.sealed);
    if (known !== undefined) return { ...event, data: known };
    const key = ring.cached(data.key);
    if (key === undefined) return null;
    const opened = openWith(key, event, data.sealed);
    if (data.sealed.length > cacheFrom && opened.withheld === undefined)
      cache.keep(event, event.stream, data.sealed, opened.data);
    return opened;
  };
  const openLater = async (event: StoredEvent): Promise<E.Either<StoreUnavailable, StoredEvent>> => {
    const { data } = event;
    if (!isSealed(data)) return E.right(event);
    return E.map((key: Found) => openWith(key, event, data.sealed))(await ring.openingKey(data.key));
  };
  const openAll = async (events: ReadonlyArray<StoredEvent>, pause: YieldIfBusy): Promise<Opened> => {
    const all: StoredEvent[] = [];
    for (const event of events) {
      const now = openNow(event);
      const one = now === null ? await openLater(event) : E.right(now);
      if (E.isLeft(one)) return one;
      all.push(one.right);
      const turn = pause();
      if (turn !== null) await turn;
    }
    return E.right(all);
  };
  // A read for an answer was already split into slices that yield; many reads that yielded again here would all resume
  // at once.
  const open: OpenEvents = (events) => openAll(events, neverYield);
  const openWithRetry: SealedStore['openWithRetry'] = async (events, isClosed) => {
    for (const pauses = backoff(100, 5_000); ;) {
      if (isClosed()) return null;
      const all = await openAll(events, yieldIfBusy);
      if (E.isRight(all)) return all.right;
      await setTimeout(pauses.next());
    }
  };
  return {
    open,
    openWithRetry,
    keep: (...given: Parameters<ClearEventCache['keep']>) => cache.keep(...given),
    forget: () => {
      cache = clearEventCache();
    },
  };
};

/**
 * Seals the data of personal events before they are appended, and opens it when they are read. The layers below, such
 * as the hash chain, see the stored data. Nothing is written to a medium's streams after the event that erases it.
 */
export const sealedStore = (store: EventStore, ring: KeyRing): SealedStore => {
  const { open, openWithRetry, keep, forget } = opener(ring);
  const openPage = (page: Page): Promise<E.Either<StoreUnavailable, Page>> =>
    open(page.events).then(E.map((events) => ({ ...page, events })));

  const subscribe: EventStore['subscribe'] = (after, filter, handlers) => {
    let closed = false;
    const subscription = store.subscribe(after, filter, {
      ...handlers,
      onPage: async (page) => {
        const events = await openWithRetry(page.events, () => closed);
        if (events !== null) await handlers.onPage({ ...page, events });
      },
    });
    return {
      close: () => {
        closed = true;
        return subscription.close();
      },
    };
  };
  return {
    open,
    openWithRetry,
    store: {
      ...store,
      append: withErasureBarrier(sealedAppend(store, ring, keep), ring.forget),
      read: (...wanted) => TE.chain((events: ReadonlyArray<StoredEvent>) => () => open(events))(store.read(...wanted)),
      readAll: (...wanted) => TE.chain((page: Page) => () => openPage(page))(store.readAll(...wanted)),
      subscribe,
    },
    forget: (subject) => {
      ring.forget(subject);
      forget();
      forgetLastMatch();
    },
  };
};
