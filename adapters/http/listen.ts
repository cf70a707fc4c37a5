import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseBrokenRequest } from './broken-request.js';

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

/** Serves requests on a host and port; rejects when the port cannot be had. */
export const listen = (listener: RequestListener, host: string, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = createServer({ keepAliveTimeout: 65_000 }, listener);
    server.on('clientError', refuseBrokenRequest);
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        url: urlOf(host, isAddressInfo(address) ? address.port : port),
        close: (patience_ms) =>
          new Promise((closed) => {
            const cutOff = setTimeout(() => server.closeAllConnections(), patience_ms);
            const sweep = setInterval(() => server.closeIdleConnections(), sweep_ms);
            server.close(() => {
              clearTimeout(cutOff);
              clearInterval(sweep);
              closed();
            });
            server.closeIdleConnections();
          }),
      });
    });
  });
