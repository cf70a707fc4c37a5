import type { ClientDuplexStream } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import type { WorkHandlers } from '../../../application/ports/shared-work.js';
import { tryInTime } from '../../runtime/deadline.js';
import { callFailureOf } from './call-failure.js';
import type { Client } from './client.js';
import type { Connection } from './connection.js';
import { acknowledgement, joinRequest } from './group-messages.js';
import { cancel } from './read-messages.js';
import type { ReadResponse } from './read-response.js';
import { toStoredEvent } from './stored-event.js';

export interface Work {
  readonly connection: Connection;
  readonly group: string;
  /** The maximum number of events handled at the same time. */
  readonly concurrency: number;
  readonly wanted: (event: StoredEvent) => boolean;
  readonly onEvent: WorkHandlers['onEvent'];
  /** Called for each event that is done. */
  readonly onDone: () => void;
  readonly closing: AbortSignal;
}

/** How many events are fetched ahead when they are handled one after the other. */
const ahead = 10;

/**
 * How long to wait for the last acknowledgements to be sent before the call ends, in milliseconds; unacknowledged
 * events are delivered again.
 */
const lastAcknowledgementMs = 1_000;

/** The call that delivers the events of a group and takes their acknowledgements. */
type Consuming = ClientDuplexStream<Buffer, ReadResponse>;

/** Resolves with the failure that ended the subscription, or null if it was closed. */
const endOf = (subscription: Consuming, closing: AbortSignal) => {
  let stop: (cause: unknown) => void = constVoid;
  const ended = new Promise<unknown>((resolve) => {
    stop = resolve;
  });
  const onAbort = (): void => stop(null);
  closing.addEventListener('abort', onAbort, { once: true });
  if (closing.aborted) onAbort();
  subscription.on('error', stop);
  subscription.on('end', () => stop(new Error('the server ended the subscription')));
  return { ended: ended.finally(() => closing.removeEventListener('abort', onAbort)), stop };
};

/** Acknowledges everything done in one turn of the event loop in one message. */
const acknowledging = (subscription: Consuming) => {
  let done: string[] = [];
  /** Resolves once it was sent, or can no longer be sent. */
  const flush = (): Promise<void> => {
    const now = done;
    done = [];
    return now.length === 0 || subscription.destroyed
      ? Promise.resolve()
      : new Promise((resolve) => void subscription.write(acknowledgement(now), () => resolve()));
  };
  return {
    add: (id: string): void => {
      done.push(id);
      if (done.length === 1) setImmediate(() => void flush());
    },
    flush,
  };
};

/** Null when the server cannot be reached, which is reported to the connection. */
const joined = async (connection: Connection, client: Client, request: Buffer): Promise<Consuming | null> => {
  const opened = await tryInTime(
    () => client.consume(),
    connection.deadline,
    (late) => void cancel(late),
  );
  if (E.isLeft(opened)) {
    connection.failed(callFailureOf(opened.left), client);
    return null;
  }
  opened.right.write(request);
  return opened.right;
};

/** Handles events until the connection ends or the signal is aborted (null), or a handler rejects. */
export const workOnce = async ({
  connection,
  group,
  concurrency,
  wanted,
  onEvent,
  onDone,
  closing,
}: Work): Promise<{ readonly failure: unknown } | null> => {
  const client = connection.client();
  const subscription = await joined(connection, client, joinRequest(group, concurrency === 1 ? ahead : concurrency));
  if (subscription === null) return null;
  const running = new Set<Promise<void>>();
  let broken: { readonly failure: unknown } | null = null;
  const handle = async (event: StoredEvent): Promise<void> => {
    if (broken !== null || closing.aborted) return;
    try {
      if (wanted(event)) await onEvent(event);
    } catch (failure) {
      broken ??= { failure };
      stop(null);
      return;
    }
    onDone();
    acks.add(event.id);
  };
  const { ended, stop } = endOf(subscription, closing);
  const acks = acknowledging(subscription);
  let last = Promise.resolve();
  subscription.on('data', ({ event }: ReadResponse) => {
    if (event === null) return;
    const stored = toStoredEvent(event);
    const work = (concurrency === 1 ? last.then(() => handle(stored)) : handle(stored)).finally(() =>
      running.delete(work),
    );
    last = work;
    running.add(work);
  });
  const cause = await ended;
  if (cause !== null) connection.failed(callFailureOf(cause), client);
  subscription.pause();
  await Promise.all(running);
  await tryInTime(acks.flush, lastAcknowledgementMs);
  void cancel(subscription);
  return broken;
};
