import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  PersistentSubscriptionExistsError,
  type PersistentSubscriptionToAllResolvedEvent,
  persistentSubscriptionToAllSettingsFromDefaults as settingsOf,
} from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { EventFilter, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import type { SharedWork, WorkHandlers } from '../../../application/ports/shared-work.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { Connection } from './connection.js';
import { callFailureOf } from './errors.js';
import { passes, serverFilter, toCommit, toStoredEvent } from './read.js';
import { cancel, endOf, repeat } from './subscribe.js';

/** An event that an instance does not finish within this time is given to another, in milliseconds. */
const messageTimeoutMs = 60_000;
/** The server parks an event after this many attempts; no event must ever be parked. */
const maxRetries = 2_000_000_000;
/** How many events are fetched ahead when they are handled one after the other. */
const ahead = 10;
/** Time for the last acknowledgements to be sent before the call ends; other events are delivered again. */
const lastAcknowledgementMs = 50;

/** A group's filter cannot be changed, so another filter makes another group. */
const groupOf = (name: string, filter: EventFilter): string => {
  const parts = [[...(filter.types ?? ['*'])].sort(), [...(filter.categories ?? ['*'])].sort()];
  return `${name}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)}`;
};

/** Creates the group on the server, starting at a position, unless it exists. */
const ensureGroup = (connection: Connection, group: string, filter: EventFilter, start: Position | null) =>
  connection.call(async (client, deadline) => {
    const onServer = serverFilter(filter);
    if (onServer === null) return;
    const settings = settingsOf({
      startFrom: start === null ? 'start' : { commit: toCommit(start), prepare: toCommit(start) },
      messageTimeout: messageTimeoutMs,
      maxRetryCount: maxRetries,
      consumerStrategyName: 'RoundRobin',
    });
    await client
      .createPersistentSubscriptionToAll(group, settings, { filter: onServer, deadline })
      .catch((error: unknown) => {
        if (!(error instanceof PersistentSubscriptionExistsError)) throw error;
      });
  });

interface Work {
  readonly connection: Connection;
  readonly group: string;
  /** The maximum number of events handled at the same time. */
  readonly concurrency: number;
  readonly wanted: (event: StoredEvent) => boolean;
  readonly onEvent: WorkHandlers['onEvent'];
  readonly closing: AbortSignal;
}

/** Handles events until the connection ends or the signal is aborted (null), or a handler rejects. */
const workOnce = async (
  { connection, group, concurrency, wanted, onEvent, closing }: Work,
  onDone: () => void,
): Promise<{ readonly failure: unknown } | null> => {
  const client = connection.client();
  const bufferSize = concurrency === 1 ? ahead : concurrency;
  const subscription = client.subscribeToPersistentSubscriptionToAll(group, { bufferSize });
  const broken = new AbortController();
  let failed: { readonly failure: unknown } | null = null;
  let done: PersistentSubscriptionToAllResolvedEvent[] = [];
  /** Acknowledges everything done in one turn of the event loop in one message. */
  const acknowledge = (): void => {
    void subscription.ack(...done.splice(0)).catch(constVoid);
  };
  const handle = async (resolved: PersistentSubscriptionToAllResolvedEvent): Promise<void> => {
    if (resolved.event === undefined || failed !== null || closing.aborted) return;
    const event = toStoredEvent(resolved.event);
    try {
      if (wanted(event)) await onEvent(event);
    } catch (failure) {
      failed ??= { failure };
      return broken.abort();
    }
    onDone();
    if (done.push(resolved) === 1) setImmediate(acknowledge);
  };
  const running = new Set<Promise<void>>();
  let last = Promise.resolve();
  subscription.on('data', (resolved) => {
    const work = (concurrency === 1 ? last.then(() => handle(resolved)) : handle(resolved)).finally(() =>
      running.delete(work),
    );
    last = work;
    running.add(work);
  });
  const cause = await endOf(subscription, connection.deadline, AbortSignal.any([closing, broken.signal]));
  if (cause !== null) connection.failed(callFailureOf(cause), client);
  subscription.pause();
  await Promise.all(running);
  if (cause === null) await sleep(lastAcknowledgementMs);
  cancel(subscription);
  return failed;
};

/**
 * Shares work through persistent subscriptions to the whole log, one group for each name and filter. A new group starts
 * at the position up to which the process with its name is known to have done everything (`doneUpTo`).
 */
export const createSharedWork = (
  connection: Connection,
  doneUpTo: (name: string) => TaskEither<StoreUnavailable, Position | null>,
): SharedWork => ({
  takePart: (name, filter, concurrency, { onEvent, onFailure }) => {
    const closing = new AbortController();
    const group = groupOf(name, filter);
    const work = { connection, group, concurrency, wanted: passes(filter), onEvent, closing: closing.signal };
    const once = async (resetPauses: () => void) => {
      const start = await doneUpTo(name)();
      const exists = E.isRight(start) && E.isRight(await ensureGroup(connection, group, filter, start.right));
      return exists ? workOnce(work, resetPauses) : null;
    };
    const ended = repeat(connection, closing.signal, once, onFailure);
    return {
      close: () => {
        closing.abort();
        return ended;
      },
    };
  },
});
