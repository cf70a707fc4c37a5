import { createHmac } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { EventFilter, EventStore, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import type { HeldKey, KeyVault, KeyVaultUnavailable } from '../../../application/ports/key-vault.js';
import { storedVersions } from '../../../domain/event-catalogue.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import type { Position, Subject } from '../../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { SealedData, joinedKey } from './sealed-data.js';

type Answer<A> = Promise<E.Either<StoreUnavailable, A>>;

type KeyAnswer<A> = Promise<E.Either<StoreUnavailable | MediumErased, A>>;

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
      cache.clear();
    },
  };
};

export type SubjectKeys = ReturnType<typeof subjectKeys>;
