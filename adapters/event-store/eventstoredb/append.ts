import { type AppendResult, jsonEvent } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type { LRUCache } from 'lru-cache';
import type {
  AppendFailure,
  Appended,
  EventStore,
  ExpectedRevision,
  NewEvent,
} from '../../../application/ports/event-store.js';
import { hashOf } from '../../../projections/audit/event-hash.js';
import { isRandom } from '../../runtime/ids.js';
import { hashedEvents } from '../new-events.js';
import type { Call, Connection } from './connection.js';
import { type CallFailure, unavailable } from './errors.js';
import { readEndOfStream, readRevision, toPosition } from './read.js';

const failureOf = (failure: CallFailure, stream: string, expected: ExpectedRevision): AppendFailure => {
  const { _tag, reason, actual } = failure;
  if (_tag === 'WrongRevision' && actual !== undefined) return { _tag: 'RevisionConflict', stream, expected, actual };
  return _tag === 'TooLarge' ? { _tag: 'AppendTooLarge', reason } : unavailable(reason);
};

const send =
  (stream: string, expected: ExpectedRevision, events: ReadonlyArray<NewEvent>): Call<AppendResult> =>
  (client, deadline) =>
    client.appendToStream(
      stream,
      events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata })),
      {
        expectedRevision: expected === 'no_stream' ? expected : BigInt(expected),
        requiresLeader: true,
        deadline,
      },
    );

/**
 * Appends within the deadline of the connection. An append whose outcome is unknown is sent again with the same ids at
 * the same revision, which is idempotent, until its outcome is known or the deadline has passed.
 */
export const createAppend =
  (connection: Connection): EventStore['append'] =>
  (stream, expected, events) =>
  async (): Promise<E.Either<AppendFailure, Appended>> => {
    if (events.length === 0) return E.left(unavailable('an append needs at least one event'));
    const answer = await connection.call(send(stream, expected, events));
    if (E.isLeft(answer)) return E.left(failureOf(answer.left, stream, expected));
    const { nextExpectedRevision, position } = answer.right;
    const revision = Number(nextExpectedRevision);
    if (position !== undefined) return E.right({ revision, position: toPosition(position.commit) });
    // The server does not always tell the position.
    const appended = await readRevision(connection, stream, revision);
    if (E.isLeft(appended)) return appended;
    return appended.right === null
      ? E.left(unavailable(`the event just appended to ${stream} cannot be read`))
      : E.right({ revision, position: appended.right.position });
  };

/** For each stream the hash of its last event, as far as this process knows it. */
export type LastHashes = LRUCache<string, { readonly revision: number; readonly hash: string }>;

/**
 * Adds to each event a hash of its content and of the preceding event. The preceding hash is read from the stream unless
 * this process wrote it: with an id of its own, because another instance may have appended an event with a derived id
 * first, and with other metadata. The server then answers both alike.
 */
export const hashingAppend = (
  connection: Connection,
  append: EventStore['append'],
  hashes: LastHashes,
): EventStore['append'] => {
  const previousHash = async (
    stream: string,
    expected: ExpectedRevision,
  ): Promise<E.Either<AppendFailure, string | null>> => {
    if (expected === 'no_stream') return E.right(null);
    const known = hashes.get(stream);
    if (known?.revision === expected) return E.right(known.hash);
    const previous = await readRevision(connection, stream, expected);
    if (E.isLeft(previous)) return previous;
    if (previous.right !== null) return E.right(hashOf(previous.right));
    const end = await readEndOfStream(connection, stream);
    if (E.isLeft(end)) return end;
    return E.left({ _tag: 'RevisionConflict', stream, expected, actual: end.right?.revision ?? 'no_stream' });
  };
  return (stream, expected, events) => async () => {
    const previous = await previousHash(stream, expected);
    if (E.isLeft(previous)) return previous;
    const hashed = hashedEvents({ stream, expected, events }, previous.right);
    const appended = await append(stream, expected, hashed)();
    const hash = hashed.at(-1)?.hash;
    if (E.isRight(appended) && hash !== undefined && events.every(({ id }) => isRandom(id)))
      hashes.set(stream, { revision: appended.right.revision, hash });
    return appended;
  };
};
