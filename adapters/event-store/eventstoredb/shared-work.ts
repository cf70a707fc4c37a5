import { createHash } from 'node:crypto';
import { PersistentSubscriptionExistsError, eventTypeFilter, streamNameFilter } from '@eventstore/db-client';
import { persistentSubscriptionToAllSettingsFromDefaults as settingsOf } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { backoff } from '../../../application/backoff.js';
import type { EventFilter, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { SharedWork, TakingPart, WorkHandlers } from '../../../application/ports/shared-work.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { pause, withJitter } from '../../runtime/pause.js';
import type { Connection } from './connection.js';
import { passes, serverFilter } from './filter.js';
import { toCommit } from './position.js';
import { workOnce } from './work-once.js';

/** An event that an instance does not finish within this time is given to another, in milliseconds. */
const messageTimeoutMs = 60_000;
/** The server parks an event after this many attempts; no event must ever be parked. */
const maxRetries = 2_000_000_000;

const minPauseMs = 50;
const maxPauseMs = 5_000;

/** A group's filter cannot be changed, so another filter makes another group. */
const groupOf = (name: string, filter: EventFilter): string => {
  const parts = [[...(filter.types ?? ['*'])].sort(), [...(filter.categories ?? ['*'])].sort()];
  return `${name}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)}`;
};

/** The position up to which the process with this name has done everything; null if unknown. */
type DoneUpTo = (name: string) => TaskEither<StoreUnavailable, Position | null>;

/** Creates the group on the server, starting at a position, unless it exists. */
const ensureGroup = (connection: Connection, group: string, filter: EventFilter, start: Position | null) =>
  connection.call(async (client, deadline) => {
    const onServer = serverFilter(filter);
    if (onServer === null) return;
    const { on, regex } = onServer;
    const settings = settingsOf({
      startFrom: start === null ? 'start' : { commit: toCommit(start), prepare: toCommit(start) },
      messageTimeout: messageTimeoutMs,
      maxRetryCount: maxRetries,
      consumerStrategyName: 'RoundRobin',
    });
    const options = { filter: on === 'type' ? eventTypeFilter({ regex }) : streamNameFilter({ regex }), deadline };
    await client.createPersistentSubscriptionToAll(group, settings, options).catch((error: unknown) => {
      if (!(error instanceof PersistentSubscriptionExistsError)) throw error;
    });
  });

/** Takes part until closed; reconnects with a backoff. */
const takePart = (
  connection: Connection,
  doneUpTo: DoneUpTo,
  name: string,
  filter: EventFilter,
  concurrency: number,
  handlers: WorkHandlers,
): TakingPart => {
  const closing = new AbortController();
  const group = groupOf(name, filter);
  const pauses = backoff(minPauseMs, maxPauseMs);
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
      const done = await doneUpTo(name)();
      const there = E.isRight(done) && E.isRight(await ensureGroup(connection, group, filter, done.right));
      const over = there ? await workOnce(settings) : null;
      if (closing.signal.aborted) return;
      if (over !== null) return handlers.onFailure(over.failure);
      await pause(withJitter(pauses.next()), closing.signal);
      await connection.answering(maxPauseMs, closing.signal);
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

/**
 * Shares work through persistent subscriptions to the whole log, one group for each name and filter. A new group starts
 * where everything before is known to be done.
 */
export const createSharedWork = (connection: Connection, doneUpTo: DoneUpTo): SharedWork => ({
  takePart: (...part) => takePart(connection, doneUpTo, ...part),
});
