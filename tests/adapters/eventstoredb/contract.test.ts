import { eventStoreContract, type OpenStore } from '../../support/contracts/event-store-contract.js';
import { isLongForm } from '../../support/long-form.js';
import {
  openOverPlainServer,
  openOverRealServer,
  openOverTlsServer,
} from '../../support/event-store/temporary-eventstoredb.js';

const { EVENTSTORE_URL: realServer } = process.env;

const stores: Readonly<Record<string, OpenStore>> = {
  // The short form tests TLS with one of the versions (`contract-versions.slow.test.ts`).
  ...(isLongForm
    ? { 'over the protocol server': openOverPlainServer, 'over the protocol server with TLS': openOverTlsServer }
    : {}),
  ...(realServer === undefined ? {} : { 'over EVENTSTORE_URL': openOverRealServer(realServer) }),
};

Object.entries(stores).forEach(([name, open]) =>
  describe(`event store: EventStoreDB adapter ${name}`, () => eventStoreContract(open)),
);
