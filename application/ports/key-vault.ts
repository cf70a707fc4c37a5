import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** The vault does not answer, or not as it should: nothing is known of the key. */
export interface KeyVaultUnavailable {
  readonly _tag: 'KeyVaultUnavailable';
  readonly reason: string;
}

/** Bytes of a key. */
export const keyLength = 32;

/** What a vault holds under a name: a key of 32 bytes, or the note that it was destroyed. */
export type HeldKey = Uint8Array | 'erased';

/** Where the keys are by which personal data is sealed. A key that was erased is gone for good, also for its name. */
export interface KeyVault {
  /** The key of this name; it is made where there is none. */
  readonly make: (name: string) => TaskEither<KeyVaultUnavailable, HeldKey>;
  /** Null: there never was one. */
  readonly find: (name: string) => TaskEither<KeyVaultUnavailable, HeldKey | null>;
  /** Destroys the key, if there is one, and sees to it that none of this name is made any more. */
  readonly erase: (name: string) => TaskEither<KeyVaultUnavailable, void>;
  /** Whether it answers. */
  readonly check: () => TaskEither<KeyVaultUnavailable, void>;
  readonly close: () => void;
}
