import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '../../../application/ports/event-store.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { removeData } from '../engine.js';
import { addressOf } from '../event-store/address-of.js';
import { startServerProcess } from '../event-store/eventstoredb-process.js';
import { silentLog } from '../event-store/silent-log.js';
import { type HttpClient, httpClient } from '../http-client.js';
import { adminKey, type ServiceProcess, startServiceProcess } from '../service-process.js';

/** Several processes of the service on one EventStoreDB, each with read models of its own. */
export interface Instances {
  readonly store: EventStore;
  readonly client: (instance: number) => HttpClient;
  readonly kill: (instance: number) => Promise<void>;
  readonly restart: (instance: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

export const startInstances = async (count: number, env: Readonly<Record<string, string>> = {}): Promise<Instances> => {
  const folder = await mkdtemp(join(tmpdir(), 'media-analysis-instances-'));
  const server = await startServerProcess({ file: join(folder, 'events.db') });
  const log = openEventStoreDb(addressOf(server.url), silentLog);
  const start = (instance: number): Promise<ServiceProcess> =>
    startServiceProcess(join(folder, `instance-${instance}`), {
      env: { EVENT_STORE: server.url, LOG_LEVEL: 'fatal', ...env },
    });
  const services = await Promise.all(Array.from({ length: count }, (_, instance) => start(instance)));
  const at = (instance: number): ServiceProcess => {
    const service = services[instance];
    if (service === undefined) throw new Error(`there is no instance ${instance}`);
    return service;
  };
  return {
    store: log.store,
    client: (instance) => httpClient(at(instance).url, adminKey),
    kill: (instance) => at(instance).kill(),
    restart: async (instance) => {
      services[instance] = await start(instance);
    },
    end: async () => {
      await Promise.all(services.map((service) => service.kill()));
      await log.close();
      await server.kill();
      await removeData(folder);
    },
  };
};
