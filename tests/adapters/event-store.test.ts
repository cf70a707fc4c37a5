import { eventStoreContract, type OpenStore } from '../support/contracts/event-store-contract.js';
import { openTemporarySqlite } from '../support/event-store/temporary-sqlite.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { withHashes } from '../support/event-store/with-hashes.js';

const stores: Readonly<Record<string, OpenStore>> = {
  sqlite: openTemporarySqlite,
  'sqlite with hashes': () => openTemporarySqlite().then((opened) => withHashes(opened, true)),
  'in memory with hashes, without guards': () =>
    openInMemory({ refusesKnownIds: true }).then((opened) => withHashes(opened, false)),
};

Object.entries(stores).forEach(([name, open]) => describe(`event store: ${name}`, () => eventStoreContract(open)));
