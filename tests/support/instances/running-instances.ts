import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EventStore } from '../../../application/ports/event-store.js';
import { sealedLog } from '../../../adapters/event-store/sealed/sealed-store.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { httpVault } from '../../../adapters/key-vault/http-vault.js';
import { shortLivedNodeOptions } from '../processes.js';
import { removeData } from '../engine.js';
import { addressOf } from '../event-store/eventstoredb-server.js';
import { type ServerProcess, startServerProcess } from '../event-store/eventstoredb-process.js';
import type { Version } from '../event-store/versions.js';
import { silentLog, temporaryFolder } from '../event-store/stores.js';
import { type HttpClient, httpClient } from '../http-client.js';
import { type VaultServer, startVaultServer } from '../vault/vault-server.js';
import { adminKey, type ServiceProcess, startServiceInProcess, startServiceProcess } from '../service-process.js';

/** Several instances of the service on one EventStoreDB, each with its own read models. */
export interface Instances {
  readonly store: EventStore;
  /** The folder with the files of the server and the instances. */
  readonly folder: string;
  /** The key vault of all instances. */
  readonly vault: VaultServer;
  readonly client: (instance: number) => HttpClient;
  readonly kill: (instance: number) => Promise<void>;
  readonly restart: (instance: number) => Promise<void>;
  /** Stops the process with SIGSTOP for this many milliseconds. */
  readonly freeze: (instance: number, milliseconds: number) => Promise<void>;
  readonly killServer: () => Promise<void>;
  readonly freezeServer: (milliseconds: number) => Promise<void>;
  /** Instances that ended by themselves, and read models that were rebuilt. */
  readonly faults: () => ReadonlyArray<string>;
  readonly end: () => Promise<void>;
}

interface Settings {
  readonly env?: Readonly<Record<string, string>>;
  readonly version?: Version | null;
  /** Options of node for all processes. The default suits short-lived processes. */
  readonly node?: ReadonlyArray<string>;
  /** The instances that need a separate process because they are killed or frozen; the others start ten times as fast. */
  readonly processes?: ReadonlyArray<number>;
}

type Instance = Pick<ServiceProcess, 'url' | 'kill' | 'hasEnded' | 'written'> & { readonly pid: number | null };

/** A start takes long while the other instances are under full load. */
const start_timeout_ms = 180_000;

const rebuilding = 'the read models are being rebuilt';
const firstTime = 'there were none';

/** Log lines of an instance that report a fault. Its first start may build the read models. */
const faultsOf = (instance: number, { written }: Instance): ReadonlyArray<string> =>
  written()
    .split('\n')
    .filter((line) => (line.includes(rebuilding) && !line.includes(firstTime)) || line.includes('"level":60'))
    .map((line) => `instance ${instance}: ${line.slice(0, 300)}`);

export const startInstances = async (
  count: number,
  { env = {}, node = shortLivedNodeOptions, processes, ...rest }: Settings = {},
): Promise<Instances> => {
  const { path: folder } = await temporaryFolder();
  const file = join(folder, 'events.db');
  const settings = { ...rest, node };
  let server: ServerProcess = await startServerProcess({ file, ...settings });
  const { url, port } = server;
  const vault = await startVaultServer();
  const log = openEventStoreDb(addressOf(url), silentLog);
  const start = async (instance: number): Promise<Instance> => {
    const data = join(folder, `instance-${instance}`);
    const settings = { EVENT_STORE: url, KEY_VAULT_URL: vault.url, ...env };
    if (processes?.includes(instance) ?? true)
      return startServiceProcess(data, {
        node,
        env: { LOG_LEVEL: 'info', ...settings },
        keepsOutput: true,
        patience_ms: start_timeout_ms,
      });
    const here = await startServiceInProcess(data, settings);
    return { url: here.url, kill: here.stop, hasEnded: () => false, written: () => '', pid: null };
  };
  const faults: string[] = [];
  const services = await Promise.all(Array.from({ length: count }, (_, instance) => start(instance)));
  const at = (instance: number): Instance => {
    const service = services[instance];
    if (service === undefined) throw new Error(`there is no instance ${instance}`);
    return service;
  };
  return {
    vault,
    folder,
    store: sealedLog(log.store, httpVault({ url: vault.url, token: null })).store,
    client: (instance) => httpClient(at(instance).url, adminKey),
    kill: async (instance) => {
      const service = at(instance);
      if (service.hasEnded()) faults.push(`instance ${instance} ended by itself: ${service.written().slice(-500)}`);
      else await service.kill();
      faults.push(...faultsOf(instance, service));
    },
    restart: async (instance) => {
      services[instance] = await start(instance);
    },
    freeze: async (instance, milliseconds) => {
      const { pid } = at(instance);
      if (pid === null) throw new Error(`instance ${instance} has no process of its own`);
      process.kill(pid, 'SIGSTOP');
      await setTimeout(milliseconds);
      process.kill(pid, 'SIGCONT');
    },
    killServer: async () => {
      await server.kill();
      server = await startServerProcess({ file, port, ...settings });
    },
    freezeServer: async (milliseconds) => {
      server.freeze();
      await setTimeout(milliseconds);
      server.thaw();
    },
    faults: () => faults,
    end: async () => {
      await Promise.all(services.map((service) => service.kill()));
      await log.close();
      await server.kill();
      await vault.close();
      await removeData(folder);
    },
  };
};
