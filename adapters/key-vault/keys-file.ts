import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { keyLength } from '../../application/ports/key-vault.js';
import { inTransaction, query } from '../runtime/sqlite.js';

/*
 * The file of the embedded vault. It has no write-ahead log, so that no copy of a wrapped key remains in the folder and
 * a copy of the file alone is complete. Rows are only appended, and a destroyed key is replaced by a value of the same
 * length, so that SQLite overwrites it in place and never moves it: moving rows between pages leaves copies, whatever
 * `secure_delete` says.
 */

const [nonceLength, tagLength] = [12, 16];
/** The length of a wrapped key. */
const wrappedLength = nonceLength + keyLength + tagLength;

/**
 * Salt lengths for generated secrets, which cannot be guessed, and for chosen ones, whose key derivation is made slow.
 */
const saltLengths = { made: 32, chosen: 16 };

/** Whether a secret has the form of a generated one: 32 bytes in base64. */
const isMade = (secret: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(secret);

const saltFor = (secret: string): Buffer => randomBytes(isMade(secret) ? saltLengths.made : saltLengths.chosen);

/** Derives the wrapping key from a secret; the length of the salt tells which derivation to use. */
export const wrappingKey = (secret: string, salt: Uint8Array): Buffer =>
  salt.length === saltLengths.made
    ? Buffer.from(hkdfSync('sha256', secret, salt, 'media-analysis key vault', 32))
    : scryptSync(secret, salt, 32, { N: 16_384, r: 8, p: 1 });

/** Encrypts bytes, bound to the name under which they are stored. */
export const wrap = (key: Uint8Array, name: string, bytes: Uint8Array): Buffer => {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
};

/** Null when the bytes were not encrypted with this key under this name, or were changed. */
export const unwrap = (key: Uint8Array, name: string, wrapped: Uint8Array): Buffer | null => {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, nonceLength))
      .setAAD(Buffer.from(name))
      .setAuthTag(wrapped.subarray(-tagLength));
    return Buffer.concat([cipher.update(wrapped.subarray(nonceLength, -tagLength)), cipher.final()]);
  } catch {
    return null;
  }
};

const minCharacters = 16;

export const keysFileIn = (folder: string): string => join(folder, 'keys.db');
export const secretFileIn = (folder: string): string => join(folder, 'keys.secret');
/** The file of a new secret until the keys are wrapped with it. */
export const nextSecretFileIn = (folder: string): string => join(folder, 'keys.secret.next');

/** Generates a secret into a file that only its owner can read; it is durable before it is used. */
export const makeSecretFile = (file: string): string => {
  const secret = randomBytes(32).toString('base64');
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return secret;
};

/**
 * The secret that a folder's keys are wrapped with: the given one, else that of its file, which is created together
 * with the keys.
 */
export const secretOf = (folder: string, given: string | null): string => {
  if (given !== null) return given;
  const file = secretFileIn(folder);
  if (existsSync(file)) {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length < minCharacters) throw new Error(`${file} does not contain a secret`);
    return secret;
  }
  if (existsSync(keysFileIn(folder)))
    throw new Error(`${keysFileIn(folder)} cannot be opened: restore ${file}, or set KEY_VAULT_SECRET`);
  return makeSecretFile(file);
};

const applicationId = 0x4d454b56;
const checked = 'media-analysis key vault';

const settings = [
  'PRAGMA busy_timeout = 5000',
  'PRAGMA secure_delete = ON',
  'PRAGMA journal_mode = DELETE',
  'PRAGMA synchronous = FULL',
];

const tables = [
  `CREATE TABLE IF NOT EXISTS keys (
     number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, wrapped BLOB NOT NULL, is_erased INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
  `CREATE TABLE IF NOT EXISTS wrapping (
     id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, salt BLOB NOT NULL, proof BLOB NOT NULL
   ) STRICT`,
  `PRAGMA application_id = ${applicationId}`,
];

interface Wrapping {
  readonly generation: number;
  readonly salt: Uint8Array;
  readonly proof: Uint8Array;
}

const readWrapping = (db: Database.Database): Wrapping | null => {
  const [generation, salt, proof] = query(db, 'SELECT generation, salt, proof FROM wrapping').first();
  return typeof generation === 'number' && Buffer.isBuffer(salt) && Buffer.isBuffer(proof)
    ? { generation, salt, proof }
    : null;
};

const writeWrapping = (db: Database.Database, secret: string, generation: number): Buffer => {
  const salt = saltFor(secret);
  const key = wrappingKey(secret, salt);
  const proof = wrap(key, 'proof', Buffer.from(checked));
  db.prepare('INSERT OR REPLACE INTO wrapping (id, generation, salt, proof) VALUES (1, ?, ?, ?)').run(
    generation,
    salt,
    proof,
  );
  return key;
};

/** Opens the file; creates it when it is missing. Throws on a file of another kind. */
export const openKeysFile = (file: string): Database.Database => {
  const db = new Database(file);
  try {
    settings.forEach((setting) => db.exec(setting));
    const [parts] = query(db, 'SELECT count(*) FROM sqlite_master').first();
    const [id] = query(db, 'PRAGMA application_id').first();
    if (parts !== 0 && id !== applicationId) throw new Error('it is not a file of keys');
    const [columns] = query(db, "SELECT count(*) FROM pragma_table_info('keys')").first();
    if (columns === 2) throw new Error('it was written by an earlier version of this service, which alone can read it');
    inTransaction(db, () => tables.forEach((statement) => db.exec(statement)));
    return db;
  } catch (cause) {
    db.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot open the keys ${file}: ${reason}`, { cause });
  }
};

/** The wrapping key of a file, created when it is first opened; throws when the secret is another one. */
export const unlock = (
  db: Database.Database,
  secret: string,
): { readonly key: Buffer; readonly generation: number } => {
  const found = readWrapping(db);
  if (found === null) return { key: writeWrapping(db, secret, 1), generation: 1 };
  const key = wrappingKey(secret, found.salt);
  if (unwrap(key, 'proof', found.proof)?.toString() === checked) return { key, generation: found.generation };
  throw new Error('the keys were wrapped with another secret: restore keys.secret, or set KEY_VAULT_SECRET');
};

/** How often the file was rewrapped. */
export const generationOf = (db: Database.Database): number => readWrapping(db)?.generation ?? 0;

/** Destroys keys for good by name, including names that never had a key. */
export const destroyer = (db: Database.Database): ((name: string) => void) => {
  const statement = db.prepare(
    `INSERT INTO keys (name, wrapped, is_erased) VALUES (?, zeroblob(${wrappedLength}), 1)
     ON CONFLICT (name) DO UPDATE SET wrapped = zeroblob(length(wrapped)), is_erased = 1`,
  );
  return (name) => void statement.run(name);
};

/** Wraps every key with another secret. No other process may have the file open for writing. */
export const rewrap = (db: Database.Database, from: string, to: string): number => {
  const { key: old, generation } = unlock(db, from);
  const count = inTransaction(db, () => {
    const rows = query(db, 'SELECT name, wrapped FROM keys WHERE is_erased = 0').all();
    const key = writeWrapping(db, to, generation + 1);
    const update = db.prepare('UPDATE keys SET wrapped = ? WHERE name = ?');
    for (const [name, wrapped] of rows) {
      if (typeof name !== 'string' || !Buffer.isBuffer(wrapped)) continue;
      const plain = unwrap(old, name, wrapped);
      if (plain === null) throw new Error(`the key ${name} is damaged`);
      update.run(wrap(key, name, plain), name);
    }
    return rows.length;
  });
  db.exec('VACUUM');
  return count;
};
