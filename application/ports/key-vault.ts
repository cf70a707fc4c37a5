import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** The vault does not answer, or gives an invalid answer. */
export interface KeyVaultUnavailable {
  readonly _tag: 'KeyVaultUnavailable';
  readonly reason: string;
}

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
