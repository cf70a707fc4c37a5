import { setImmediate } from 'node:timers/promises';
import { constVoid } from 'fp-ts/lib/function.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Client } from './client.js';
import type { ReadResponse, ReceivedEvent } from './read-response.js';

/**
 * What is made of each event that the server answers with; nothing for a stream that does not exist. It is made as the
 * event arrives: messages that are kept until all have come cost more to clear away than to read. Rejects with what
 * gRPC says.
 */
export const readEvents = async <Event>(
  client: Client,
  request: ReadReq,
  deadline: number,
  make: (received: ReceivedEvent) => Event,
): Promise<ReadonlyArray<Event>> => {
  const stream = await client.read(request, { from_leader: true, deadline });
  const events: Event[] = [];
  return new Promise((resolve, reject) => {
    stream.on('data', ({ event }: ReadResponse) => {
      if (event !== null) events.push(make(event));
    });
    stream.on('end', () => resolve(events));
    stream.on('error', reject);
  });
};

/** Ends a stream that the server still writes to. gRPC may be about to tell of its own end: hence the pause. */
export const cancel = async (stream: {
  readonly cancel: () => void;
  readonly on: (event: 'error', listener: () => void) => unknown;
}): Promise<void> => {
  stream.on('error', constVoid);
  await setImmediate();
  stream.cancel();
};
