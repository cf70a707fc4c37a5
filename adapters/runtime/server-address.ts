import type { AddressInfo, Server } from 'node:net';

/** A host as it is written in an address: IPv6 addresses in brackets. */
export const hostInAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** The base address of an HTTP server that listens on a host and port; `port` may have been 0. */
export const serverUrl = (server: Server, host: string, port: number): string => {
  const address = server.address();
  return `http://${hostInAddress(host)}:${isAddressInfo(address) ? address.port : port}`;
};
