import { existsSync, readFileSync, renameSync } from 'node:fs';
import { constVoid } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import type { Config } from '../config/config.js';
import { embeddedVault } from '../key-vault/embedded-vault.js';
import { httpVault } from '../key-vault/http-vault.js';
import { keysFileIn, nextSecretFileIn, secretFileIn, secretOf } from '../key-vault/key-secret.js';

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
