import type {
  AllStreamRecordedEvent,
  AllStreamResolvedEvent,
  PersistentSubscriptionToAll,
} from '@eventstore/db-client';
import { constVoid } from 'fp-ts/lib/function.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import type { WorkHandlers } from '../../../application/ports/shared-work.js';
import { callFailureOf } from './call-failure.js';
import type { Connection } from './connection.js';
import { toPosition } from './position.js';
import { jsonOrNull } from './stored-event.js';

export interface Work {
  readonly connection: Connection;
  readonly group: string;
  /** At most so many events at the same time. */
  readonly concurrency: number;
  readonly wanted: (event: StoredEvent) => boolean;
  readonly onEvent: WorkHandlers['onEvent'];
  /** Told of each event that is done. */
  readonly onDone: () => void;
  readonly closing: AbortSignal;
}

const toStored = ({ streamId, id, revision, type, data, metadata, position }: AllStreamRecordedEvent): StoredEvent => ({
  position: toPosition(position.commit),
  stream: streamId,
  revision: Number(revision),
  id,
  type,
  data: jsonOrNull(data),
  metadata: jsonOrNull(metadata),
});

/** Where events are worked on one after the other, so many are at hand. */
const ahead = 10;

/** Resolves with the failure that ended the subscription, or null when it was to end. */
const endOf = (subscription: PersistentSubscriptionToAll, closing: AbortSignal) => {
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

/** Acknowledges in one message what was done in one turn. */
const acknowledging = (subscription: PersistentSubscriptionToAll, onFailure: (cause: unknown) => void) => {
  let done: AllStreamResolvedEvent[] = [];
  const flush = async (): Promise<void> => {
    const now = done;
    done = [];
    if (now.length > 0) await subscription.ack(...now).catch(onFailure);
  };
  return {
    add: (resolved: AllStreamResolvedEvent): void => {
      done.push(resolved);
      if (done.length === 1) setImmediate(() => void flush());
    },
    flush,
  };
};

/** Works on events until the connection ends (null), the signal is aborted (null), or a handler rejects. */
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
  const subscription: PersistentSubscriptionToAll = client.subscribeToPersistentSubscriptionToAll(group, {
    bufferSize: concurrency === 1 ? ahead : concurrency,
  });
  const running = new Set<Promise<void>>();
  let broken: { readonly failure: unknown } | null = null;
  const handle = async (resolved: AllStreamResolvedEvent): Promise<void> => {
    if (broken !== null || closing.aborted) return;
    try {
      const event = resolved.event === undefined ? null : toStored(resolved.event);
      if (event !== null && wanted(event)) await onEvent(event);
    } catch (failure) {
      broken ??= { failure };
      stop(null);
      return;
    }
    onDone();
    acks.add(resolved);
  };
  const { ended, stop } = endOf(subscription, closing);
  const acks = acknowledging(subscription, (cause) => stop(cause));
  let last = Promise.resolve();
  subscription.on('data', (resolved: AllStreamResolvedEvent) => {
    const work = (concurrency === 1 ? last.then(() => handle(resolved)) : handle(resolved)).finally(() =>
      running.delete(work),
    );
    last = work;
    running.add(work);
  });
  const cause = await ended;
  if (cause !== null) connection.failed(callFailureOf(cause), client);
  subscription.pause();
  await Promise.all(running);
  await acks.flush();
  void subscription.unsubscribe().catch(constVoid);
  return broken;
};
