import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { backoff } from '../../../application/queue-and-backoff.js';
import type {
  EventFilter,
  StoredEvent,
  Subscription,
  SubscriptionHandlers,
} from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { TooLate, pause, withJitter } from '../../runtime/clock.js';
import type { Connection } from './connection.js';
import { callFailureOf, unavailable } from './errors.js';
import { noSystemEvents, passes, readAt, readLast, toStoredEvent } from './read.js';

/** The signal of a subscription's end, with the cause: an error of the client, or no confirmation in time. */
const endOf = (subscription: AllStreamSubscription, deadline_ms: number): AbortSignal => {
  const ended = new AbortController();
  const late = setTimeout(() => ended.abort(new TooLate(`no answer within ${deadline_ms} ms`)), deadline_ms).unref();
  subscription
    .once('confirmation', () => clearTimeout(late))
    .once('end', () => ended.abort(new Error('the server ended the subscription')))
    .on('error', (error) => ended.abort(error));
  return ended.signal;
};

/** How many messages the client keeps ahead of the handlers: parts of evidence have 200 kB each. */
const bufferedEvents = 64;

/** The events that were received after a position. */
const received = (subscription: AllStreamSubscription, after: Position | null): ReadonlyArray<StoredEvent> => {
  const next: () => AllStreamResolvedEvent | null = subscription.read.bind(subscription);
  const events: StoredEvent[] = [];
  for (let resolved = next(); resolved !== null; resolved = next())
    if (resolved.event !== undefined) events.push(toStoredEvent(resolved.event));
  return events.filter(({ position }) => after === null || position > after);
};

/** The last event that was received; of the one before the start of a subscription only the position is known. */
interface Place {
  readonly position: Position;
  readonly id: string | null;
}

/** Whether the log still has the event at a place. Another log, or an older copy of it, has another one there or none. */
const isThere = async (connection: Connection, place: Place | null) =>
  place === null
    ? E.right(true)
    : E.map((event: StoredEvent | null) => event !== null && (place.id === null || place.id === event.id))(
        await readAt(connection, place.position),
      );

const anotherLog = unavailable('the log does not hold what was read from it: it is another log, or an older one');

/**
 * Follows the log over one connection, until the connection or the subscription ends; rejects if it ends for good. The
 * server's checkpoints are not used: versions 24.2.0, 24.6.0 and 24.10.0 to 24.10.4 may send a first one beyond all
 * positions, 25.0.0 sends the place of the next event, and all versions send positions past the last event of this
 * service, which would no longer show where the log ends.
 */
const followOnce = async (
  connection: Connection,
  start: Place | null,
  onEvents: (events: ReadonlyArray<StoredEvent>, last: StoredEvent) => Promise<void>,
  onCaughtUp: () => void,
  closing: AbortSignal,
): Promise<void> => {
  const same = await isThere(connection, start);
  if (E.isLeft(same)) return;
  if (!same.right) throw anotherLog;
  const head = await readLast(connection);
  if (E.isLeft(head)) return;
  const client = connection.client();
  const commit = BigInt(start?.position ?? 0);
  const fromPosition = start === null ? 'start' : { commit, prepare: commit };
  const subscription = client.subscribeToAll(
    { fromPosition, filter: noSystemEvents },
    { highWaterMark: bufferedEvents },
  );
  const ended = endOf(subscription, connection.deadline);
  const stop = AbortSignal.any([closing, ended]);
  let after = start?.position ?? null;
  let isReported = false;
  try {
    while (!stop.aborted) {
      const events = received(subscription, after);
      const last = events.at(-1);
      if (last !== undefined) {
        isReported = false;
        after = last.position;
        await onEvents(events, last);
      } else if (!isReported && (after ?? '') >= (head.right?.position ?? '')) {
        isReported = true;
        onCaughtUp();
      } else await once(subscription, 'readable', { signal: stop }).catch(constVoid);
    }
    if (ended.aborted) connection.failed(callFailureOf(ended.reason), client);
  } finally {
    // Cancels it on the server, even if it is opened only later.
    subscription.unsubscribe().catch(constVoid);
  }
};

const pausesMs = { min: 50, max: 5_000 };

/**
 * Follows the log from a position. After a lost connection it continues after the last page handled, once the server
 * answers again. It ends by itself only when a handler rejects or the server holds another log.
 */
export const startSubscription = (
  connection: Connection,
  start: Position | null,
  filter: EventFilter,
  { onPage, onCaughtUp = constVoid, onFailure }: SubscriptionHandlers,
): Subscription & { readonly ended: Promise<void> } => {
  const closing = new AbortController();
  const pauses = backoff(pausesMs.min, pausesMs.max);
  const wanted = passes(filter);
  let place: Place | null = start === null ? null : { position: start, id: null };
  const onEvents = async (events: ReadonlyArray<StoredEvent>, last: StoredEvent): Promise<void> => {
    await onPage({ events: events.filter(wanted), examined: last.position });
    place = { position: last.position, id: last.id };
    pauses.reset();
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await followOnce(connection, place, onEvents, onCaughtUp, closing.signal);
      await pause(withJitter(pauses.next()), closing.signal);
      await connection.answering(pausesMs.max, closing.signal);
    }
  };
  const ended = sleep(0)
    .then(run)
    .catch((failure: unknown) => {
      if (!closing.signal.aborted) onFailure(failure);
    });
  return {
    ended,
    close: () => {
      closing.abort();
      return ended;
    },
  };
};
