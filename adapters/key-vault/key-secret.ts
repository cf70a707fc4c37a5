import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
