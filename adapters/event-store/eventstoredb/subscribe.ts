import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { backoff } from '../../../application/waiting.js';
import type {
  EventFilter,
  Page,
  StoreUnavailable,
  StoredEvent,
  Subscription,
  SubscriptionHandlers,
} from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { TooLate, pause, withJitter } from '../../runtime/clock.js';
import type { Connection } from './connection.js';
import { callFailureOf } from './errors.js';
import { noSystemEvents, passes, readAt, readEnd, readLast, toCommit, toStoredEvent, unavailable } from './read.js';

/** The cause of a subscription's end: an error of the client, or no confirmation in time; null if it was aborted. */
const endOf = async (
  subscription: AllStreamSubscription,
  deadline_ms: number,
  closing: AbortSignal,
): Promise<unknown> => {
  const unconfirmed = new AbortController();
  const late = setTimeout(() => unconfirmed.abort(), deadline_ms);
  subscription.on('confirmation', () => clearTimeout(late)).on('error', constVoid);
  try {
    await once(subscription, 'end', { signal: AbortSignal.any([closing, unconfirmed.signal]) });
    return new Error('the server ended the subscription');
  } catch (error) {
    if (closing.aborted) return null;
    return unconfirmed.signal.aborted ? new TooLate(`no answer within ${deadline_ms} ms`) : error;
  } finally {
    clearTimeout(late);
  }
};

/** How many messages the client keeps ahead of the handlers: parts of evidence have 200 kB each. */
const bufferedEvents = 64;
const maxPageEvents = 1_000;

/** Everything that was received after a position; null if there is nothing. */
const takePage = (
  subscription: AllStreamSubscription,
  after: Position | null,
  wanted: (event: StoredEvent) => boolean,
): Page | null => {
  const next: () => AllStreamResolvedEvent | null = subscription.read.bind(subscription);
  const events: StoredEvent[] = [];
  let examined = after;
  for (let count = 0; count < maxPageEvents; count += 1) {
    const resolved = next();
    if (resolved === null) break;
    if (resolved.event === undefined) continue;
    const event = toStoredEvent(resolved.event);
    if (examined !== null && event.position <= examined) continue;
    examined = event.position;
    if (wanted(event)) events.push(event);
  }
  return examined === after ? null : { events, examined };
};

/** Where a subscription continues, and the last event it delivered; null if it has delivered none. */
interface Place {
  readonly after: Position | null;
  readonly last: Pick<StoredEvent, 'position' | 'id'> | null;
}

/**
 * Whether the log is the one that was read before. If an event was delivered, the log must contain it. Otherwise the
 * position must not be beyond the end of the log, including system events.
 */
const isSameLog = async (
  connection: Connection,
  { after, last }: Place,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  if (last !== null)
    return E.map((there: StoredEvent | null) => there?.id === last.id)(await readAt(connection, last.position));
  if (after === null) return E.right(true);
  const end = await readEnd(connection);
  return E.isLeft(end) ? end : E.right((end.right?.position ?? '') >= after);
};

const anotherLog: StoreUnavailable = {
  _tag: 'StoreUnavailable',
  reason: 'the log does not hold what was read from it: it is another log, or an older one',
};

/** The subscription has ended for good; `failure` is passed to its handler. */
interface Ended {
  readonly failure: unknown;
}

/**
 * Follows the log over one connection, until the connection or the subscription ends. The server's checkpoints are not
 * used: versions 24.2.0, 24.6.0 and 24.10.0 to 24.10.4 may send a first one beyond all positions, 25.0.0 sends the place
 * of the next event, and all versions send positions past the last event of this service, which would no longer show
 * where the log ends.
 */
const followOnce = async (
  connection: Connection,
  filter: EventFilter,
  handlers: SubscriptionHandlers,
  closing: AbortSignal,
  place: Place,
): Promise<Ended | null> => {
  const commit = place.after === null ? null : toCommit(place.after);
  const same = await isSameLog(connection, place);
  if (E.isLeft(same)) return null;
  if (!same.right) return { failure: anotherLog };
  const head = await readLast(connection);
  if (E.isLeft(head)) return null;
  const [client, wanted] = [connection.client(), passes(filter)];
  const fromPosition = commit === null ? 'start' : { commit, prepare: commit };
  const options = { fromPosition, filter: noSystemEvents } as const;
  const subscription = client.subscribeToAll(options, { highWaterMark: bufferedEvents });
  let [wake, isReported] = [constVoid, false];
  const ended = new AbortController();
  subscription.on('readable', () => wake());
  void endOf(subscription, connection.deadline, closing).then((cause) => {
    ended.abort();
    if (cause !== null) connection.failed(callFailureOf(cause), client);
    wake();
  });
  let { after } = place;
  try {
    while (!ended.signal.aborted && !closing.aborted) {
      const page = takePage(subscription, after, wanted);
      if (page !== null) {
        isReported = false;
        after = page.examined;
        await handlers.onPage(page);
      } else if (!isReported && (after ?? '') >= (head.right?.position ?? '')) {
        isReported = true;
        handlers.onCaughtUp?.();
      } else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    return null;
  } catch (failure) {
    return { failure };
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
  handlers: SubscriptionHandlers,
): Subscription & { readonly ended: Promise<void> } => {
  const closing = new AbortController();
  let place: Place = { after: start, last: null };
  const pauses = backoff(pausesMs.min, pausesMs.max);
  const onPage = async (page: Page): Promise<void> => {
    await handlers.onPage(page);
    place = { after: page.examined ?? place.after, last: page.events.at(-1) ?? place.last };
    pauses.reset();
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const following = followOnce(connection, filter, { ...handlers, onPage }, closing.signal, place);
      const outcome = await following.catch((error: unknown): Ended => ({
        failure: unavailable(callFailureOf(error)),
      }));
      if (closing.signal.aborted) return;
      if (outcome !== null) return handlers.onFailure(outcome.failure);
      await pause(withJitter(pauses.next()), closing.signal);
      await connection.answering(pausesMs.max, closing.signal);
    }
  };
  const ended = sleep(0).then(run);
  return {
    ended,
    close: () => {
      closing.abort();
      return ended;
    },
  };
};
