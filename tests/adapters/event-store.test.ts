import { eventStoreContract, type OpenStore } from '../support/contracts/event-store-contract.js';
import { openTemporarySqlite } from '../support/event-store/temporary-sqlite.js';

const stores: Readonly<Record<string, OpenStore>> = {
  sqlite: openTemporarySqlite,
  'sqlite, keeping hashes': () => openTemporarySqlite({ keepsHashes: true }),
};

Object.entries(stores).forEach(([name, open]) => describe(`event store: ${name}`, () => eventStoreContract(open)));
