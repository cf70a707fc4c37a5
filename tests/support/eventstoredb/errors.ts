import { type ServiceError, status } from '@grpc/grpc-js';
import { refusal } from '../../../adapters/eventstoredb-endpoint/errors.js';

export const notLeader = ({ host, port }: { readonly host: string; readonly port: number }): ServiceError =>
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
