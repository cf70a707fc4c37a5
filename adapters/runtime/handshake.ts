import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request to upgrade a connection to a WebSocket. `head`: the bytes that arrived after the request. */
export interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly request_id: string;
  /** Answers with an HTTP error instead of the upgrade, and closes the connection. */
  readonly refuse: (status: number, code: string, message: string, headers?: Readonly<Record<string, string>>) => void;
}
