import { createHash } from 'node:crypto';
import { PersistentSubscriptionExistsError, eventTypeFilter, streamNameFilter } from '@eventstore/db-client';
import { persistentSubscriptionToAllSettingsFromDefaults as settingsOf } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import { backoff } from '../../../application/backoff.js';
import type { EventFilter } from '../../../application/ports/event-store.js';
import type { SharedWork, TakingPart, WorkHandlers } from '../../../application/ports/shared-work.js';
import { pause, withJitter } from '../../runtime/pause.js';
import type { Connection } from './connection.js';
import { passes, serverFilter } from './filter.js';
import { workOnce } from './work-once.js';

/** An event that an instance does not finish in so many milliseconds is given to another. */
const patience = 60_000;
/** The server would set an event aside after so many tries; an event is never to be set aside. */
const always = 2_000_000_000;

const shortestPause = 50;
const longestPause = 5_000;

/** A group's filter cannot be changed: another filter makes another group, which begins at the first event. */
const groupOf = (name: string, filter: EventFilter): string => {
  const parts = [[...(filter.types ?? ['*'])].sort(), [...(filter.categories ?? ['*'])].sort()];
  return `${name}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)}`;
};

/** Makes the group on the server unless it is there. */
const ensureGroup = (connection: Connection, group: string, filter: EventFilter) =>
  connection.call(async (client, deadline) => {
    const onServer = serverFilter(filter);
    if (onServer === null) return;
    const { on, regex } = onServer;
    const settings = settingsOf({
      startFrom: 'start',
      messageTimeout: patience,
      maxRetryCount: always,
      consumerStrategyName: 'RoundRobin',
    });
    const options = { filter: on === 'type' ? eventTypeFilter({ regex }) : streamNameFilter({ regex }), deadline };
    await client.createPersistentSubscriptionToAll(group, settings, options).catch((error: unknown) => {
      if (!(error instanceof PersistentSubscriptionExistsError)) throw error;
    });
  });

/** Takes part until closed; after a loss of the connection anew, after a pause that is longer each time. */
const takePart = (
  connection: Connection,
  name: string,
  filter: EventFilter,
  concurrency: number,
  handlers: WorkHandlers,
): TakingPart => {
  const closing = new AbortController();
  const group = groupOf(name, filter);
  const pauses = backoff(shortestPause, longestPause);
  const settings = {
    connection,
    group,
    concurrency,
    wanted: passes(filter),
    onEvent: handlers.onEvent,
    onDone: pauses.reset,
    closing: closing.signal,
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const over = E.isRight(await ensureGroup(connection, group, filter)) ? await workOnce(settings) : null;
      if (closing.signal.aborted) return;
      if (over !== null) return handlers.onFailure(over.failure);
      await pause(withJitter(pauses.next()), closing.signal);
      await connection.answering(longestPause, closing.signal);
    }
  };
  const ended = run();
  return {
    close: () => {
      closing.abort();
      return ended;
    },
  };
};

/** Work shared through persistent subscriptions to the whole log, one group for each name. */
export const createSharedWork = (connection: Connection): SharedWork => ({
  takePart: (name, filter, concurrency, handlers) => takePart(connection, name, filter, concurrency, handlers),
});
