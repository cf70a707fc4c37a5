import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type {
  EventFilter,
  Page,
  StoreUnavailable,
  StoredEvent,
  Subscription,
  SubscriptionHandlers,
} from '../../../application/ports/event-store.js';
import { backoff } from '../../../application/backoff.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { tryInTime } from '../../runtime/deadline.js';
import { pause, withJitter } from '../../runtime/pause.js';
import { callFailureOf } from './call-failure.js';
import type { Connection } from './connection.js';
import { liveMessages } from './live-messages.js';
import { pageBuffer } from './page-buffer.js';
import { toCommit } from './position.js';
import { cancel } from './read-messages.js';
import { holdsEvent, readEnd, readLast, unavailable } from './reader.js';
import { subscribeRequest } from './requests.js';

/** The subscription has ended for good; `failure` is passed to its handler. */
class Ended {
  readonly failure: unknown;
  constructor(failure: unknown) {
    this.failure = failure;
  }
}

const anotherLog: StoreUnavailable = {
  _tag: 'StoreUnavailable',
  reason: 'the log does not hold what was read from it: it is another log, or an older one',
};

const minPauseMs = 50;
const maxPauseMs = 5_000;

interface Following {
  readonly connection: Connection;
  readonly filter: EventFilter;
  readonly handlers: SubscriptionHandlers;
  readonly closing: AbortSignal;
  /** Called for each page that the handler has finished. */
  readonly handled: (page: Page) => void;
}

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
  if (last !== null) return holdsEvent(connection, last);
  if (after === null) return E.right(true);
  const end = await readEnd(connection);
  return E.isLeft(end) ? end : E.right((end.right?.position ?? '') >= after);
};

/** Follows the log over one connection, until the connection or the subscription ends. */
const followOnce = async (
  { connection, filter, handlers, closing, handled }: Following,
  place: Place,
): Promise<Ended | null> => {
  const { after } = place;
  const same = await isSameLog(connection, place);
  if (E.isLeft(same)) return null;
  if (!same.right) return new Ended(anotherLog);
  const head = await readLast(connection);
  if (E.isLeft(head)) return null;
  const client = connection.client();
  const opened = await tryInTime(
    () => client.read(subscribeRequest(after), { from_leader: false, deadline: null }),
    connection.deadline,
    (late) => void cancel(late),
  );
  if (E.isLeft(opened)) {
    connection.failed(callFailureOf(opened.left), client);
    return null;
  }
  const messages = liveMessages(opened.right, pageBuffer(after, filter), head.right?.position ?? null);
  const stop = (): void => messages.end(null);
  closing.addEventListener('abort', stop, { once: true });
  if (closing.aborted) stop();
  const confirmed = await tryInTime(() => messages.confirmed, connection.deadline);
  if (E.isLeft(confirmed)) messages.end(confirmed.left);
  try {
    for (;;) {
      const step = await messages.next();
      if (step._tag === 'Ended') {
        if (!closing.aborted) connection.failed(callFailureOf(step.cause), client);
        return null;
      }
      if (step._tag === 'CaughtUp') handlers.onCaughtUp?.();
      else {
        await handlers.onPage(step.page);
        handled(step.page);
      }
    }
  } catch (failure) {
    return new Ended(failure);
  } finally {
    closing.removeEventListener('abort', stop);
    void cancel(opened.right).catch(constVoid);
  }
};

/**
 * Follows the log from a position. After a lost connection it continues after the last page handled, once the server
 * answers again, with a backoff and jitter. It ends by itself only when a handler rejects or the server holds another
 * log.
 */
export const startSubscription = (
  connection: Connection,
  start: Position | null,
  filter: EventFilter,
  handlers: SubscriptionHandlers,
): Subscription => {
  const closing = new AbortController();
  let place: Place = { after: start, last: null };
  const pauses = backoff(minPauseMs, maxPauseMs);
  const following: Following = {
    connection,
    filter,
    handlers,
    closing: closing.signal,
    handled: ({ events, examined }) => {
      place = { after: examined ?? place.after, last: events.at(-1) ?? place.last };
      pauses.reset();
    },
  };
  const run = async (): Promise<void> => {
    await setTimeout(0);
    if (start !== null) toCommit(start);
    while (!closing.signal.aborted) {
      const outcome = await followOnce(following, place);
      if (closing.signal.aborted) return;
      if (outcome !== null) return handlers.onFailure(outcome.failure);
      await pause(withJitter(pauses.next()), closing.signal);
      await connection.answering(maxPauseMs, closing.signal);
    }
  };
  const ended = run().catch((error: unknown) => {
    if (!closing.signal.aborted) handlers.onFailure(unavailable(callFailureOf(error)));
  });
  return {
    close: () => {
      closing.abort();
      return ended;
    },
  };
};
