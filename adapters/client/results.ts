import { told } from './told.js';
import { ConnectionError, MalformedAnswerError, ResultsClosedError, TimeoutError } from './errors.js';

/** What the client needs of a socket: that of browsers and of Node 22, or one such as the package ws has. */
export interface ResultsSocket {
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  close(code?: number): void;
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => ResultsSocket;

/** The session whose results are wanted, as its creation answered it. */
export interface ResultsAddress {
  readonly session_id: string;
  readonly token: string;
  readonly results_url: string;
}

/** What a socket may take to open. */
export interface ResultsPatience {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const isFrame = (value: unknown): boolean => typeof value === 'object' && value !== null && 'type' in value;

const parsed = (data: unknown): unknown => {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
};

const normalEnd = 1000;

interface Heard {
  readonly waiting: unknown[];
  /** Why there is nothing more to come; null at the end of the session. The first reason counts. */
  readonly ended: unknown[];
  /** Resolves when something has come, or ended. */
  readonly more: () => Promise<void>;
  readonly end: (reason: unknown) => void;
}

const listenTo = (socket: ResultsSocket, tooLate: () => void, timeoutMs: number): Heard => {
  const waiting: unknown[] = [];
  const ended: unknown[] = [];
  let wake: (() => void) | null = null;
  let opened = false;
  const timer = setTimeout(tooLate, timeoutMs);
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
    waiting.push(data);
    wake?.();
  });
  socket.addEventListener('error', () => opened || end(new ConnectionError('the results socket could not be opened')));
  socket.addEventListener('close', ({ code, reason }) =>
    end(code === normalEnd ? null : new ResultsClosedError(code, reason)),
  );
  return { waiting, ended, more: () => new Promise((resolve) => (wake = resolve)), end };
};

/**
 * The frames of a realtime session as they come, for one reader with `for await`. The loop ends with the session;
 * it throws when the socket is closed for another reason (`ResultsClosedError`), cannot be opened, or `signal` aborts.
 * Leaving the loop closes the socket.
 */
export const resultsOf = async function* <Frame>(
  WebSocket: WebSocketConstructor,
  { session_id, token, results_url }: ResultsAddress,
  { timeoutMs, signal }: ResultsPatience,
): AsyncGenerator<Frame, void, undefined> {
  signal?.throwIfAborted();
  const url = new URL(results_url);
  url.searchParams.set('session_id', session_id);
  const socket = new WebSocket(url.href, [`bearer.${token}`]);
  const { waiting, ended, more, end } = listenTo(
    socket,
    () => end(new TimeoutError(`the results socket did not open within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const aborted = (): void => end(signal?.reason);
  signal?.addEventListener('abort', aborted);
  try {
    for (;;) {
      const data = waiting.shift();
      if (data !== undefined) {
        const frame = parsed(data);
        if (!isFrame(frame) || !told<Frame>().is(frame))
          throw new MalformedAnswerError('a frame is not of this service');
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
