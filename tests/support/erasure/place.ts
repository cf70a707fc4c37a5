import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { removeData } from '../engine.js';
import { startServerProcess } from '../event-store/eventstoredb-process.js';
import { startVaultServer } from '../vault/vault-server.js';

/** Where a service that is killed has its log and its keys. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Lets the keys be hard to get, or not, as chance has it. */
  readonly disturb: () => void;
  /** From now on they can be got. */
  readonly settle: () => void;
  /** Whether a key is destroyed soon, as far as can be seen from outside. */
  readonly isDestroyed: (name: string) => Promise<boolean>;
  readonly end: () => Promise<void>;
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'media-analysis-erasure-'));

/** The log and the keys in files of its data folder. */
export const embeddedPlace = async (): Promise<Place> => {
  const folder = await newFolder();
  return {
    folder,
    env: {},
    disturb: () => undefined,
    settle: () => undefined,
    isDestroyed: () => Promise.resolve(true),
    end: () => removeData(folder),
  };
};

const soon_ms = 3_000;
const moods = ['right', 'right', 'slow', 'silent', 'away', 'wrong', 'keeping'] as const;

/** An EventStoreDB as the log, in a process that is not killed, and a vault over HTTP. */
export const remotePlace = async (): Promise<Place> => {
  const folder = await newFolder();
  const server = await startServerProcess({ file: join(folder, 'events.db') });
  const vault = await startVaultServer('the-token');
  return {
    folder,
    env: { EVENT_STORE: server.url, KEY_VAULT_URL: vault.url, KEY_VAULT_TOKEN: 'the-token' },
    disturb: () => vault.become(moods[Math.floor(Math.random() * moods.length)] ?? 'right'),
    settle: () => vault.become('right'),
    isDestroyed: async (name) => {
      for (const asked = performance.now(); performance.now() < asked + soon_ms; await setTimeout(20))
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
