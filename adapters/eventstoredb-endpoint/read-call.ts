import { once } from 'node:events';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream, ServiceError } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import { isRefusal, unavailable } from './errors.js';
import { caughtUpMessage } from './read-messages.js';
import { readRequest } from './read-request.js';
import { type Reader, type ServedLog, followEvents, readEvents } from './reading.js';

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** The client of a call; messages are sent with backpressure. */
const readerOf = (call: ReadCall): Reader => {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  call.once('cancelled', leave);
  call.once('error', leave);
  call.once('close', leave);
  const drained = async (): Promise<void> => {
    await once(call, 'drain', { signal: gone.signal }).catch(() => undefined);
  };
  const isGone = (): boolean => gone.signal.aborted || call.cancelled || call.destroyed;
  const send = (message: ReadResp): Promise<void> | undefined =>
    isGone() || call.write(message) ? undefined : drained();
  return {
    send,
    caughtUp: () => send(caughtUpMessage()),
    isGone,
    onGone: (callback) => gone.signal.addEventListener('abort', callback, { once: true }),
  };
};

/** `Streams.Read`: reads and subscriptions. `imitate` changes what the client receives; only tests do. */
export const serveRead = (call: ReadCall, log: ServedLog, imitate = (reader: Reader): Reader => reader): void => {
  const fail = (error: ServiceError): void => void call.emit('error', error);
  const request = readRequest(call.request);
  if (E.isLeft(request)) return fail(request.left);
  const serve = request.right.count === null ? followEvents : readEvents;
  void serve(log, request.right, imitate(readerOf(call))).then(
    () => void call.end(),
    (cause: unknown) => fail(isRefusal(cause) ? cause : unavailable()),
  );
};
