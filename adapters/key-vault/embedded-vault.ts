import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type HeldKey, type KeyVault, type KeyVaultUnavailable, keyLength } from '../../application/ports/key-vault.js';
import { inTransaction, query } from '../runtime/sqlite.js';
import { destroyer, generationOf, openKeysFile, unlock, unwrap, wrap } from './keys-file.js';

const unavailable = (cause: unknown): KeyVaultUnavailable => ({
  _tag: 'KeyVaultUnavailable',
  reason: `the keys cannot be read or written: ${cause instanceof Error ? cause.message : String(cause)}`,
});

type Made = ReadonlyMap<string, HeldKey>;

const attempt = <Result>(work: () => Result): E.Either<KeyVaultUnavailable, Result> => E.tryCatch(work, unavailable);

interface Wanted {
  readonly name: string;
  readonly answer: (held: E.Either<KeyVaultUnavailable, HeldKey>) => void;
}

/** Opens the file and derives its wrapping key; throws when the secret is another one. */
const openUnlocked = (file: string, secret: string) => {
  const db = openKeysFile(file);
  try {
    return { db, ...unlock(db, secret) };
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Collects the keys requested in one turn of the event loop and creates them in one transaction. */
const together = (makeAll: (names: ReadonlyArray<string>) => E.Either<KeyVaultUnavailable, Made>): KeyVault['make'] => {
  let waiting: Wanted[] = [];
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    const made = makeAll(group.map(({ name }) => name));
    for (const { name, answer } of group) answer(E.map((keys: Made) => keys.get(name) ?? 'erased')(made));
  };
  return (name) => () =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ name, answer: resolve });
    });
};

/** The vault in a file of its own. Throws when the file cannot be used, or was wrapped with another secret. */
export const embeddedVault = (file: string, secret: string): KeyVault => {
  const { db, key: wrapping, generation } = openUnlocked(file, secret);
  const find = query(db, 'SELECT wrapped, is_erased FROM keys WHERE name = ?');
  const insert = db.prepare('INSERT INTO keys (name, wrapped) VALUES (?, ?)');
  const destroy = destroyer(db);
  const refuseRotated = (): void => {
    if (generationOf(db) !== generation) throw new Error('they were wrapped with another secret: restart the service');
  };
  const held = (name: string): HeldKey | null => {
    const [wrapped, isErased] = find.first(name);
    if (wrapped === undefined) return null;
    if (!Buffer.isBuffer(wrapped) || isErased !== 0) return 'erased';
    const key = unwrap(wrapping, name, wrapped);
    if (key !== null) return key;
    refuseRotated();
    throw new Error(`the key ${name} is damaged`);
  };
  const makeOne = (name: string): HeldKey => {
    const found = held(name);
    if (found !== null) return found;
    const key = randomBytes(keyLength);
    insert.run(name, wrap(wrapping, name, key));
    return key;
  };
  return {
    make: together((names) =>
      attempt(() =>
        inTransaction(db, () => {
          refuseRotated();
          return new Map(names.map((name) => [name, makeOne(name)]));
        }),
      ),
    ),
    find: (name) => TE.fromIOEither(() => attempt(() => held(name))),
    erase: (name) => TE.fromIOEither(() => attempt(() => destroy(name))),
    check: () => TE.fromIOEither(() => attempt(refuseRotated)),
    close: () => db.close(),
  };
};
