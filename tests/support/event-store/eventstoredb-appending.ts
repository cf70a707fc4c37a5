import { randomUUID } from 'node:crypto';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb, {
  type AppendReq,
  type AppendResp,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import {
  type Metadata,
  type ServerReadableStream,
  type ServiceError,
  type handleClientStreamingCall,
  status,
} from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { EventLog } from '../../../adapters/event-store/sqlite/open.js';
import type { Address } from '../../../adapters/eventstoredb-endpoint/discovery.js';
import { invalid, refusal, unavailable } from '../../../adapters/eventstoredb-endpoint/errors.js';
import { streamName } from '../../../adapters/eventstoredb-endpoint/read-request.js';
import type { ReadCall, ServedLog } from '../../../adapters/eventstoredb-endpoint/reading.js';
import type { Authenticate } from '../../../adapters/eventstoredb-endpoint/start-server.js';
import { streamCategory } from '../../../domain/kernel/recorded-event.js';
import type { Behaviour } from './versions.js';

const notLeader = ({ host, port }: { readonly host: string; readonly port: number }): ServiceError =>
  refusal(status.NOT_FOUND, 'another node leads', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

const appendTooLarge = (limit: number): ServiceError =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

const eventTooLarge = (id: string, size: number, limit: number): ServiceError =>
  refusal(
    status.INVALID_ARGUMENT,
    `Event with Id: ${id}, Size: ${size}, exceeds Maximum Append Event Size of ${limit}.`,
    {
      exception: 'maximum-append-event-size-exceeded',
      'event-id': id,
      'proposed-append-event-size': String(size),
      'maximum-append-event-size': String(limit),
    },
  );

/** A call as the server receives it. */
interface ReceivedCall {
  readonly method: 'read' | 'append';
  /** The stream that is read; null for the whole log, and for an append. */
  readonly stream: string | null;
}

/** What a test does to the calls of a server; each may be changed at any time. */
export interface Faults {
  /** Answers a call with an error before anything is done; null lets it pass. */
  refuse: (call: ReceivedCall) => ServiceError | null;
  /** Appends, then answers with an error; null gives the answer. */
  lose: () => ServiceError | null;
  /** Replaces a message of a read by other messages. */
  rewrite: (message: ReadResp) => ReadonlyArray<ReadResp>;
}

export const noFaults = (): Faults => ({ refuse: () => null, lose: () => null, rewrite: (message) => [message] });

/** What the calls of a test server share. */
export interface Imitation {
  readonly log: ServedLog;
  readonly behaviour: Behaviour;
  readonly faults: Faults;
  /** The subscriptions that clients have made. */
  readonly subscriptions: ReadCall[];
  /** Why a call is refused; null if it is allowed. */
  readonly refusal: (metadata: Metadata, call: ReceivedCall) => ServiceError | null;
}

/** A follower refuses what only the leader may answer. */
export const refusals =
  (authenticate: Authenticate, leader: () => Address | null, faults: Faults): Imitation['refusal'] =>
  (metadata, call) => {
    const elsewhere = leader();
    const needsLeader = call.method === 'append' || metadata.get('requires-leader')[0] === 'true';
    return (
      authenticate(metadata) ?? faults.refuse(call) ?? (elsewhere !== null && needsLeader ? notLeader(elsewhere) : null)
    );
  };

/** An event with its texts as the log stores them. */
interface PreparedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const prepare = (message: AppendReq.ProposedMessage): PreparedEvent => ({
  id: message.getId()?.getString().toLowerCase() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  data: textOf(message.getData_asU8()),
  metadata: textOf(message.getCustomMetadata_asU8()) || '{}',
});

interface AppendRequest {
  readonly stream: string;
  readonly expected: number | 'any' | 'no_stream';
  readonly events: ReadonlyArray<PreparedEvent>;
}

const expectedOf = (options: AppendReq.Options): AppendRequest['expected'] => {
  if (options.hasRevision()) return Number(options.getRevision());
  return options.hasNoStream() ? 'no_stream' : 'any';
};

/** The answer to a successful append; row 0 means that it was empty. */
const success = ({ positions }: Behaviour, revision: number, row: number): AppendResp => {
  const answer = new streamsPb.AppendResp.Success();
  if (revision < 0) answer.setNoStream(new sharedPb.Empty());
  else answer.setCurrentRevision(String(revision));
  if (row === 0) answer.setNoPosition(new sharedPb.Empty());
  else {
    const position = String(positions.of(row));
    answer.setPosition(new streamsPb.AppendResp.Position().setCommitPosition(position).setPreparePosition(position));
  }
  return new streamsPb.AppendResp().setSuccess(answer);
};

const wrongExpectedVersion = (expected: AppendRequest['expected'], actual: number): AppendResp => {
  const answer = new streamsPb.AppendResp.WrongExpectedVersion();
  const empty = new sharedPb.Empty();
  if (actual < 0) answer.setCurrentNoStream(empty).setNoStream2060(empty);
  else answer.setCurrentRevision(String(actual));
  if (expected === 'any') answer.setExpectedAny(empty);
  else if (expected === 'no_stream') answer.setExpectedNoStream(empty);
  else answer.setExpectedRevision(String(expected));
  return new streamsPb.AppendResp().setWrongExpectedVersion(answer);
};

/** An event of the server itself, as its projections, statistics and scavenges write them. */
const systemEvent = (): PreparedEvent => ({
  id: randomUUID(),
  type: '$statsCollected',
  data: '{"proc":{}}',
  metadata: JSON.stringify({ recorded_at: new Date().toISOString() }),
});
const systemStream = '$stats-127.0.0.1:2113';
/** System events at the beginning of an empty log. */
const firstSystemEvents = 8;
/** Appends of others between two system events. */
const appendsBetween = 3;

/**
 * Appends all events or none by the rules of the protocol: expected revisions, and the first result for a repetition at
 * the same one. Runs inside the caller's transaction.
 */
const createAppender = ({ db }: EventLog, { log: { rows }, behaviour }: Pick<Imitation, 'log' | 'behaviour'>) => {
  const { isServer } = behaviour;
  const statement = db.prepare(
    'INSERT INTO events (stream, category, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const known = db.prepare('SELECT 1 FROM events WHERE event_id = ?').raw(true);
  const place = db.prepare('SELECT event_id, position FROM events WHERE stream = ? AND revision = ?').raw(true);
  const insertAt = (stream: string, revision: number, { id, type, data, metadata }: PreparedEvent): number =>
    Number(statement.run(stream, streamCategory(stream), revision, id, type, data, metadata).lastInsertRowid);

  const areKnown = (events: ReadonlyArray<PreparedEvent>): boolean =>
    new Set(events.map(({ id }) => id)).size < events.length || events.some(({ id }) => known.get(id) !== undefined);

  /** The row of the last of these events if all of them are where they would be appended; null if not. */
  const repeated = (stream: string, first: number, events: ReadonlyArray<PreparedEvent>): number | null => {
    const there = events.map(({ id }, index) => {
      const row: unknown = place.get(stream, first + index);
      return Array.isArray(row) && row[0] === id ? Number(row[1]) : null;
    });
    return there.includes(null) ? null : (there.at(-1) ?? null);
  };

  const writeSystemEvent = (): number => insertAt(systemStream, rows.last(systemStream) + 1, systemEvent());
  if (isServer && rows.last(null) === 0) Array.from({ length: firstSystemEvents }, writeSystemEvent);
  let appends = 0;
  return ({ stream, expected, events }: AppendRequest): AppendResp => {
    const last = rows.last(stream);
    const after = typeof expected === 'number' ? expected : expected === 'no_stream' ? -1 : last;
    const earlier = after < last ? repeated(stream, after + 1, events) : null;
    if (earlier !== null) return success(behaviour, after + events.length, earlier);
    if (after !== last || (!isServer && areKnown(events))) return wrongExpectedVersion(expected, last);
    const row = events.reduce((_, event, index) => insertAt(stream, last + 1 + index, event), 0);
    appends += 1;
    if (isServer && appends % appendsBetween === 0) writeSystemEvent();
    return success(behaviour, last + events.length, row);
  };
};

type Call = ServerReadableStream<AppendReq, AppendResp>;

/** The append, once all of it has arrived; an error if it exceeds a limit. */
const gather = (call: Call, { limits }: Behaviour): Promise<E.Either<ServiceError, AppendRequest>> =>
  new Promise((resolve) => {
    let options: AppendReq.Options | undefined;
    let total = 0;
    let tooLarge: ServiceError | null = null;
    const events: PreparedEvent[] = [];
    call.on('data', (request: AppendReq) => {
      options = request.getOptions() ?? options;
      const message = request.getProposedMessage();
      if (message === undefined || tooLarge !== null) return;
      const event = prepare(message);
      const bytes = message.getData_asU8().length + message.getCustomMetadata_asU8().length + 2 * event.type.length;
      total += bytes;
      events.push(event);
      if (total > limits.append) tooLarge = appendTooLarge(limits.append);
      else if (bytes > limits.event) tooLarge = eventTooLarge(event.id, bytes, limits.event);
    });
    call.on('end', () => {
      const stream = streamName(options?.getStreamIdentifier());
      if (tooLarge !== null) resolve(E.left(tooLarge));
      else if (options === undefined || stream === null) resolve(E.left(invalid('an append names a stream')));
      else resolve(E.right({ stream, expected: expectedOf(options), events }));
    });
    call.on('error', () => resolve(E.left(invalid('the append broke off'))));
  });

/** `Streams.Append`: one append, sent in parts; answered once it is durable. */
export const appendCall = (
  events: EventLog,
  imitation: Imitation,
): handleClientStreamingCall<AppendReq, AppendResp> => {
  const append = createAppender(events, imitation);
  const answer = async (call: Call): Promise<E.Either<ServiceError, AppendResp>> => {
    const refused = imitation.refusal(call.metadata, { method: 'append', stream: null });
    if (refused !== null) return E.left(refused);
    const request = await gather(call, imitation.behaviour);
    if (E.isLeft(request)) return request;
    const written = await events.writer.write(() => append(request.right));
    const lost = imitation.faults.lose();
    return lost === null ? E.mapLeft(unavailable)(written) : E.left(lost);
  };
  return (call, callback) => {
    void answer(call).then(E.match(callback, (response) => callback(null, response)));
  };
};
