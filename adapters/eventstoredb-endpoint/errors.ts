import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/** A gRPC error with the metadata by which clients distinguish errors. */
const refusal = (code: status, details: string, marks: Readonly<Record<string, string>> = {}): ServiceError => {
  const metadata = new Metadata();
  Object.entries(marks).forEach(([key, value]) => metadata.set(key, value));
  return Object.assign(new Error(details), { code, details, metadata });
};

/** Whether a thrown value is an error of this file, to be sent to the client as it is. */
export const isAnswer = (cause: unknown): cause is ServiceError =>
  cause instanceof Error && 'metadata' in cause && cause.metadata instanceof Metadata;

/** Stream names may contain any characters, but headers only printable ASCII. */
const header = (text: string): string => text.replaceAll(/[^\u0020-\u007e]/g, '?');

export const invalid = (details: string): ServiceError => refusal(status.INVALID_ARGUMENT, header(details));

export const accessDenied = (details: string): ServiceError =>
  refusal(status.PERMISSION_DENIED, header(details), { exception: 'access-denied' });

export const notAuthenticated = (): ServiceError =>
  refusal(status.UNAUTHENTICATED, 'the user name or the password is wrong, or is missing');

export const notLeader = ({ host, port }: { readonly host: string; readonly port: number }): ServiceError =>
  refusal(status.NOT_FOUND, 'another node leads', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const streamDeleted = (stream: string): ServiceError =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${header(stream)}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': header(stream),
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

export const propertyMissing = (name: string): ServiceError =>
  refusal(status.INVALID_ARGUMENT, `the event's metadata lacks ${name}`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

export const unavailable = (): ServiceError => refusal(status.UNAVAILABLE, 'the event log cannot be used at present');

interface GroupPlace {
  /** Null: all streams. */
  readonly source: string | null;
  readonly group: string;
}

const groupMarks = (exception: string, { source, group }: GroupPlace): Readonly<Record<string, string>> => ({
  exception,
  'stream-name': header(source ?? '$all'),
  'group-name': header(group),
});

export const groupMissing = (name: GroupPlace): ServiceError =>
  refusal(status.NOT_FOUND, 'there is no such group', groupMarks('persistent-subscription-does-not-exist', name));

export const groupExists = (name: GroupPlace): ServiceError =>
  refusal(status.ALREADY_EXISTS, 'there is such a group already', groupMarks('persistent-subscription-exists', name));

export const groupDropped = (name: GroupPlace): ServiceError =>
  refusal(status.CANCELLED, 'the group was changed or closed', groupMarks('persistent-subscription-dropped', name));

export const groupFull = (name: GroupPlace): ServiceError =>
  refusal(
    status.FAILED_PRECONDITION,
    'the group has as many consumers as it may',
    groupMarks('maximum-subscribers-reached', name),
  );

export const groupInvalid = (name: GroupPlace, reason: string): ServiceError =>
  refusal(status.INVALID_ARGUMENT, header(reason), {
    ...groupMarks('persistent-subscription-failed', name),
    reason: header(reason),
  });
