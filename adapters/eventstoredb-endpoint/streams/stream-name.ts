import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';

/** The stream name in a request; null if there is none. */
export const streamName = (identifier: StreamIdentifier | undefined): string | null => {
  const name = identifier === undefined ? '' : Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
  return name === '' ? null : name;
};
