import { once } from 'node:events';
import type { ServerWritableStream } from '@grpc/grpc-js';

/** Sends the answers of a call with backpressure. */
export interface Outgoing {
  /** Resolves when more may be sent, or when the client has disconnected. */
  readonly send: (message: Buffer) => Promise<void> | undefined;
  readonly isGone: () => boolean;
  /** Calls back once when the client disconnects. */
  readonly onGone: (callback: () => void) => void;
}

export const outgoing = (call: ServerWritableStream<unknown, Buffer>): Outgoing => {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  call.once('cancelled', leave);
  call.once('error', leave);
  call.once('close', leave);
  const drained = async (): Promise<void> => {
    await once(call, 'drain', { signal: gone.signal }).catch(() => undefined);
  };
  const isGone = (): boolean => gone.signal.aborted || call.cancelled || call.destroyed;
  return {
    send: (message) => {
      if (isGone() || call.write(message)) return undefined;
      return drained();
    },
    isGone,
    onGone: (callback) => gone.signal.addEventListener('abort', callback, { once: true }),
  };
};
