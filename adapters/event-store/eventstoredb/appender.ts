import { jsonEvent } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type {
  AppendFailure,
  Appended,
  EventStore,
  ExpectedRevision,
  NewEvent,
} from '../../../application/ports/event-store.js';
import type { Address } from './address.js';
import { type BatchRequest, batchRequest } from './batch-request.js';
import type { CallFailure } from './call-failure.js';
import type { Client } from './client.js';
import type { Connection } from './connection.js';
import { toPosition } from './position.js';
import { readEvents } from './read-messages.js';
import { toStoredEvent } from './stored-event.js';
import { unavailable } from './reader.js';
import { readStreamRequest } from './requests.js';

/**
 * An append with explicit credentials uses a call of its own. Otherwise the client shares one call between all appends,
 * and losing one server would reject the others' pending appends.
 */
const credentialsOf = ({ credentials }: Address) => credentials ?? { username: 'none', password: 'none' };

/** Reads the position of an append from a server that does not return it. */
const positionAt = async (client: Client, deadline: number, stream: string, revision: number): Promise<string> => {
  const [event] = await readEvents(client, readStreamRequest(stream, revision, 1), deadline, toStoredEvent);
  if (event === undefined) throw new Error(`the event just appended to ${stream} cannot be read`);
  return event.position;
};

/** Appends over the shared call. */
const sendShared =
  (stream: string, request: BatchRequest) =>
  async (client: Client, deadline: number): Promise<Appended> => {
    const batch = await client.batch();
    const { revision, commit } = await batch.append(request, deadline);
    return {
      revision,
      position: commit === null ? await positionAt(client, deadline, stream, revision) : toPosition(commit),
    };
  };

/** Appends over a call of its own. */
const sendAlone =
  (address: Address, stream: string, expected: ExpectedRevision, events: ReadonlyArray<NewEvent>) =>
  async (client: Client, deadline: number): Promise<Appended> => {
    const { nextExpectedRevision, position } = await client.appendToStream(
      stream,
      events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata })),
      {
        expectedRevision: expected === 'no_stream' ? expected : BigInt(expected),
        credentials: credentialsOf(address),
        requiresLeader: true,
        deadline,
      },
    );
    const revision = Number(nextExpectedRevision);
    if (position !== undefined) return { revision, position: toPosition(position.commit) };
    return { revision, position: await positionAt(client, deadline, stream, revision) };
  };

const isRevision = (expected: ExpectedRevision): boolean =>
  expected === 'no_stream' || (Number.isSafeInteger(expected) && expected >= 0);

const failureOf = (failure: CallFailure, stream: string, expected: ExpectedRevision): AppendFailure => {
  if (failure._tag === 'WrongRevision') return { _tag: 'RevisionConflict', stream, expected, actual: failure.actual };
  return failure._tag === 'TooLarge' ? { _tag: 'AppendTooLarge', reason: failure.reason } : unavailable(failure);
};

/**
 * Appends within the deadline of the address. An append whose outcome is unknown is sent again with the same ids at the
 * same revision, which is idempotent, until its outcome is known or the deadline has passed.
 */
export const createAppend =
  (connection: Connection, address: Address): EventStore['append'] =>
  (stream, expected, events) =>
  async (): Promise<E.Either<AppendFailure, Appended>> => {
    if (events.length === 0 || !isRevision(expected))
      return E.left({ _tag: 'StoreUnavailable', reason: 'an append needs an event and a revision' });
    const request = batchRequest(stream, expected, events);
    const send = request === null ? sendAlone(address, stream, expected, events) : sendShared(stream, request);
    const answer = await connection.call(send);
    return E.isRight(answer) ? answer : E.left(failureOf(answer.left, stream, expected));
  };
