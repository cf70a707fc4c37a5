import { doneUpTo } from '../../../application/processes/done-up-to.js';
import { keyedQueue } from '../../../application/keyed-queue.js';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { SharedWork } from '../../../application/ports/shared-work.js';
import type { Log } from '../../../application/ports/log.js';
import { untilClosed, createSubscriptions } from '../store-lifecycle.js';
import type { Address } from './address.js';
import { createAppend } from './appender.js';
import { checkConfiguration } from './check-configuration.js';
import { createCheckpoints } from './checkpoints.js';
import type { Client } from './client.js';
import { openConnection } from './connection.js';
import { readEvents } from './read-messages.js';
import { toStoredEvent } from './stored-event.js';
import { createReader } from './reader.js';
import { readLastRequest } from './requests.js';
import { createSharedWork } from './shared-work.js';
import { createVersionCheck } from './server-version.js';
import { startSubscription } from './subscription.js';

export interface EventStoreDb {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly work: SharedWork;
  readonly health: {
    /** Why the server cannot be used, and what to do about it; null while it can. */
    readonly trouble: () => string | null;
    /** The fault that the server's version is known for; null when none is known. */
    readonly warning: () => string | null;
  };
  /**
   * Resolves once the server answers, or is found to be away for a reason that may pass. Rejects, in words, within ten
   * seconds when the connection string has to be changed before the server can be used.
   */
  readonly checked: () => Promise<void>;
  /** Ends the subscriptions, lets running handlers and waiting appends finish, and lets the connection go. */
  readonly close: () => Promise<void>;
}

const probe = (client: Client, deadline: number) => readEvents(client, readLastRequest(), deadline, toStoredEvent);

/**
 * The event log in an EventStoreDB, which need not be there yet. The log is told once of each loss of the connection
 * and of each return. Throws when a certificate's file is missing.
 */
export const openEventStoreDb = (address: Address, log: Log): EventStoreDb => {
  const connection = openConnection({ address, log, probe, onReturn: () => void version.learn() });
  const version = createVersionCheck(connection, log);
  void version.learn();
  // The server may take up what is sent at once in any order, and refuse what is based on another.
  const queue = keyedQueue();
  const plain = createAppend(connection, address);
  const append: EventStore['append'] = (stream, expected, events) => queue.run(stream, plain(stream, expected, events));
  const subscriptions = createSubscriptions((...call) => startSubscription(connection, ...call));
  const closable = untilClosed(
    { ...createReader(connection), append, subscribe: subscriptions.subscribe },
    createCheckpoints(connection, append),
    {
      first: subscriptions.closeAll,
      last: async () => {
        await queue.idle();
        await connection.close();
      },
    },
  );
  return {
    ...closable,
    work: createSharedWork(connection, (name) => doneUpTo(closable.checkpoints, name)),
    health: { trouble: () => connection.trouble()?.words ?? null, warning: version.warning },
    checked: () => checkConfiguration(connection, address, probe),
  };
};
