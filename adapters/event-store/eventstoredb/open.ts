import * as E from 'fp-ts/lib/Either.js';
import { doneUpTo } from '../../../application/processes/done-up-to.js';
import { keyedQueue } from '../../../application/keyed-queue.js';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { SharedWork } from '../../../application/ports/shared-work.js';
import type { Log } from '../../../application/ports/log.js';
import { closable, trackSubscriptions } from './store-lifecycle.js';
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
    /** Why the server is unavailable and what to do about it; null while it is available. */
    readonly trouble: () => string | null;
    /** A known fault of the server's version; null if none is known. */
    readonly warning: () => string | null;
  };
  /**
   * Resolves once the server answers, or is unavailable for a reason that may be temporary. Rejects within ten seconds,
   * with a description, when the connection string has to be changed.
   */
  readonly checked: () => Promise<void>;
  /** Whether the server is a protocol endpoint of this service, which decrypts what it sends; false while it is away. */
  readonly decrypts: () => Promise<boolean>;
  /** Ends the subscriptions, lets running handlers and pending appends finish, and closes the connection. */
  readonly close: () => Promise<void>;
}

const probe = (client: Client, deadline: number) => readEvents(client, readLastRequest(), deadline, toStoredEvent);

/**
 * The event log in an EventStoreDB, which need not be available yet. Each loss and recovery of the connection is logged
 * once. Throws when a certificate file is missing.
 */
export const openEventStoreDb = (address: Address, log: Log): EventStoreDb => {
  const connection = openConnection({ address, log, probe, onReturn: () => void version.learn() });
  const version = createVersionCheck(connection, log);
  void version.learn();
  // The server may process concurrent appends in any order, and then refuse those that depend on others.
  const queue = keyedQueue();
  const plain = createAppend(connection, address);
  const append: EventStore['append'] = (stream, expected, events) => queue.run(stream, plain(stream, expected, events));
  const subscriptions = trackSubscriptions((...call) => startSubscription(connection, ...call));
  const opened = closable(
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
    ...opened,
    work: createSharedWork(connection, (name) => doneUpTo(opened.checkpoints, name)),
    health: { trouble: () => connection.trouble()?.words ?? null, warning: version.warning },
    checked: () => checkConfiguration(connection, address, probe),
    decrypts: async () => {
      const answer = await connection.call((client, deadline) => client.features(deadline));
      return E.isRight(answer) && answer.right.decrypts;
    },
  };
};
