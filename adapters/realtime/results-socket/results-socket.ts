import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ResultsListener } from '../../../application/ports/results-listener.js';
import { closes } from '../../../application/realtime/close-codes.js';
import type { openResults } from '../../../application/realtime/open-results.js';
import { ResultsFrameCodec } from '../../../application/realtime/results-frames.js';
import { type Handshake, chosenProtocol, resultsRequest } from './handshake.js';
import { closeFor } from './close-codes.js';
import { heartbeat } from './heartbeat.js';

type Opening = ReturnType<ReturnType<typeof openResults>>;

export interface ResultsSocketNeeds {
  readonly open: (request: ReturnType<typeof resultsRequest>, listener: ResultsListener) => Opening;
  readonly ping_seconds: number;
  /** Origins of pages that may connect; `*`: all. A client that sends no origin is no page. */
  readonly allowed_origins: ReadonlyArray<string>;
}

export interface ResultsSocket {
  /** Takes a connection that asks to become a socket. */
  readonly upgrade: (handshake: Handshake) => void;
  /** Closes what is open still. */
  readonly close: () => Promise<void>;
}

/** Nothing is expected of clients; what they send is read and forgotten, within bounds between two pings. */
const largestMessage = 16 * 1_024;
const mostMessages = 100;
/** What may wait for a slow reader: some minutes of results. */
const mostWaiting = 256 * 1_024;
const closing_ms = 2_000;

const cutOffSoon = (socket: WebSocket): void => {
  const cutOff = setTimeout(() => socket.terminate(), closing_ms);
  socket.once('close', () => clearTimeout(cutOff));
};

/** Closes a socket, and cuts it off when the other side does not. */
const closeSoon = (socket: WebSocket, code: number, reason: string): void => {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code, reason);
  cutOffSoon(socket);
};

/** Sends as JSON; a reader for whom too much is waiting is dropped, so that nothing piles up here. */
const listenerOf = (socket: WebSocket): ResultsListener => ({
  send: (frame) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > mostWaiting) closeSoon(socket, ...closes.ReadingTooSlowly);
    else socket.send(JSON.stringify(ResultsFrameCodec.encode(frame)));
  },
  close: (code, reason) => closeSoon(socket, code, reason),
});

const countMessages = (socket: WebSocket): (() => void) => {
  let messages = 0;
  const count = (): void => {
    messages += 1;
    if (messages === mostMessages) closeSoon(socket, ...closes.TooManyMessages);
  };
  socket.on('message', count);
  socket.on('ping', (data) => {
    count();
    if (socket.readyState === socket.OPEN && socket.bufferedAmount <= mostWaiting) socket.pong(data);
  });
  return () => {
    messages = 0;
  };
};

const serve = async (
  { open, ping_seconds }: ResultsSocketNeeds,
  request: IncomingMessage,
  socket: WebSocket,
): Promise<void> => {
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  /* The library has sent a close frame by then: cut off at once, the client would be reset before it could read that. */
  socket.on('error', () => cutOffSoon(socket));
  heartbeat(socket, ping_seconds, countMessages(socket));
  const opened = await open(resultsRequest(request), listenerOf(socket));
  if (E.isLeft(opened)) return closeSoon(socket, ...closeFor(opened.left));
  await gone;
  opened.right();
};

/** `GET /v2/realtime/results`: accepts, then checks, so that a refusal's reason can be read (specification, 7.4). */
export const resultsSocket = (needs: ResultsSocketNeeds): ResultsSocket => {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: chosenProtocol,
  });
  const isAllowed = ({ origin, host }: IncomingMessage['headers']): boolean =>
    origin === undefined ||
    (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()) ||
    needs.allowed_origins.includes('*') ||
    needs.allowed_origins.includes(origin.toLowerCase());
  const handshakes = new WeakMap<IncomingMessage, Handshake>();
  server.on('headers', (headers, request) => {
    headers.push(`X-Request-Id: ${handshakes.get(request)?.request_id ?? ''}`);
  });
  server.on('wsClientError', ({ message }, _, request) =>
    handshakes.get(request)?.refuse(400, 'bad_handshake', message, { 'Sec-WebSocket-Version': '13' }),
  );
  return {
    upgrade: (handshake) => {
      const { request, socket, head, refuse } = handshake;
      if (!isAllowed(request.headers)) return refuse(403, 'origin_not_allowed', 'Pages of this origin may not connect');
      handshakes.set(request, handshake);
      return server.handleUpgrade(request, socket, head, (accepted) => void serve(needs, request, accepted));
    },
    close: async () => {
      const closed = [...server.clients].map((socket) => {
        const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
        if (socket.readyState === socket.OPEN) closeSoon(socket, ...closes.ShuttingDown);
        return gone;
      });
      server.close();
      await Promise.all(closed);
    },
  };
};
