import type { ClientReadableStream } from '@grpc/grpc-js';
import type { Page } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { PageBuffer } from './page-buffer.js';
import type { ReadResponse } from './read-response.js';
import { createSignal } from './signal.js';

/** The next step of a subscription. */
export type Step =
  | { readonly _tag: 'Page'; readonly page: Page }
  | { readonly _tag: 'CaughtUp' }
  | { readonly _tag: 'Ended'; readonly cause: unknown };

/** The server's messages as a sequence of steps. */
export interface LiveMessages {
  /** Resolves once the server has confirmed the subscription, or it has ended. */
  readonly confirmed: Promise<void>;
  readonly next: () => Promise<Step>;
  /** Ends the subscription: the next step is the end. */
  readonly end: (cause: unknown) => void;
}

/**
 * Buffers the event of a message. The server's checkpoints are ignored: versions 24.2.0, 24.6.0 and 24.10.0 to 24.10.4
 * may send a first one beyond all positions, 25.0.0 sends the place of the next event, and all versions send positions
 * past the last event of this service, which would no longer show where the log ends.
 */
const keep = ({ event }: ReadResponse, buffer: PageBuffer): void => {
  if (event !== null) buffer.add(event);
};

/** `head` is the newest position when the subscription began; later events count as live. */
export const liveMessages = (
  stream: ClientReadableStream<ReadResponse>,
  buffer: PageBuffer,
  head: Position | null,
): LiveMessages => {
  const signal = createSignal();
  const confirmation = createSignal();
  let ended: { readonly cause: unknown } | null = null;
  let live = false;
  let reportedCaughtUp = false;
  const end = (cause: unknown): void => {
    ended ??= { cause };
    confirmation.give();
    signal.give();
  };
  const isLive = (): boolean => live || head === null || (buffer.reached() ?? '') >= head;
  const step = (): Step | null => {
    if (ended !== null) return { _tag: 'Ended', cause: ended.cause };
    const page = buffer.take();
    if (page !== null) {
      stream.resume();
      reportedCaughtUp = false;
      return { _tag: 'Page', page };
    }
    if (reportedCaughtUp || !isLive()) return null;
    reportedCaughtUp = true;
    return { _tag: 'CaughtUp' };
  };
  stream.on('data', (message: ReadResponse) => {
    if (message.says === 'confirmed') confirmation.give();
    if (message.says === 'caught up') live = true;
    if (message.says === 'fell behind') live = false;
    keep(message, buffer);
    if (buffer.isFull()) stream.pause();
    signal.give();
  });
  stream.on('error', end);
  stream.on('end', () => end(new Error('the server ended the subscription')));
  return {
    confirmed: confirmation.wait(),
    end,
    next: async () => {
      for (;;) {
        const next = step();
        if (next !== null) return next;
        await signal.wait();
      }
    },
  };
};
