import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { IncomingMessage } from 'node:http';
import type { ResultsRefused, ResultsRequest, openResults } from '../../application/realtime/open-results.js';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Failure } from '../../application/failures.js';
import { closes } from '../../application/realtime/close-codes.js';
import { ResultsFrameCodec, type ResultsListener } from '../../application/realtime/results-frames.js';
import type { Handshake } from '../runtime/connections.js';

const tokenPrefix = 'bearer.';

const tokenInHeader = ({ headers }: IncomingMessage): string | null =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;

const tokenInProtocols = ({ headers }: IncomingMessage): string | null =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(tokenPrefix))
    ?.slice(tokenPrefix.length) ?? null;

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
};

/** Token and session id of a handshake. The token comes as a header, in the query, or as a subprotocol (for browsers). */
const resultsRequest = (request: IncomingMessage): ResultsRequest => {
  const query = queryOf(request);
  const token = tokenInHeader(request) ?? query.get('token') ?? tokenInProtocols(request);
  return { token, session_id: query.get('session_id') };
};

/**
 * The subprotocol to answer with: browsers fail a connection that selects none of those they offer. One that does not
 * carry the token is preferred, so that the token is not repeated in the answer.
 */
const selectProtocol = (protocols: ReadonlySet<string>): string | false => {
  const offered = [...protocols];
  return offered.find((protocol) => !protocol.startsWith(tokenPrefix)) ?? offered[0] ?? false;
};

interface ResultsSocketNeeds {
  readonly open: (
    request: ReturnType<typeof resultsRequest>,
    listener: ResultsListener,
  ) => ReturnType<ReturnType<typeof openResults>>;
  readonly ping_seconds: number;
  /** Origins of web pages that may connect; `*` allows all. A client that sends no Origin header is not a web page. */
  readonly allowed_origins: ReadonlyArray<string>;
}

/** Clients have nothing to send: their messages are discarded, and limited in size and in number between two pings. */
const maxMessageBytes = 16 * 1_024;
const maxMessagesPerPing = 100;
/** Backpressure: how much may be queued for a slow reader. This is several minutes of results. */
const maxBufferedBytes = 256 * 1_024;
const closeTimeoutMs = 2_000;

type Close = readonly [code: number, reason: string];

/** The close code and reason of each refusal. A refusal that is missing here does not compile. */
const closeOfRefusal: Readonly<Record<ResultsRefused['_tag'] | Failure['_tag'], Close>> = {
  ...closes,
  StoreUnavailable: closes.Unavailable,
  AppendTooLarge: closes.Unwritable,
  AppendUnreadable: closes.Unwritable,
  Contention: closes.Unavailable,
  UnreadableEvent: closes.Unreadable,
  MediumErased: closes.NoSuchSession,
};

const closed = (socket: WebSocket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** Sends frames as JSON. A reader that is too slow is disconnected, so that memory stays bounded. */
const listenerOf = (socket: WebSocket): ResultsListener => ({
  send: (frame) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > maxBufferedBytes) socket.close(...closes.ReadingTooSlowly);
    else socket.send(JSON.stringify(ResultsFrameCodec.encode(frame)));
  },
  close: (code, reason) => socket.close(code, reason),
});

/**
 * Pings a socket at an interval, and terminates it when the previous ping was not answered. Closes it if its client sends
 * too many messages in between.
 */
const startHeartbeat = (socket: WebSocket, seconds: number): void => {
  let isAlive = true;
  let messages = 0;
  const count = (): void => {
    messages += 1;
    if (messages === maxMessagesPerPing) socket.close(...closes.TooManyMessages);
  };
  socket.on('message', count);
  socket.on('ping', count);
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    messages = 0;
    return socket.ping();
  }, seconds * 1_000);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
};

const serve = async (
  { open, ping_seconds }: ResultsSocketNeeds,
  request: IncomingMessage,
  socket: WebSocket,
): Promise<void> => {
  const gone = closed(socket);
  /* After a protocol error the library closes the socket by itself. */
  socket.on('error', constVoid);
  startHeartbeat(socket, ping_seconds);
  const opened = await open(resultsRequest(request), listenerOf(socket));
  if (E.isLeft(opened)) return socket.close(...closeOfRefusal[opened.left._tag]);
  await gone;
  opened.right();
};

/**
 * `GET /v2/realtime/results`. The upgrade is accepted before the request is checked, so that the client can read the
 * reason of a refusal as a close code (specification, 7.4).
 */
export const resultsSocket = (needs: ResultsSocketNeeds) => {
  // The types do not know `closeTimeout`: how long a client may take to complete the closing handshake.
  const options = { noServer: true, maxPayload: maxMessageBytes, closeTimeout: closeTimeoutMs };
  const server = new WebSocketServer({ ...options, perMessageDeflate: false, handleProtocols: selectProtocol });
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
    /** Upgrades a connection to a WebSocket and serves it. */
    upgrade: (handshake: Handshake): void => {
      const { request, socket, head, refuse } = handshake;
      if (!isAllowed(request.headers)) return refuse(403, 'origin_not_allowed', 'Pages of this origin may not connect');
      handshakes.set(request, handshake);
      return server.handleUpgrade(request, socket, head, (accepted) => void serve(needs, request, accepted));
    },
    /** Closes all open sockets. */
    close: async (): Promise<void> => {
      const allClosed = [...server.clients].map((socket) => {
        const gone = closed(socket);
        socket.close(...closes.ShuttingDown);
        return gone;
      });
      server.close();
      await Promise.all(allClosed);
    },
  };
};
