import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { removeData } from '../engine.js';
import { startServerProcess } from '../event-store/eventstoredb-process.js';
import { startVaultServer } from '../vault/vault-server.js';

/** The log and the keys of a service that is killed. */
export interface Storage {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes the key vault fail at random, or not. */
  readonly disturb: () => void;
  /** The key vault works again. */
  readonly stopDisturbing: () => void;
  /** Whether a key is destroyed soon, as far as can be seen from outside. */
  readonly isDestroyed: (name: string) => Promise<boolean>;
  readonly end: () => Promise<void>;
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'media-analysis-erasure-'));

/** The log and the keys in files of its data folder. */
export const embeddedStorage = async (): Promise<Storage> => {
  const folder = await newFolder();
  return {
    folder,
    env: {},
    disturb: () => undefined,
    stopDisturbing: () => undefined,
    isDestroyed: () => Promise.resolve(true),
    end: () => removeData(folder),
  };
};

const soon_ms = 3_000;
const modes = ['normal', 'normal', 'slow', 'silent', 'unreachable', 'wrong_key', 'keeps_keys'] as const;

/** An EventStoreDB as the log, in a process that is not killed, and a vault over HTTP. */
export const remoteStorage = async (): Promise<Storage> => {
  const folder = await newFolder();
  const server = await startServerProcess({ file: join(folder, 'events.db') });
  const vault = await startVaultServer('the-token');
  return {
    folder,
    env: { EVENT_STORE: server.url, KEY_VAULT_URL: vault.url, KEY_VAULT_TOKEN: 'the-token' },
    disturb: () => vault.setMode(modes[Math.floor(Math.random() * modes.length)] ?? 'normal'),
    stopDisturbing: () => vault.setMode('normal'),
    isDestroyed: async (name) => {
      for (const start = performance.now(); performance.now() < start + soon_ms; await setTimeout(20))
        if (vault.keys.get(name) === 'erased') return true;
      return false;
    },
    end: async () => {
      await server.kill();
      await vault.close();
      await removeData(folder);
    },
  };
};
