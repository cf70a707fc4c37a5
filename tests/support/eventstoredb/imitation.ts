import { type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Address } from '../../../adapters/eventstoredb-endpoint/discovery.js';
import { refusal } from '../../../adapters/eventstoredb-endpoint/errors.js';
import type { ReadCall, ServedLog } from '../../../adapters/eventstoredb-endpoint/reading.js';
import type { Authenticate } from '../../../adapters/eventstoredb-endpoint/start-server.js';
import type { Behaviour } from '../event-store/versions.js';

const notLeader = ({ host, port }: { readonly host: string; readonly port: number }): ServiceError =>
  refusal(status.NOT_FOUND, 'another node leads', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const appendTooLarge = (limit: number): ServiceError =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

export const eventTooLarge = (id: string, size: number, limit: number): ServiceError =>
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

/** A read or subscription from a position at which there is no event. */
export const invalidPosition = (subscribes: boolean): ServiceError =>
  subscribes
    ? refusal(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
    : refusal(status.UNKNOWN, 'Unexpected FilteredReadAllResult: InvalidPosition');

/** What a client receives when the server resets the stream of its call. */
export const streamReset = (): ServiceError =>
  refusal(status.INTERNAL, 'Received RST_STREAM with code 2 (Internal server error)');

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
