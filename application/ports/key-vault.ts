import type { Tagged } from '../../domain/kernel/decider.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import type { Subject } from '../../domain/kernel/recorded-event.js';
import type { StoreUnavailable } from './event-store.js';

/**
 * Registers a listener that is called when this instance learns that data was erased, by itself or by another instance.
 * What was read before must then not be kept in memory.
 */
export type OnErasure = (listener: () => void) => void;

/** The operations of use cases on the keys that encrypt personal data in the log. */
export interface PersonalKeys {
  /** Destroys the key of an erased subject, also if it was restored, and clears what was decrypted with it from caches. */
  readonly erase: (subject: Subject) => TaskEither<StoreUnavailable, void>;
  /** Whether the key of a subject exists. */
  readonly isThere: (subject: Subject) => TaskEither<StoreUnavailable, boolean>;
  /** Whether all personal data in the log is encrypted. */
  readonly isLogSealed: () => TaskEither<StoreUnavailable, boolean>;
  /**
   * A keyed digest, which cannot be computed or compared with others without the subject's key. Null: uses a key of the
   * service, for text that is not about a subject.
   */
  readonly digest: (subject: Subject | null, text: string) => TaskEither<StoreUnavailable | MediumErased, string>;
}

/** The vault does not answer, or gives an invalid answer. */
export type KeyVaultUnavailable = Tagged<'KeyVaultUnavailable', { reason: string }>;

/** The length of a key in bytes. */
export const keyLength = 32;

/** What a vault stores under a name: a key of 32 bytes, or a mark that it was destroyed. */
export type HeldKey = Uint8Array | 'erased';

/** Stores the keys that encrypt personal data. A name whose key was erased never gets a key again. */
export interface KeyVault {
  /** The key of this name; creates it if there is none. */
  readonly make: (name: string) => TaskEither<KeyVaultUnavailable, HeldKey>;
  /** Null if there never was one. */
  readonly find: (name: string) => TaskEither<KeyVaultUnavailable, HeldKey | null>;
  /** Destroys the key, if any, and prevents a new one of this name. */
  readonly erase: (name: string) => TaskEither<KeyVaultUnavailable, void>;
  /** Fails if the vault does not answer. */
  readonly check: () => TaskEither<KeyVaultUnavailable, void>;
  readonly close: () => void;
}
