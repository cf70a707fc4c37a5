import { existsSync, renameSync, rmSync } from 'node:fs';
import type { Config } from '../config/config.js';
import { takeInstanceLock } from '../instance/instance.js';
import { keysFileIn, makeSecretFile, nextSecretFileIn, secretFileIn, secretOf } from '../key-vault/key-secret.js';
import { openKeysFile, rewrap } from '../key-vault/keys-file.js';

const rewrapAll = (data_dir: string, from: string, next: string | null): number => {
  const db = openKeysFile(keysFileIn(data_dir));
  try {
    if (next !== null) return rewrap(db, from, next);
    rmSync(nextSecretFileIn(data_dir), { force: true });
    const count = rewrap(db, from, makeSecretFile(nextSecretFileIn(data_dir)));
    renameSync(nextSecretFileIn(data_dir), secretFileIn(data_dir));
    return count;
  } finally {
    db.close();
  }
};

/** What is wrong with `KEY_VAULT_NEW_SECRET`. It may be missing only if the present secret is in the data folder. */
export const newSecretFaults = ({
  KEY_VAULT_SECRET: present = '',
  KEY_VAULT_NEW_SECRET: next = '',
}: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  next.length >= 16 || (next === '' && present === '')
    ? []
    : ['KEY_VAULT_NEW_SECRET must be a secret of 16 characters or more'];

/**
 * Wraps all keys of the embedded vault with another secret: `next`, or a new one that is stored in the data folder.
 * Returns the number of keys. Throws if there is no such vault, or if a service or a vault is running on the data folder: it would
 * continue with the old secret, with which it could make no more keys.
 */
export const rotateKeys = (
  { data_dir, key_vault }: Pick<Config, 'data_dir' | 'key_vault'>,
  next: string | null,
): number => {
  if (key_vault.url !== null) throw new Error('the keys are in the vault of KEY_VAULT_URL: rotate its own secret');
  if (!existsSync(keysFileIn(data_dir))) throw new Error(`there are no keys in ${data_dir}`);
  const lock = takeInstanceLock(data_dir);
  if (lock === null) throw new Error(`a service or a vault is running on ${data_dir}: stop it first`);
  try {
    return rewrapAll(data_dir, secretOf(data_dir, key_vault.secret), next);
  } finally {
    lock.release();
  }
};
