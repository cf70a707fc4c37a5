import { createHmac } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { EventFilter, EventStore, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import type { HeldKey, KeyVault, KeyVaultUnavailable } from '../../../application/ports/key-vault.js';
import { storedVersions } from '../../../domain/event-catalogue.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import type { Position, Subject } from '../../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { isSealed, joinedKey } from './sealed-data.js';

type Answer<A> = Promise<E.Either<StoreUnavailable, A>>;

type Sealing<A> = Promise<E.Either<StoreUnavailable | MediumErased, A>>;

/** Each subject has had one key so far. A second key of a subject would have another suffix. */
const suffix = ':1';
const keyName = (subject: string): string => `${subject}${suffix}`;
const separator = '+';

/** The name of the key that seals data about these subjects. */
export const nameOf = (subjects: ReadonlyArray<Subject>): string => subjects.map(keyName).join(separator);

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

/** A cache of keys by name. Those of several subjects are derived. */
const keyCache = () => {
  const keys = new LRUCache<string, Uint8Array>({ max: maxCachedKeys });
  const forgotten = new Set<string>();
  return {
    get: (name: string): Uint8Array | undefined => {
      const known = keys.get(name);
      if (known !== undefined || !name.includes(separator)) return known;
      const parts = name.split(separator).map((part) => keys.get(part));
      if (!parts.every((key) => key !== undefined)) return undefined;
      const key = joinedKey(parts);
      keys.set(name, key);
      return key;
    },
    keep: (subject: string, key: Uint8Array): Uint8Array => {
      if (!forgotten.has(subject)) keys.set(keyName(subject), key);
      return key;
    },
    isForgotten: (subject: string): boolean => forgotten.has(subject),
    forget: (subject: string): void => {
      forgotten.add(subject);
      for (const name of keys.keys()) if (subjectsIn(name).includes(subject)) keys.delete(name);
    },
  };
};

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
export const subjectKeys = (
  vault: KeyVault,
  store: Pick<EventStore, 'read' | 'readAll'>,
  onMissingKey: (subject: string) => void = constVoid,
) => {
  const cache = keyCache();
  const erasureOf = erasureFinder(store);
  const held = async (subject: string): Answer<HeldKey | null> =>
    E.mapLeft(vaultUnavailable)(await vault.find(keyName(subject))());
  /** Null if there never was a key; 'erased' if it was destroyed without an erasure in this log. */
  const find = async (subject: string): Answer<HeldKey | MediumErased | null> => {
    const cached = cache.get(keyName(subject));
    if (cached !== undefined) return E.right(cached);
    const found = await held(subject);
    if (E.isLeft(found)) return found;
    if (found.right instanceof Uint8Array) return E.right(cache.keep(subject, found.right));
    return E.map((erasure: MediumErased | null) => erasure ?? found.right)(await erasureOf(subject));
  };
  /** Refuses if something was sealed for the subject before: otherwise a lost key would be replaced silently. */
  const create = async (subject: string): Answer<Uint8Array> => {
    const first = await store.read(subject, -1, 1)();
    if (E.isLeft(first)) return first;
    if (first.right.some(({ data }) => isSealed(data))) return E.left(missing(subject));
    const made = await vault.make(keyName(subject))();
    if (E.isLeft(made)) return E.left(vaultUnavailable(made.left));
    return made.right === 'erased' ? E.left(missing(subject)) : E.right(cache.keep(subject, made.right));
  };
  const findOrCreate = async (subject: string): Sealing<Uint8Array> => {
    // Between an erasure and the end of the key, the vault still has it.
    const erasure = cache.isForgotten(subject) ? await erasureOf(subject) : E.right(null);
    const found = E.isLeft(erasure) || erasure.right !== null ? erasure : await find(subject);
    if (E.isLeft(found)) return found;
    if (found.right === null) return create(subject);
    if (found.right === 'erased') return E.left(missing(subject));
    return found.right instanceof Uint8Array ? E.right(found.right) : E.left(found.right);
  };
  return {
    /** The key that seals data about these subjects; it is created for a subject about which nothing was sealed yet. */
    toSeal: async (subjects: ReadonlyArray<Subject>): Sealing<Uint8Array> => {
      const cached = cache.get(nameOf(subjects));
      if (cached !== undefined) return E.right(cached);
      const found: Uint8Array[] = [];
      for (const subject of subjects) {
        const key = await findOrCreate(subject);
        if (E.isLeft(key)) return key;
        found.push(key.right);
      }
      return E.right(joinedKey(found));
    },
    /** The key that opens data sealed under a name, or why there is none. */
    toOpen: async (name: string): Answer<Uint8Array | MediumErased | 'key_missing'> => {
      const cached = cache.get(name);
      if (cached !== undefined) return E.right(cached);
      const found: Uint8Array[] = [];
      let isMissing = false;
      for (const subject of subjectsIn(name)) {
        const key = await find(subject);
        if (E.isLeft(key)) return key;
        if (key.right === null) onMissingKey(subject);
        if (key.right === null || key.right === 'erased') isMissing = true;
        else if (key.right instanceof Uint8Array) found.push(key.right);
        else return E.right(key.right);
      }
      return E.right(isMissing ? 'key_missing' : joinedKey(found));
    },
    /** A digest of a text with the key of a subject; null: with the key of the service. */
    digest: async (subject: Subject | null, text: string): Sealing<string> =>
      E.map((key: Uint8Array) =>
        createHmac('sha256', joinedKey([key, digestLabel]))
          .update(text)
          .digest('hex'),
      )(await findOrCreate(subject ?? serviceKey)),
    isThere: async (subject: Subject): Answer<boolean> =>
      E.map((key: HeldKey | null) => key instanceof Uint8Array)(await held(subject)),
    /** Destroys the key of a subject for good. */
    erase: async (subject: Subject): Answer<void> => E.mapLeft(vaultUnavailable)(await vault.erase(keyName(subject))()),
    /** Drops the key of a subject from the cache and never caches it again. */
    forget: cache.forget,
  };
};

export type SubjectKeys = ReturnType<typeof subjectKeys>;
