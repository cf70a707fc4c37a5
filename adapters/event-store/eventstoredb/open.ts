import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { SharedWork } from '../../../application/ports/shared-work.js';
import type { Log } from '../../../application/ports/log.js';
import { untilClosed } from '../closing.js';
import { createSubscriptions } from '../subscriptions.js';
import type { Address } from './address.js';
import { createAppend } from './appender.js';
import { createCheckpoints } from './checkpoints.js';
import { openConnection } from './connection.js';
import { oneByOne } from './one-by-one.js';
import { readEvents } from './read-messages.js';
import { createReader } from './reader.js';
import { readLastRequest } from './requests.js';
import { createSharedWork } from './shared-work.js';
import { startSubscription } from './subscription.js';

export interface EventStoreDb {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly work: SharedWork;
  /** Ends the subscriptions, lets running handlers and waiting appends finish, and lets the connection go. */
  readonly close: () => Promise<void>;
}

/**
 * The event log in an EventStoreDB, which need not be there yet. The log is told once of each loss of the connection
 * and of each return. Throws when a certificate's file is missing.
 */
export const openEventStoreDb = (address: Address, log: Log): EventStoreDb => {
  const connection = openConnection({
    address,
    log,
    probe: (client, deadline) => readEvents(client, readLastRequest(), deadline),
  });
  const { append, drain } = oneByOne(createAppend(connection, address));
  const subscriptions = createSubscriptions((...call) => startSubscription(connection, ...call));
  const closable = untilClosed(
    { ...createReader(connection), append, subscribe: subscriptions.subscribe },
    createCheckpoints(connection, append),
    {
      first: subscriptions.closeAll,
      last: async () => {
        await drain();
        await connection.close();
      },
    },
  );
  return { ...closable, work: createSharedWork(connection) };
};
