import { type RequestListener, type Server, createServer } from 'node:http';
import { connectionAccepted } from '../../runtime/event-loop.js';
import { serverUrl } from '../../runtime/server-address.js';
import { type IncompleteRequests, holdIncompleteRequests } from './hold-incomplete.js';
import { inOrder } from './in-order.js';
import { type OpenConnections, trackConnections } from './open-connections.js';
import { refuseBrokenRequest } from './raw-answers.js';
import { type Upgrade, serveUpgrades } from './upgrades.js';
import {
  type WaitingConnections,
  type WaitingLimits,
  defaultWaitingLimits,
  limitWaitingConnections,
} from './waiting-connections.js';

export interface Listening {
  readonly url: string;
  /** Stops accepting connections, and closes those that still have a request in progress after `graceMs`. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Timeouts of connections, in milliseconds. */
export interface ConnectionTimeouts {
  /** For the headers of a request to arrive. */
  readonly headersMs: number;
  /** For a whole request to arrive. */
  readonly requestMs: number;
  /** For a client that accepts no data of a waiting answer. */
  readonly stallMs: number;
  /** For the rest of a request that was answered before it had arrived; it is read and discarded. */
  readonly drainMs: number;
  /** How often the timeouts are checked. */
  readonly checkMs: number;
}

const defaultTimeouts: ConnectionTimeouts = {
  headersMs: 60_000,
  requestMs: 300_000,
  stallMs: 30_000,
  drainMs: 5_000,
  checkMs: 5_000,
};

const keepAliveMs = 65_000;

/** Connections that may wait to be accepted; the operating system may allow fewer. */
const backlog = 4_096;

/** How often a closing server closes idle connections, in milliseconds. */
const closeIdleMs = 50;

/** Closes a connection if the rest of an answered request does not arrive in time. */
const withDrainTimeout =
  (listener: RequestListener, drainMs: number): RequestListener =>
  (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      const cutOff = setTimeout(() => request.complete || request.socket.destroy(), drainMs);
      request.once('close', () => clearTimeout(cutOff));
    });
    return listener(request, response);
  };

const createListener = (
  listener: RequestListener,
  upgradeOf: Upgrade,
  timeouts: ConnectionTimeouts,
  waiting: WaitingConnections,
  incomplete: IncompleteRequests,
): Server => {
  const options = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // The service answers this itself: Node's answer has no JSON body and no request id.
    requireHostHeader: false,
  };
  const serve = withDrainTimeout(inOrder(listener, waiting, incomplete), timeouts.drainMs);
  const server = createServer(options, serve);
  server.on('checkExpectation', serve);
  // `100 Continue` is sent only when the body is wanted.
  server.on('checkContinue', serve);
  server.on('connection', (socket) => {
    connectionAccepted();
    waiting.becameIdle(socket);
  });
  server.on('clientError', refuseBrokenRequest);
  serveUpgrades(server, upgradeOf, waiting.becameBusy);
  return server;
};

const closeServer = (server: Server, connections: OpenConnections, graceMs: number): Promise<void> =>
  new Promise((closed) => {
    const cutOff = setTimeout(connections.closeAll, graceMs);
    const closeIdle = (): void => {
      server.closeIdleConnections();
      connections.closeUnused();
    };
    const repeat = setInterval(closeIdle, closeIdleMs);
    server.close(() => {
      clearTimeout(cutOff);
      clearInterval(repeat);
      closed();
    });
    closeIdle();
  });

/** Serves requests on a host and port (0: any free port). Rejects if the port is not available. */
export const listen = (
  listener: RequestListener,
  upgradeOf: Upgrade,
  host: string,
  port: number,
  timeouts: ConnectionTimeouts = defaultTimeouts,
  limits: WaitingLimits = defaultWaitingLimits,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const incomplete = holdIncompleteRequests();
    const waiting = limitWaitingConnections(limits, incomplete.isHeld);
    const server = createListener(listener, upgradeOf, timeouts, waiting, incomplete);
    server.once('error', reject);
    const connections = trackConnections(server, timeouts.stallMs, timeouts.checkMs, waiting.becameBusy);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve({
        url: serverUrl(server, host, port),
        close: (graceMs) => closeServer(server, connections, graceMs),
      });
    });
  });
