import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { LRUCache } from 'lru-cache';
import { keyedQueue } from '../../../application/queue-and-backoff.js';
import type { Checkpoints, EventStore, StoredEvent, Subscription } from '../../../application/ports/event-store.js';
import type { Log } from '../../../application/ports/log.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { Address } from './address.js';
import { type LastHashes, createAppend, hashingAppend } from './append.js';
import { type Connection, closedStore, openConnection } from './connection.js';
import { describeFailure } from './diagnosis.js';
import { unavailable } from './errors.js';
import { createReader, probe, readEndOfStream } from './read.js';
import { startSubscription } from './subscribe.js';

const Saved = t.type({ position: t.string });

const streamOf = (process: string): string => `checkpoint-${process}`;

/**
 * Checkpoints as events in streams of their own. Their type begins like the server's system types, so that no reader of
 * the log sees them.
 */
const createCheckpoints = (connection: Connection, append: EventStore['append']): Checkpoints => {
  const last = async (process: string) =>
    E.map((event: StoredEvent | null) => ({
      position: Saved.is(event?.data) ? event.data.position : null,
      revision: event?.revision ?? ('no_stream' as const),
    }))(await readEndOfStream(connection, streamOf(process)));
  return {
    load: (process) => async () =>
      E.map(({ position }: { readonly position: Position | null }) => position)(await last(process)),
    save: (process, position) => async () => {
      const known = await last(process);
      if (E.isLeft(known)) return known;
      if ((known.right.position ?? '') >= position) return E.right(undefined);
      const event = { id: randomUUID(), type: '$checkpoint', data: { position }, metadata: {} };
      const saved = await append(streamOf(process), known.right.revision, [event])();
      // Another instance has just saved its checkpoint: what lies between the two may be handled again.
      if (E.isRight(saved) || saved.left._tag === 'RevisionConflict') return E.right(undefined);
      return E.left(unavailable('reason' in saved.left ? saved.left.reason : saved.left._tag));
    },
  };
};

export interface EventStoreDb {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  /** Why the server is unavailable and what to do about it; null while it is available. */
  readonly problem: () => string | null;
  /** A known fault of the server's version; null if none is known. */
  readonly warning: () => string | null;
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

/** The known fault of a version and what to do about it; null if none is known that matters here. */
const knownFault = (version: string): string | null => {
  if (/^(?:24\.2\.0|24\.6\.0|24\.10\.[0-4])(?:\D|$)/.test(version))
    return `EventStoreDB ${version} sends readers of a new log a position beyond its end; this service ignores it, other programs that read the log may miss every event: upgrade the server to 24.10.5 or later`;
  if (/^25\.0\.0(?:\D|$)/.test(version))
    return `KurrentDB ${version} sends readers of the log a position that is one event too far; this service ignores it, other programs that read the log may miss events: upgrade the server to 25.0.1 or later`;
  return null;
};

const checkCallMs = 500;
const checkPauseMs = 100;
/** How long a fault must last before it counts: a server that is starting may not know its users yet. */
const faultMs = 1_500;
/** How long to look for the cause of an outage before it is taken to be temporary. */
const searchMs = 2_500;

/** Throws a description of the problem if only another connection string can solve it. */
const checkConfiguration = async (connection: Connection, address: Address): Promise<void> => {
  const start = performance.now();
  let since = start;
  for (;;) {
    const answer = await connection.call(probe, checkCallMs);
    if (E.isRight(answer)) return;
    const error = describeFailure(answer.left, address) ?? connection.error();
    const now = performance.now();
    if (error === null || error.isTransient) since = now;
    if (error !== null && now - since >= faultMs) throw new Error(error.message);
    if (since === now && now - start >= searchMs) return;
    await sleep(checkPauseMs);
  }
};

const maxHashes = 10_000;

/**
 * The event log in an EventStoreDB, which need not be available yet. Each loss and recovery of the connection is logged
 * once. With `keepsHashes`, appended events keep the hashes in their metadata, as in a copy of a log.
 */
export const openEventStoreDb = (
  address: Address,
  log: Log,
  { keepsHashes = false }: { readonly keepsHashes?: boolean } = {},
): EventStoreDb => {
  const features = () => connection.call((client) => client.features());
  let warning: string | null = null;
  const learnVersion = async (): Promise<void> => {
    const answer = await features();
    const found = E.isRight(answer) ? knownFault(answer.right.version) : warning;
    if (found !== null && found !== warning) log.warn('the event store has a known fault', { reason: found });
    warning = found;
  };
  const hashes: LastHashes = new LRUCache({ max: maxHashes });
  const onReturn = (): void => {
    // The server may have been restored from a backup.
    hashes.clear();
    void learnVersion();
  };
  const connection = openConnection({ address, log, probe, onReturn });
  void learnVersion();
  const plain = createAppend(connection);
  const append = keepsHashes ? plain : hashingAppend(connection, plain, hashes);
  // The server may process concurrent appends in any order, and then refuse those that depend on others.
  const queue = keyedQueue();
  const subscriptions = new Set<Subscription>();
  const subscribe: EventStore['subscribe'] = (after, filter, handlers) => {
    if (ended !== null) {
      const refused = Promise.resolve().then(() => handlers.onFailure(closedStore));
      return { close: () => refused };
    }
    const subscription = startSubscription(connection, after, filter, handlers);
    subscriptions.add(subscription);
    void subscription.ended.finally(() => subscriptions.delete(subscription));
    return subscription;
  };
  let ended: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    await Promise.all([...subscriptions].map((subscription) => subscription.close()));
    await queue.idle();
    await connection.close();
  };
  return {
    store: {
      ...createReader(connection),
      append: (stream, expected, events) => queue.run(stream, append(stream, expected, events)),
      subscribe,
    },
    checkpoints: createCheckpoints(connection, plain),
    close: () => (ended ??= end()),
    problem: () => connection.error()?.message ?? null,
    warning: () => warning,
    checked: () => checkConfiguration(connection, address),
    decrypts: async () => {
      const answer = await features();
      return E.isRight(answer) && answer.right.decrypts;
    },
  };
};
