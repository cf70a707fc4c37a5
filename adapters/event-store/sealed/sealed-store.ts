import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { EventStore, Page, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import { backoff } from '../../../application/backoff.js';
import { lruCache } from '../../../application/lru-cache.js';
import type { Json } from '../../../domain/kernel/json.js';
import type { Subject } from '../../../domain/kernel/subject.js';
import { openText } from './cipher.js';
import { fenced } from './fence.js';
import type { KeyRing } from './key-ring.js';
import { sealedAppend } from './sealed-append.js';

/** Data as it is stored: `key` names the key, `v` the way in which it was sealed. */
const SealedData = t.type({ sealed: t.string, key: t.string, v: t.literal(1) });

/** Whether stored data is sealed. */
export const isSealed = SealedData.is;

type Opened = E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>;

/** Opens what a store gives back. */
export type OpenEvents = (events: ReadonlyArray<StoredEvent>) => Promise<Opened>;

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

/** So many characters of what was opened of late are remembered, as they were sealed. */
const recentCharacters = 2_000_000;

type Sealed = t.TypeOf<typeof SealedData>;

interface OpenedEvent extends Pick<StoredEvent, 'stream' | 'type'> {
  readonly sealed: string;
  readonly clear: Json;
}

/**
 * What was opened, for as long as others have it as it is stored; and the newest events, for some engines give the same
 * event to each of its readers anew.
 */
const createMemory = () => {
  const opened = new WeakMap<object, Json>();
  const recent = lruCache<OpenedEvent>(recentCharacters, ({ sealed }) => sealed.length);
  return {
    find: ({ id, stream, type }: StoredEvent, data: Sealed): Json | undefined => {
      const known = opened.get(data);
      if (known !== undefined) return known;
      const { sealed, clear, ...place } = recent.peek(id) ?? { sealed: null, clear: null, stream, type };
      return sealed === data.sealed && place.stream === stream && place.type === type ? clear : undefined;
    },
    keep: ({ id, stream, type }: StoredEvent, data: Sealed, clear: Json): void => {
      opened.set(data, clear);
      recent.set(id, { stream, type, sealed: data.sealed, clear });
    },
  };
};

/** Opens what is read. */
const opener = (ring: KeyRing) => {
  let memory = createMemory();
  const openOne = async (event: StoredEvent): Promise<E.Either<StoreUnavailable, StoredEvent>> => {
    const { data } = event;
    if (!SealedData.is(data)) return E.right(event);
    // What is opened while something is forgotten is not remembered after it.
    const { find, keep } = memory;
    const known = find(event, data);
    if (known !== undefined) return E.right({ ...event, data: known });
    const atHand = ring.atHand(data.key);
    const key = atHand === undefined ? await ring.toOpen(data.key) : E.right(atHand);
    if (E.isLeft(key)) return key;
    const found = key.right;
    if (found === 'key_missing') return E.right({ ...event, data: {}, withheld: found });
    if ('_tag' in found) return E.right({ ...event, data: {}, withheld: 'erased', erased_at: found.erased_at });
    const clear = openText(data.sealed, found, event);
    if (clear === null) return E.right({ ...event, data: {}, withheld: 'key_missing' });
    keep(event, data, clear);
    return E.right({ ...event, data: clear });
  };
  const open: OpenEvents = async (events) => {
    const all: StoredEvent[] = [];
    for (const event of events) {
      const one = await openOne(event);
      if (E.isLeft(one)) return one;
      all.push(one.right);
    }
    return E.right(all);
  };
  const openPatiently: SealedStore['openPatiently'] = async (events, isClosed) => {
    for (const pauses = backoff(100, 5_000); ;) {
      if (isClosed()) return null;
      const all = await open(events);
      if (E.isRight(all)) return all.right;
      await setTimeout(pauses.next());
    }
  };
  return {
    open,
    openPatiently,
    forget: () => {
      memory = createMemory();
    },
  };
};

/**
 * Seals the data of personal events before they are appended, and opens it when they are read. What is below, hashes
 * above all, sees what is stored. Nothing is written to a medium's streams after the event that erases it.
 */
export const sealedStore = (store: EventStore, ring: KeyRing): SealedStore => {
  const { open, openPatiently, forget } = opener(ring);
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
      append: fenced(sealedAppend(store, ring), ring.forget),
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
