import { takeInstanceLock } from '../instance/instance.js';
import type { Config } from '../config/config.js';
import { type VaultServer, serveVault } from '../key-vault/vault-server.js';
import { createFolder } from '../runtime/private-files.js';
import { openKeyVault } from './key-vault.js';

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
  try {
    const vault = openKeyVault({ data_dir, key_vault });
    try {
      const server = await serveVault(vault, { host, port, token: key_vault.token ?? '' });
      return {
        url: server.url,
        stop: async () => {
          await server.stop();
          vault.close();
          lock.release();
        },
      };
    } catch (error) {
      vault.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
};
