import type { Clock } from '../../application/ports/clock.js';
import type { RealtimeEngine } from '../../application/ports/realtime-engine.js';
import { type Config, defaults } from '../../adapters/config/config.js';
import { type RunningService, startService } from '../../adapters/composition/service.js';
import { type KeyRights, newKey, type HttpClient, httpClient } from './http-client.js';
import { eventStoreOf, removeData } from './engine.js';
import { temporaryFolder } from './event-store/stores.js';
import { addressOf } from './event-store/eventstoredb-server.js';

/** A real service on a real store of the chosen engine, in a folder of its own, and clients that speak HTTP to it. */
export interface World {
  readonly url: () => string;
  readonly dataDir: string;
  readonly config: Config;
  readonly adminKey: string;
  readonly admin: HttpClient;
  readonly anonymous: HttpClient;
  /** A client with a new key of an account, which is opened when it is not there. */
  readonly client: (account_id: string, rights?: KeyRights) => Promise<HttpClient>;
  /** Stops the service and starts it again on the same data, `meanwhile` in between. */
  readonly restart: (meanwhile?: () => Promise<void>) => Promise<void>;
  /** Stops the service and removes its data. */
  readonly end: () => Promise<void>;
}

const adminKey = 'admin-key-of-the-tests';

/** The embedded match worker is off unless a test wants it: most play the worker themselves. */
export const startWorld = async (
  overrides: Partial<Config> = {},
  engine?: RealtimeEngine,
  clock?: Clock,
): Promise<World> => {
  const { path: dataDir } = await temporaryFolder();
  const eventStore = await eventStoreOf(dataDir);
  const config: Config = {
    ...defaults,
    port: 0,
    data_dir: dataDir,
    event_store: eventStore === 'sqlite' ? eventStore : addressOf(eventStore),
    admin_api_key: adminKey,
    log_level: 'silent',
    match_worker: 'off',
    ...overrides,
  };
  const start = async (): Promise<RunningService> => {
    const started = await startService(config, { engine, clock });
    await started.firstAdminKey;
    return started;
  };
  let service = await start();
  const client = (key: string | null): HttpClient => {
    const now = () => httpClient(service.url, key);
    return {
      get: (...call) => now().get(...call),
      post: (...call) => now().post(...call),
      put: (...call) => now().put(...call),
      patch: (...call) => now().patch(...call),
      delete: (...call) => now().delete(...call),
      raw: (...call) => now().raw(...call),
    };
  };
  const admin = client(adminKey);
  return {
    url: () => service.url,
    dataDir,
    config,
    adminKey,
    admin,
    anonymous: client(null),
    client: async (account_id, rights) => client(await newKey(admin, account_id, rights)),
    restart: async (meanwhile = async () => undefined) => {
      await service.stop();
      await meanwhile();
      service = await start();
    },
    end: async () => {
      await service.stop();
      await removeData(dataDir);
    },
  };
};
