import { ConnectionError, MalformedAnswerError, ResultsClosedError, TimeoutError } from './errors.js';
import type { ResultsFrame } from './interface.js';
import { parsed } from './send.js';

/** The part of a WebSocket that the client uses: that of browsers, of Node 22, or of the package ws. */
export interface ResultsSocket {
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  close(code?: number): void;
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => ResultsSocket;

/** A session, as returned by its creation. */
export interface ResultsAddress {
  readonly session_id: string;
  readonly token: string;
  readonly results_url: string;
}

/** Limits for opening a socket. */
export interface ResultsOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const isFrame = (value: unknown): value is ResultsFrame =>
  typeof value === 'object' && value !== null && 'type' in value;

const normalEnd = 1000;

interface Received {
  readonly messages: unknown[];
  /** Why the socket ended; null at the end of the session. Only the first reason counts. */
  readonly ended: unknown[];
  /** Resolves when there is a message, or the socket has ended. */
  readonly more: () => Promise<void>;
  readonly end: (reason: unknown) => void;
}

const listenTo = (socket: ResultsSocket, onTimeout: () => void, timeoutMs: number): Received => {
  const messages: unknown[] = [];
  const ended: unknown[] = [];
  let wake: (() => void) | null = null;
  let opened = false;
  const timer = setTimeout(onTimeout, timeoutMs);
  const end = (reason: unknown): void => {
    clearTimeout(timer);
    ended.push(reason);
    wake?.();
  };
  socket.addEventListener('open', () => {
    opened = true;
    clearTimeout(timer);
  });
  socket.addEventListener('message', ({ data }) => {
    messages.push(data);
    wake?.();
  });
  socket.addEventListener('error', () => opened || end(new ConnectionError('the results socket could not be opened')));
  socket.addEventListener('close', ({ code, reason }) =>
    end(code === normalEnd ? null : new ResultsClosedError(code, reason)),
  );
  return { messages, ended, more: () => new Promise((resolve) => (wake = resolve)), end };
};

/**
 * The frames of a realtime session as they arrive, for one reader with `for await`. The loop ends with the session. It throws
 * if the socket is closed for another reason (`ResultsClosedError`), cannot be opened, or `signal` aborts. Leaving the loop
 * closes the socket.
 */
export const resultsOf = async function* (
  WebSocket: WebSocketConstructor,
  { session_id, token, results_url }: ResultsAddress,
  { timeoutMs, signal }: ResultsOptions,
): AsyncGenerator<ResultsFrame, void, undefined> {
  signal?.throwIfAborted();
  const url = new URL(results_url);
  url.searchParams.set('session_id', session_id);
  const socket = new WebSocket(url.href, [`bearer.${token}`]);
  const { messages, ended, more, end } = listenTo(
    socket,
    () => end(new TimeoutError(`the results socket did not open within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const aborted = (): void => end(signal?.reason);
  signal?.addEventListener('abort', aborted);
  try {
    for (;;) {
      const data = messages.shift();
      if (data !== undefined) {
        const frame = parsed(data);
        if (!isFrame(frame)) throw new MalformedAnswerError('the results socket sent an unknown frame');
        yield frame;
      } else if (ended.length === 0) await more();
      else if (ended[0] === null) return;
      else throw ended[0];
    }
  } finally {
    signal?.removeEventListener('abort', aborted);
    end(null);
    socket.close();
  }
};
