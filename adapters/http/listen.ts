import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseBrokenRequest } from './broken-request.js';
import { type HttpError, coded } from './http-error.js';
import { endWith } from './raw-answer.js';
import { idOfRequest } from './request-id.js';
import { serveUnupgraded } from './serve-unupgraded.js';
import { silentConnections } from './silent-connections.js';

export interface Listening {
  readonly url: string;
  /** Accepts no more, lets requests under way finish for so many milliseconds, then cuts them off. */
  readonly close: (patience_ms: number) => Promise<void>;
}

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** How often a closing server lets go of connections whose last request has been answered. */
const sweep_ms = 50;

/** Answers a handshake with an error instead. */
type RefuseUpgrade = (status: number, code: string, message: string, headers?: HttpError['headers']) => void;

interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly request_id: string;
  readonly refuse: RefuseUpgrade;
}

/** Takes a connection over that asks to become a WebSocket; null where it may not. */
export type Upgrade = (path: string) => ((handshake: Handshake) => void) | null;

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const pathOf = ({ url = '' }: IncomingMessage): string => (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '');

const handshakeOf = (request: IncomingMessage, socket: Duplex, head: Buffer): Handshake => {
  const request_id = idOfRequest(request);
  const refuse: RefuseUpgrade = (status, code, message, headers = {}) =>
    endWith(socket, { ...coded(status, code, message), headers }, request_id);
  return { request, socket, head, request_id, refuse };
};

/**
 * Serves requests on a host and port; rejects when the port cannot be had. A request that asks for another protocol
 * than a WebSocket, or for one where there is none, is served as if it had not asked.
 */
export const listen = (listener: RequestListener, upgradeOf: Upgrade, host: string, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    // Node would refuse a request without a host, or with an expectation, in a form and without the id of ours.
    const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false }, listener);
    server.on('checkExpectation', listener);
    server.on('clientError', refuseBrokenRequest);
    server.on('upgrade', (request, socket, head) => {
      /* Node has taken its own listener away: without one a client that breaks off would end the service. */
      socket.on('error', () => socket.destroy());
      const upgrade = isWebSocket(request) ? upgradeOf(pathOf(request)) : null;
      if (upgrade === null) serveUnupgraded(listener, request, socket, head);
      else upgrade(handshakeOf(request, socket, head));
    });
    server.once('error', reject);
    const silent = silentConnections(server);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        url: urlOf(host, isAddressInfo(address) ? address.port : port),
        close: (patience_ms) =>
          new Promise((closed) => {
            const cutOff = setTimeout(() => server.closeAllConnections(), patience_ms);
            const letGo = (): void => {
              server.closeIdleConnections();
              silent.close();
            };
            const sweep = setInterval(letGo, sweep_ms);
            server.close(() => {
              clearTimeout(cutOff);
              clearInterval(sweep);
              closed();
            });
            letGo();
          }),
      });
    });
  });
