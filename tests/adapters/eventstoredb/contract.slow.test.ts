import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { eventStoreContract } from '../../support/contracts/event-store-contract.js';
import {
  addressOf,
  type ServerSettings,
  type TestServer,
  credentials,
  startTestServer,
  tlsPair,
} from '../../support/event-store/eventstoredb-server.js';
import { silentLog, type OpenStore, type OpenedStore } from '../../support/event-store/stores.js';
import { versionNames } from '../../support/event-store/versions.js';
import { isLongForm } from '../../support/long-form.js';

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

const withTls = { tls: tlsPair('valid'), credentials };
const one = versionNames[Math.floor(Math.random() * versionNames.length)] ?? null;

/** The short form takes one version, chosen at random, with TLS; `npm run test:eventstoredb` takes all of them as well. */
const servers: Readonly<Record<string, ServerSettings>> = isLongForm
  ? {
      'over the protocol server': {},
      'over the protocol server with TLS': withTls,
      ...Object.fromEntries(versionNames.map((version) => [`over the server as ${version}`, { version }])),
    }
  : { [`over the server as ${one}`]: { version: one, ...withTls } };

const suite = (name: string, open: OpenStore): void =>
  void describe(`event store: EventStoreDB adapter ${name}`, () => eventStoreContract(open));

Object.entries(servers).forEach(([name, settings]) => suite(name, async () => over(await startTestServer(settings))));

const { EVENTSTORE_URL: realServer } = process.env;
if (realServer !== undefined)
  suite('over EVENTSTORE_URL', () => Promise.resolve(openEventStoreDb(addressOf(realServer), silentLog)));
