import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { constVoid } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import type { Config } from '../config/config.js';
import { embeddedVault } from '../key-vault/embedded-vault.js';
import { httpVault } from '../key-vault/http-vault.js';
import { takeInstanceLock } from '../instance/instance.js';
import {
  keysFileIn,
  makeSecretFile,
  nextSecretFileIn,
  openKeysFile,
  rewrap,
  secretFileIn,
  secretOf,
} from '../key-vault/keys-file.js';
import { serveVault, type VaultServer } from '../key-vault/vault-server.js';
import { createFolder } from '../runtime/private-files.js';

/** An interrupted rotation left the secret under its temporary name. */
const finishRotation = (folder: string): KeyVault | null => {
  const next = nextSecretFileIn(folder);
  if (!existsSync(next)) return null;
  try {
    const vault = embeddedVault(keysFileIn(folder), readFileSync(next, 'utf8').trim());
    renameSync(next, secretFileIn(folder));
    return vault;
  } catch {
    return null;
  }
};

const opened = (folder: string, secret: string): KeyVault => {
  try {
    return finishRotation(folder) ?? embeddedVault(keysFileIn(folder), secret);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The keys in ${folder} cannot be used: ${reason}`, { cause });
  }
};

/** The configured vault. Throws if its file cannot be opened or was wrapped with another secret. */
export const openKeyVault = ({ data_dir, key_vault }: Pick<Config, 'data_dir' | 'key_vault'>): KeyVault => {
  const { url, token, secret } = key_vault;
  return url === null
    ? opened(data_dir, secretOf(data_dir, secret))
    : httpVault({ url: url.replace(/\/+$/, ''), token });
};

const noKeys: KeyVault = {
  make: () => TE.left({ _tag: 'KeyVaultUnavailable', reason: 'there are no keys beside the log' }),
  find: () => TE.right(null),
  erase: () => TE.left({ _tag: 'KeyVaultUnavailable', reason: 'there are no keys beside the log' }),
  check: () => TE.right(undefined),
  close: constVoid,
};

/** The vault for a log that is only read: no keys are created. */
export const openKeyVaultToRead = (folder: string, key_vault: Config['key_vault']): KeyVault =>
  key_vault.url !== null || existsSync(keysFileIn(folder)) ? openKeyVault({ data_dir: folder, key_vault }) : noKeys;

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

type VaultConfig = Pick<Config, 'host' | 'port' | 'data_dir' | 'key_vault'>;

/** What is wrong with the configuration of a vault that is served to the service's instances. */
export const vaultFaults = ({
  KEY_VAULT_URL = '',
  KEY_VAULT_TOKEN = '',
}: Readonly<Record<string, string | undefined>>) => [
  ...(KEY_VAULT_URL === '' ? [] : ['KEY_VAULT_URL must not be set for the vault itself']),
  ...(/^[\x21-\x7E]{16,}$/.test(KEY_VAULT_TOKEN)
    ? []
    : ['KEY_VAULT_TOKEN must be 16 or more printable ASCII characters without spaces']),
];

/**
 * Serves `keys.db` of the data folder over HTTP. Rejects if a service or another vault uses the folder, if the keys were
 * wrapped with another secret, or if the port is not available.
 */
export const startVault = async ({ host, port, data_dir, key_vault }: VaultConfig): Promise<VaultServer> => {
  createFolder(data_dir);
  const lock = takeInstanceLock(data_dir);
  if (lock === null) throw new Error(`a service or a vault is running on ${data_dir}`);
  const opened: Array<() => void | Promise<void>> = [lock.release];
  const stop = async (): Promise<void> => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    const vault = openKeyVault({ data_dir, key_vault });
    opened.push(vault.close);
    const server = await serveVault(vault, { host, port, token: key_vault.token ?? '' });
    opened.push(server.stop);
    return { url: server.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
