import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const leastCharacters = 16;

export const keysFileIn = (folder: string): string => join(folder, 'keys.db');
export const secretFileIn = (folder: string): string => join(folder, 'keys.secret');
/** Where a new secret is until the keys are wrapped with it. */
export const nextSecretFileIn = (folder: string): string => join(folder, 'keys.secret.next');

/** A secret that nobody has to know, in a file that its owner alone can read; it is durable before it is used. */
export const makeSecretFile = (file: string): string => {
  const secret = randomBytes(32).toString('base64');
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return secret;
};

/** The secret that a folder's keys are wrapped with: the given one, else that of its file, which is made with the keys. */
export const secretOf = (folder: string, given: string | null): string => {
  if (given !== null) return given;
  const file = secretFileIn(folder);
  if (existsSync(file)) {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length < leastCharacters) throw new Error(`${file} holds no secret`);
    return secret;
  }
  if (existsSync(keysFileIn(folder)))
    throw new Error(`${keysFileIn(folder)} cannot be opened: restore ${file}, or set KEY_VAULT_SECRET`);
  return makeSecretFile(file);
};
