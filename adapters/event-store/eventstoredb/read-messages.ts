import { setImmediate } from 'node:timers/promises';
import { constVoid } from 'fp-ts/lib/function.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Client } from './client.js';
import type { ReadResponse, ReceivedEvent } from './read-response.js';

/**
 * Reads events and converts each as it arrives, because keeping all messages until the end costs more in garbage
 * collection than reading them. Empty for a stream that does not exist. Rejects with the gRPC error.
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

/** Cancels a stream that the server is still writing to. The pause lets gRPC report its own end first. */
export const cancel = async (stream: {
  readonly cancel: () => void;
  readonly on: (event: 'error', listener: () => void) => unknown;
}): Promise<void> => {
  stream.on('error', constVoid);
  await setImmediate();
  stream.cancel();
};
