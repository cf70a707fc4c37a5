import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AddressInfo, Server } from 'node:net';

/** A request to upgrade a connection to a WebSocket. `head`: the bytes that arrived after the request. */
export interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly request_id: string;
  /** Answers with an HTTP error instead of the upgrade, and closes the connection. */
  readonly refuse: (status: number, code: string, message: string, headers?: Readonly<Record<string, string>>) => void;
}

/** A host as it is written in an address: IPv6 addresses in brackets. */
export const hostInAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** The base address of an HTTP server that listens on a host and port; `port` may have been 0. */
export const serverUrl = (server: Server, host: string, port: number): string => {
  const address = server.address();
  return `http://${hostInAddress(host)}:${isAddressInfo(address) ? address.port : port}`;
};

/**
 * A call that the protocol endpoint lists as supported when it decrypts what it sends, by its path. The hashes cover what
 * is stored, so such a log can be neither verified nor copied. Other servers do not list it.
 */
export const decryptingCall = '/media_analysis.decrypting_endpoint/read';
