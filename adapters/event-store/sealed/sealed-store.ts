import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type {
  AppendFailure,
  EventFilter,
  EventStore,
  NewEvent,
  Page,
  StoreUnavailable,
  StoredEvent,
} from '../../../application/ports/event-store.js';
import type {
  HeldKey,
  KeyVault,
  KeyVaultUnavailable,
  OnErasure,
  PersonalKeys,
} from '../../../application/ports/key-vault.js';
import { backoff, keyedQueue } from '../../../application/queue-and-backoff.js';
import { categories, eventTypes, isErasing, isPersonal, storedVersions } from '../../../domain/event-catalogue.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import { type Position, type Subject, subjectOfStream } from '../../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { forgetLastRegExpMatch } from '../../runtime/memory.js';
import { SealedData, joinedKey, openText, sealText, sealedForm } from './sealed-data.js';

type Answer<A> = Promise<E.Either<StoreUnavailable, A>>;

type KeyAnswer<A> = Promise<E.Either<StoreUnavailable | MediumErased, A>>;

/** Each subject has had one key so far. A second key of a subject would have another suffix. */
const suffix = ':1';
const keyName = (subject: string): string => `${subject}${suffix}`;
const separator = '+';

/** The name of the key that seals data about these subjects. */
const nameOf = (subjects: ReadonlyArray<Subject>): string => subjects.map(keyName).join(separator);

/** The streams in whose name a key is kept: those of its subjects. */
const subjectsIn = (name: string): ReadonlyArray<string> =>
  name.split(separator).map((one) => one.slice(0, -suffix.length));

/** The events that erase a medium; each is in the stream of that medium. */
const erasing: EventFilter = { types: storedVersions('MediumErased') };

const timeOf = ({ data }: StoredEvent): Timestamp | null => {
  const at: unknown = typeof data === 'object' && data !== null && 'at' in data ? data['at'] : null;
  return Timestamp.is(at) ? at : null;
};

const pageSize = 500;

/** Finds the erasure of the subject of a stream; null when it was not erased. Remembers how far it has read the log. */
const erasureFinder = (store: Pick<EventStore, 'readAll'>) => {
  const known = new Map<string, MediumErased>();
  let after: Position | null = null;
  return async (stream: string): Answer<MediumErased | null> => {
    while (!known.has(stream)) {
      const page = await store.readAll(after, erasing, pageSize)();
      if (E.isLeft(page)) return page;
      if (page.right.examined === null) break;
      for (const event of page.right.events) {
        const erased_at = timeOf(event);
        if (erased_at !== null) known.set(event.stream, { _tag: 'MediumErased', erased_at });
      }
      after = page.right.examined;
    }
    return E.right(known.get(stream) ?? null);
  };
};

const maxCachedKeys = 10_000;

const vaultUnavailable = ({ reason }: KeyVaultUnavailable): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason,
  because: 'key_vault',
});

const missing = (subject: string): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason: `the key of ${subject} is missing`,
  because: 'key_missing',
});

/** The key for data that is about no medium; no stream has this name. */
const serviceKey = 'service';

/** Digests use a key derived with this label. */
const digestLabel = Buffer.from('digests');

/**
 * The keys of subjects. Stored events contain the name of their key, which names all of its subjects. `store` is the log
 * as it is stored. `onMissingKey` is called when data cannot be opened because a key is missing.
 */
const subjectKeys = (
  vault: KeyVault,
  store: Pick<EventStore, 'read' | 'readAll'>,
  onMissingKey: (subject: string) => void = constVoid,
) => {
  const cache = new LRUCache<string, Uint8Array>({ max: maxCachedKeys });
  const forgotten = new Set<string>();
  const erasureOf = erasureFinder(store);
  const keep = (name: string, key: Uint8Array): Uint8Array => {
    if (!subjectsIn(name).some((subject) => forgotten.has(subject))) cache.set(name, key);
    return key;
  };
  const held = async (subject: string): Answer<HeldKey | null> =>
    E.mapLeft(vaultUnavailable)(await vault.find(keyName(subject))());
  /** Null if there never was a key. */
  const find = async (subject: string): KeyAnswer<Uint8Array | null> => {
    const cached = cache.get(keyName(subject));
    if (cached !== undefined) return E.right(cached);
    const found = await held(subject);
    if (E.isLeft(found)) return found;
    if (found.right instanceof Uint8Array) return E.right(keep(keyName(subject), found.right));
    const erasure = await erasureOf(subject);
    if (E.isLeft(erasure)) return erasure;
    if (erasure.right !== null) return E.left(erasure.right);
    return found.right === null ? E.right(null) : E.left(missing(subject));
  };
  /** Refuses if something was sealed for the subject before: otherwise a lost key would be replaced silently. */
  const create = async (subject: string): Answer<Uint8Array> => {
    const first = await store.read(subject, -1, 1)();
    if (E.isLeft(first)) return first;
    if (first.right.some(({ data }) => SealedData.is(data))) return E.left(missing(subject));
    const made = await vault.make(keyName(subject))();
    if (E.isLeft(made)) return E.left(vaultUnavailable(made.left));
    return made.right === 'erased' ? E.left(missing(subject)) : E.right(keep(keyName(subject), made.right));
  };
  const findOrCreate = async (subject: string): KeyAnswer<Uint8Array> => {
    // Between an erasure and the end of the key, the vault still has it.
    const erasure = forgotten.has(subject) ? await erasureOf(subject) : E.right(null);
    if (E.isLeft(erasure)) return erasure;
    if (erasure.right !== null) return E.left(erasure.right);
    const found = await find(subject);
    if (E.isLeft(found)) return found;
    return found.right === null ? create(subject) : E.right(found.right);
  };
  const findExisting = async (subject: string): KeyAnswer<Uint8Array> => {
    const found = await find(subject);
    if (E.isLeft(found)) return found;
    if (found.right !== null) return E.right(found.right);
    onMissingKey(subject);
    return E.left(missing(subject));
  };
  /** The key of a name, which may be that of several subjects, or why the key of one of them cannot be had. */
  const keyNamed = async (name: string, keyOf: typeof findOrCreate): KeyAnswer<Uint8Array> => {
    const cached = cache.get(name);
    if (cached !== undefined) return E.right(cached);
    const keys = await TE.traverseSeqArray((subject: string) => () => keyOf(subject))(subjectsIn(name))();
    return E.isLeft(keys) ? keys : E.right(keep(name, joinedKey(keys.right)));
  };
  return {
    /** The key that seals data; that of a subject about which nothing was sealed yet is created. */
    toSeal: (name: string) => keyNamed(name, findOrCreate),
    /** The key that opens sealed data. */
    toOpen: (name: string) => keyNamed(name, findExisting),
    /** A digest of a text with the key of a subject; null: with the key of the service. */
    digest: async (subject: Subject | null, text: string): KeyAnswer<string> =>
      E.map((key: Uint8Array) =>
        createHmac('sha256', joinedKey([key, digestLabel]))
          .update(text)
          .digest('hex'),
      )(await findOrCreate(subject ?? serviceKey)),
    isThere: async (subject: Subject): Answer<boolean> =>
      E.map((key: HeldKey | null) => key instanceof Uint8Array)(await held(subject)),
    /** Destroys the key of a subject for good. */
    erase: async (subject: Subject): Answer<void> => E.mapLeft(vaultUnavailable)(await vault.erase(keyName(subject))()),
    /** Drops the key of a subject, and those made of it, from the cache and never caches them again. */
    forget: (subject: string): void => {
      forgotten.add(subject);
      for (const name of cache.keys()) if (subjectsIn(name).includes(subject)) cache.delete(name);
    },
  };
};

type SubjectKeys = ReturnType<typeof subjectKeys>;

export interface SealedStore {
  /** The log as the application sees it: data is in clear, or withheld. */
  readonly store: EventStore;
  readonly keys: PersonalKeys;
  readonly onErasure: OnErasure;
  /** Opens events, retrying while the vault is unavailable; null once `isClosed` returns true. */
  readonly openWithRetry: (
    events: ReadonlyArray<StoredEvent>,
    isClosed: () => boolean,
  ) => Promise<ReadonlyArray<StoredEvent> | null>;
  /** Why the log as it is stored cannot be read, and what to do; null if it can be read. */
  readonly unreadable: TE.TaskEither<StoreUnavailable, string | null>;
}

/** Why sealed data of another form is not read, and what to do. */
const otherForm = ({ position, data }: StoredEvent): string | null =>
  SealedData.is(data) && data.v !== sealedForm
    ? `the event log cannot be read at position ${position}: its data is encrypted in form ${data.v}, and this version of ` +
      `the service reads form ${sealedForm} alone. Nothing was changed. Use the version that wrote it, or another DATA_DIR`
    : null;

const keyMissing = { data: {}, withheld: 'key_missing' } as const;

/** An event with its data opened, or with the reason why that is withheld. */
const openEvent =
  (keys: SubjectKeys) =>
  (event: StoredEvent): TE.TaskEither<StoreUnavailable, StoredEvent> =>
  async () => {
    const { data } = event;
    if (!SealedData.is(data)) return E.right(event);
    const reason = otherForm(event);
    if (reason !== null) return E.left({ _tag: 'StoreUnavailable', reason });
    const key = await keys.toOpen(data.key);
    if (E.isRight(key)) {
      const clear = openText(data.sealed, key.right, event);
      return E.right({ ...event, ...(clear === null ? keyMissing : { data: clear }) });
    }
    if (key.left._tag === 'MediumErased')
      return E.right({ ...event, data: {}, withheld: 'erased', erased_at: key.left.erased_at });
    return key.left.because === 'key_missing' ? E.right({ ...event, ...keyMissing }) : E.left(key.left);
  };

/** The reading part of the log, which opens what is sealed. */
const opener = (stored: EventStore, keys: SubjectKeys) => {
  const open = TE.traverseSeqArray(openEvent(keys));
  const openWithRetry: SealedStore['openWithRetry'] = async (events, isClosed) => {
    const [unreadable] = events.flatMap((event) => otherForm(event) ?? []);
    if (unreadable !== undefined) throw new Error(unreadable);
    for (const pauses = backoff(100, 5_000); !isClosed(); await setTimeout(pauses.next())) {
      const opened = await open(events)();
      if (E.isRight(opened)) return opened.right;
    }
    return null;
  };
  const read: EventStore['read'] = (...wanted) => pipe(stored.read(...wanted), TE.chain(open));
  const readAll: EventStore['readAll'] = (...wanted) =>
    pipe(
      stored.readAll(...wanted),
      TE.chain((page) => TE.map((events: Page['events']) => ({ ...page, events }))(open(page.events))),
    );
  const at: EventStore['at'] = (position) =>
    pipe(
      stored.at(position),
      TE.chain((found) => open(found === null ? [] : [found])),
      TE.map(([event]) => event ?? null),
    );
  return { read, readAll, at, openWithRetry };
};

/** Seals the data of an event that has subjects. */
const sealEvent =
  (keys: SubjectKeys, stream: string) =>
  (event: NewEvent): TE.TaskEither<AppendFailure, NewEvent> =>
  async () => {
    const { id, type, metadata, subjects = [] } = event;
    if (subjects.length === 0) {
      // A caller that forgot the subjects. What is sealed already, as in a copied log, is stored as it is.
      if (isPersonal(type) && !SealedData.is(event.data))
        throw new Error(`${type} is a personal event without subjects`);
      return E.right(event);
    }
    const name = nameOf(subjects);
    const key = await keys.toSeal(name);
    if (E.isLeft(key)) return key;
    const sealed = sealText(event.data, key.right, { stream, id, type });
    return E.right({ id, type, metadata, data: { sealed, key: name, v: sealedForm } });
  };

/** Runs tasks about the same subject one after the other. Queues are joined in one order, so none waits for another. */
const subjectQueue = () => {
  const queue = keyedQueue();
  return <A>(subjects: ReadonlyArray<Subject>, task: () => Promise<A>): (() => Promise<A>) =>
    [...new Set(subjects)].toSorted().reduceRight((next, subject) => queue.run(subject, next), task);
};

const personal = { categories, types: eventTypes.filter(isPersonal).flatMap(storedVersions) };

/**
 * A log whose personal data is sealed with the keys of a vault before it is appended, and opened when it is read.
 * `stored` is the log as it is stored, of which the hashes are made. An erasure, and then the end of the key, wait for
 * appends about their subject; later appends wait for them, and are refused. `onMissingKey` is called when data cannot
 * be opened because the key of a subject is missing.
 */
export const sealedLog = (
  stored: EventStore,
  vault: KeyVault,
  onMissingKey?: (subject: string) => void,
): SealedStore => {
  const keys = subjectKeys(vault, stored, onMissingKey);
  const { read, readAll, at, openWithRetry } = opener(stored, keys);
  const inTurn = subjectQueue();
  const listeners: Array<() => void> = [];
  const forget = (subject: Subject): void => {
    keys.forget(subject);
    forgetLastRegExpMatch();
  };
  const forgetErased = (stream: string, type: string): void => {
    const subject = isErasing(type) ? subjectOfStream(stream) : null;
    if (subject !== null) forget(subject);
  };
  const append: EventStore['append'] = (stream, expected, events) => {
    const own = subjectOfStream(stream);
    const subjects = [...(own === null ? [] : [own]), ...events.flatMap((event) => event.subjects ?? [])];
    return inTurn(
      subjects,
      pipe(
        TE.traverseSeqArray(sealEvent(keys, stream))(events),
        TE.chain((sealed) => stored.append(stream, expected, sealed)),
        TE.tapIO(() => () => events.forEach(({ type }) => forgetErased(stream, type))),
      ),
    );
  };
  const subscribe: EventStore['subscribe'] = (after, filter, handlers) => {
    let closed = false;
    const subscription = stored.subscribe(after, filter, {
      ...handlers,
      onPage: async (page) => {
        // Another instance may have written the erasure.
        page.events.forEach(({ stream, type }) => forgetErased(stream, type));
        if (page.events.some(({ type }) => isErasing(type))) listeners.forEach((listener) => listener());
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
  /** The first personal event tells whether a log is sealed and in which form: neither changes in a log. */
  const first = TE.map(({ events: [event] }: Page) => event ?? null)(stored.readAll(null, personal, 1));
  return {
    store: { ...stored, append, read, readAll, at, subscribe },
    keys: {
      erase: (subject) =>
        inTurn([subject], () => {
          forget(subject);
          return keys.erase(subject);
        }),
      isThere: (subject) => () => keys.isThere(subject),
      isLogSealed: () => TE.map((event: StoredEvent | null) => event === null || SealedData.is(event.data))(first),
      digest: (subject, text) => () => keys.digest(subject, text),
    },
    onErasure: (listener) => void listeners.push(listener),
    openWithRetry,
    unreadable: TE.map((event: StoredEvent | null) => event && otherForm(event))(first),
  };
};
