import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import type { OpenedStore } from '../contracts/event-store-contract.js';
import { addressOf } from './address-of.js';
import { type ServerSettings, type TestServer, credentials, startTestServer, tlsPair } from './eventstoredb-server.js';
import { silentLog } from './silent-log.js';
import type { Version } from './versions.js';

/** A long deadline: many test files run at the same time. */
const patience = 'defaultDeadline=60000';

const over = (server: TestServer): OpenedStore => {
  const opened = openEventStoreDb(addressOf(`${server.url}&${patience}`), silentLog);
  return {
    ...opened,
    reopen: async () => {
      await opened.close();
      return over(await server.restart());
    },
    close: async () => {
      await opened.close();
      await server.stop();
    },
  };
};

const overServer = (settings: ServerSettings) => async (): Promise<OpenedStore> =>
  over(await startTestServer(settings));

/** The adapter through the real client and the protocol server over a log of its own. */
export const openOverPlainServer = overServer({});

/** The same with a server that imitates a version of EventStoreDB. */
export const openOverVersion = (version: Version) => overServer({ version });

const withTls = { tls: tlsPair('valid'), credentials };

export const openOverTlsServer = overServer(withTls);

export const openOverVersionWithTls = (version: Version) => overServer({ version, ...withTls });

/** The adapter and a server that is already running. */
export const openOverRealServer = (url: string) => async (): Promise<OpenedStore> =>
  openEventStoreDb(addressOf(url), silentLog);
