import { eventStoreContract, type OpenStore } from '../support/contracts/event-store-contract.js';
import {
  openOverPlainServer,
  openOverRealServer,
  openOverTlsServer,
  openOverVersion,
} from '../support/event-store/temporary-eventstoredb.js';
import { openTemporarySqlite } from '../support/event-store/temporary-sqlite.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { versionNames } from '../support/event-store/versions.js';
import { withHashes } from '../support/event-store/with-hashes.js';

const { EVENTSTORE_URL: realServer } = process.env;

const stores: Readonly<Record<string, OpenStore>> = {
  sqlite: openTemporarySqlite,
  'sqlite with hashes': () => openTemporarySqlite().then((opened) => withHashes(opened, true)),
  'in memory with hashes, without guards': () =>
    openInMemory({ refusesKnownIds: true }).then((opened) => withHashes(opened, false)),
  'EventStoreDB adapter over the protocol server': openOverPlainServer,
  'EventStoreDB adapter over the protocol server with TLS': openOverTlsServer,
  ...Object.fromEntries(
    versionNames.map((version) => [`EventStoreDB adapter over the server as ${version}`, openOverVersion(version)]),
  ),
  ...(realServer === undefined ? {} : { 'EventStoreDB adapter over EVENTSTORE_URL': openOverRealServer(realServer) }),
};

Object.entries(stores).forEach(([name, open]) => describe(`event store: ${name}`, () => eventStoreContract(open)));
