import { eventStoreContract } from '../contracts/event-store-contract.js';
import { openInMemory } from './in-memory.js';

describe('event store of the tests: in memory', () =>
  eventStoreContract(() => openInMemory({ refusesKnownIds: true })));
