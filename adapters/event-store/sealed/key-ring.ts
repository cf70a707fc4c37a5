import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { AppendFailure, EventStore, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { HeldKey, KeyVault, KeyVaultUnavailable } from '../../../application/ports/key-vault.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import { type Subject, subjectOfStream } from '../../../domain/kernel/stream-name.js';
import { joinedKey } from './sealed-text.js';
import type { Erasures } from './erasures.js';

/** Keys by name; stored events contain the name of their key. */
export interface KeyRing {
  /** The key that seals data about these subjects, if it is cached; undefined when the vault has to be asked. */
  readonly cached: (name: string) => Uint8Array | undefined;
  /**
   * The key that seals data about these subjects. It is created if there is none and nothing was sealed for the subject
   * yet.
   */
  readonly sealingKey: (subjects: ReadonlyArray<Subject>) => Promise<E.Either<AppendFailure, Uint8Array>>;
  /** The key that opens data sealed under a name, or why there is none. */
  readonly openingKey: (name: string) => Promise<E.Either<StoreUnavailable, Uint8Array | MediumErased | 'key_missing'>>;
  /** The key of one subject for computing digests. */
  readonly digestKey: (subject: Subject | null) => Promise<E.Either<StoreUnavailable | MediumErased, Uint8Array>>;
  readonly isThere: (subject: Subject) => Promise<E.Either<StoreUnavailable, boolean>>;
  /** Destroys the keys of a subject for good. */
  readonly erase: (subject: Subject) => Promise<E.Either<StoreUnavailable, void>>;
  /** Drops the keys of a subject from the cache and never caches them again. */
  readonly forget: (subject: Subject) => void;
}

/** Each subject has had one key so far. A second key of a subject would have another suffix. */
const epoch = ':1';

const keyName = (subject: string): string => `${subject}${epoch}`;
const subjectOf = (name: string): string => name.slice(0, -epoch.length);

/** The name of the key that seals data about these subjects. */
export const nameOf = (subjects: ReadonlyArray<Subject>): string => subjects.map(keyName).join('+');

const isSubject = (text: string): text is Subject => subjectOfStream(text) === text;

/** The subjects of a key, from its name. */
export const subjectsOfKey = (name: string): ReadonlyArray<Subject> => name.split('+').map(subjectOf).filter(isSubject);

const maxCachedKeys = 10_000;

/** The key for data that is about no medium; no stream has this name. */
const serviceKey = 'service';

/** Digests use a key derived with this label. */
const digestLabel = Buffer.from('digests');

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

interface Needs {
  readonly vault: KeyVault;
  /** The log as it is stored. */
  readonly store: Pick<EventStore, 'read'>;
  readonly erasures: Erasures;
  /** Called when data cannot be opened because the key of this subject is missing. */
  readonly onMissingKey?: (subject: string) => void;
}

/** Caches the keys of events about several subjects, which are derived from the keys of these. */
const joinedKeys = (keyOf: (subject: string) => Uint8Array | undefined) => {
  const joined = new LRUCache<string, Uint8Array>({ max: maxCachedKeys });
  return {
    of: (name: string): Uint8Array | undefined => {
      const known = joined.peek(name);
      if (known !== undefined) return known;
      const held = name.split('+').map((one) => keyOf(subjectOf(one)));
      if (!held.every((key) => key !== undefined)) return undefined;
      const key = joinedKey(held);
      joined.set(name, key);
      return key;
    },
    clear: () => joined.clear(),
  };
};

/** Looks up keys in the cache and then in the vault. */
const keyLookup = ({ vault, store, erasures }: Needs) => {
  const keys = new LRUCache<string, Uint8Array>({ max: maxCachedKeys });
  const joined = joinedKeys((subject) => keys.get(subject));
  const erased = new Set<string>();
  const remember = (subject: string, key: Uint8Array): Uint8Array => {
    if (!erased.has(subject)) keys.set(subject, key);
    return key;
  };

  /**
   * A key may be created only if nothing was sealed for the subject before: otherwise a lost key would be replaced
   * silently.
   */
  const makeKey = async (subject: Subject | typeof serviceKey): Promise<E.Either<StoreUnavailable, HeldKey | null>> => {
    const first = await store.read(subject, -1, 1)();
    if (E.isLeft(first)) return first;
    const [event] = first.right;
    const wasSealed = typeof event?.data === 'object' && event.data !== null && 'sealed' in event.data;
    return wasSealed ? E.right(null) : E.mapLeft(vaultUnavailable)(await vault.make(keyName(subject))());
  };
  const find = async (subject: string): Promise<E.Either<StoreUnavailable, HeldKey | null>> =>
    E.mapLeft(vaultUnavailable)(await vault.find(`${subject}${epoch}`)());

  const keyOf = async (
    subject: Subject | typeof serviceKey,
  ): Promise<E.Either<StoreUnavailable | MediumErased, Uint8Array>> => {
    const known = keys.get(subject);
    if (known !== undefined) return E.right(known);
    if (erased.has(subject)) {
      const at = await erasures.at(subject);
      if (E.isLeft(at)) return at;
      if (at.right !== null) return E.left({ _tag: 'MediumErased', erased_at: at.right });
    }
    const found = await find(subject);
    if (E.isLeft(found)) return found;
    const held = found.right === null ? await makeKey(subject) : found;
    if (E.isLeft(held)) return held;
    if (held.right !== null && held.right !== 'erased') return E.right(remember(subject, held.right));
    const erased_at = await erasures.at(subject);
    if (E.isLeft(erased_at)) return erased_at;
    return E.left(erased_at.right === null ? missing(subject) : { _tag: 'MediumErased', erased_at: erased_at.right });
  };
  return {
    keys,
    cached: joined.of,
    find,
    remember,
    keyOf,
    forget: (subject: string): void => {
      erased.add(subject);
      keys.delete(subject);
      joined.clear();
    },
  };
};

/** Caches the keys of recently used subjects, but never those of erased ones. */
export const keyRing = (needs: Needs): KeyRing => {
  const { vault, erasures, onMissingKey = constVoid } = needs;
  const { keys, cached, find, remember, keyOf, forget } = keyLookup(needs);
  const openingKeyOf = async (
    subject: string,
  ): Promise<E.Either<StoreUnavailable, Uint8Array | MediumErased | 'key_missing'>> => {
    const known = keys.get(subject);
    if (known !== undefined) return E.right(known);
    const found = await find(subject);
    if (E.isLeft(found)) return found;
    if (found.right !== null && found.right !== 'erased') return E.right(remember(subject, found.right));
    const at = await erasures.at(subject);
    if (E.isLeft(at)) return at;
    if (at.right === null && found.right === null) onMissingKey(subject);
    return E.right(at.right === null ? 'key_missing' : { _tag: 'MediumErased', erased_at: at.right });
  };

  const isThere = async (subject: Subject): Promise<E.Either<StoreUnavailable, boolean>> =>
    E.map((held: HeldKey | null) => held !== null && held !== 'erased')(await find(subject));

  return {
    cached,
    sealingKey: async (subjects) => {
      const found: Uint8Array[] = [];
      for (const subject of subjects) {
        const key = await keyOf(subject);
        if (E.isLeft(key)) return key;
        found.push(key.right);
      }
      return E.right(joinedKey(found));
    },
    openingKey: async (name) => {
      const found: Uint8Array[] = [];
      let absent: 'key_missing' | null = null;
      for (const one of name.split('+')) {
        const key = await openingKeyOf(subjectOf(one));
        if (E.isLeft(key)) return key;
        if (key.right === 'key_missing') absent = key.right;
        else if ('_tag' in key.right) return E.right(key.right);
        else found.push(key.right);
      }
      return E.right(absent ?? joinedKey(found));
    },
    digestKey: async (subject) =>
      E.map((key: Uint8Array) => joinedKey([key, digestLabel]))(await keyOf(subject ?? serviceKey)),
    isThere,
    erase: async (subject) => E.mapLeft(vaultUnavailable)(await vault.erase(keyName(subject))()),
    forget,
  };
};
