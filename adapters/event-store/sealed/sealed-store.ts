import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StoredEvent, EventStore, Page, StoreUnavailable } from '../../../application/ports/event-store.js';
import { type YieldIfBusy, neverYield } from '../../../application/ports/event-loop.js';
import { backoff } from '../../../application/backoff.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import type { Subject } from '../../../domain/kernel/stream-name.js';
import { yieldIfBusy, startTurnTimer } from '../../runtime/event-loop.js';
import { openText } from './sealed-text.js';
import { fenced } from './erasures.js';
import type { KeyRing } from './key-ring.js';
import { type RecentEvents, recentEvents, sealedAppend } from './sealed-append.js';
import { isSealed } from './sealed-data.js';

type Opened = E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>;

/** Opens what a store gives back. */
type OpenEvents = (events: ReadonlyArray<StoredEvent>) => Promise<Opened>;

export interface SealedStore {
  /** The log as the application sees it: data is in clear, or withheld. */
  readonly store: EventStore;
  readonly open: OpenEvents;
  /** Opens them, however long the vault is away; null once `isClosed`. */
  readonly openPatiently: (
    events: ReadonlyArray<StoredEvent>,
    isClosed: () => boolean,
  ) => Promise<ReadonlyArray<StoredEvent> | null>;
  /** From now on nothing that was read or written of a subject is remembered. */
  readonly forget: (subject: Subject) => void;
}

type Found = Uint8Array | MediumErased | 'key_missing';

/** An event with what its key opens, or with why it cannot be opened. */
const openWith = (key: Found, event: StoredEvent, sealed: string): StoredEvent => {
  if (key === 'key_missing') return { ...event, data: {}, withheld: key };
  if ('_tag' in key) return { ...event, data: {}, withheld: 'erased', erased_at: key.erased_at };
  startTurnTimer();
  const clear = openText(sealed, key, event);
  return clear === null ? { ...event, data: {}, withheld: 'key_missing' } : { ...event, data: clear };
};

/** To open data that is longer, in characters as it is sealed, takes long enough to remember it. */
const longToOpen = 10_000;

/** Opens what is read; what is appended is remembered in `recent`, for it is read at once, and so is what took long. */
const opener = (ring: KeyRing) => {
  let recent = recentEvents();
  /** Null: the vault has to be asked for the key. */
  const openNow = (event: StoredEvent): StoredEvent | null => {
    const { data } = event;
    if (!isSealed(data)) return event;
    const known = recent.find(event, data.sealed);
    if (known !== undefined) return { ...event, data: known };
    const key = ring.atHand(data.key);
    if (key === undefined) return null;
    const opened = openWith(key, event, data.sealed);
    if (data.sealed.length > longToOpen && opened.withheld === undefined)
      recent.keep(event, event.stream, data.sealed, opened.data);
    return opened;
  };
  const openLater = async (event: StoredEvent): Promise<E.Either<StoreUnavailable, StoredEvent>> => {
    const { data } = event;
    if (!isSealed(data)) return E.right(event);
    return E.map((key: Found) => openWith(key, event, data.sealed))(await ring.toOpen(data.key));
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
  // What is read for an answer was read in slices, each in its turn; many that gave way again would go on all at once.
  const open: OpenEvents = (events) => openAll(events, neverYield);
  const openPatiently: SealedStore['openPatiently'] = async (events, isClosed) => {
    for (const pauses = backoff(100, 5_000); ;) {
      if (isClosed()) return null;
      const all = await openAll(events, yieldIfBusy);
      if (E.isRight(all)) return all.right;
      await setTimeout(pauses.next());
    }
  };
  return {
    open,
    openPatiently,
    keep: (...given: Parameters<RecentEvents['keep']>) => recent.keep(...given),
    forget: () => {
      recent = recentEvents();
    },
  };
};

/**
 * Seals the data of personal events before they are appended, and opens it when they are read. What is below, hashes
 * above all, sees what is stored. Nothing is written to a medium's streams after the event that erases it.
 */
export const sealedStore = (store: EventStore, ring: KeyRing): SealedStore => {
  const { open, openPatiently, keep, forget } = opener(ring);
  const openPage = (page: Page): Promise<E.Either<StoreUnavailable, Page>> =>
    open(page.events).then(E.map((events) => ({ ...page, events })));

  const subscribe: EventStore['subscribe'] = (after, filter, handlers) => {
    let closed = false;
    const subscription = store.subscribe(after, filter, {
      ...handlers,
      onPage: async (page) => {
        const events = await openPatiently(page.events, () => closed);
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
    openPatiently,
    store: {
      ...store,
      append: fenced(sealedAppend(store, ring, keep), ring.forget),
      read: (...wanted) => TE.chain((events: ReadonlyArray<StoredEvent>) => () => open(events))(store.read(...wanted)),
      readAll: (...wanted) => TE.chain((page: Page) => () => openPage(page))(store.readAll(...wanted)),
      subscribe,
    },
    forget: (subject) => {
      ring.forget(subject);
      forget();
    },
  };
};
