import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { coded } from './http-error.js';
import { endWith } from './raw-answer.js';
import { idOfRequest } from './request-id.js';

/** Hands on the body that follows: Node has stopped reading the connection as HTTP, and left all bytes to us. */
const feedBody = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
  let missing = Number(request.headers['content-length'] ?? 0);
  const take = (bytes: Buffer): void => {
    const part = bytes.subarray(0, missing);
    missing -= part.length;
    if (part.length > 0) request.push(part);
    if (missing > 0) return;
    request.complete = true;
    request.push(null);
    socket.off('data', take);
  };
  socket.on('data', take);
  socket.once('close', () => (missing > 0 ? request.destroy() : undefined));
  take(head);
  socket.resume();
};

/** The request anew: Node has ended the one that it read, before its body. */
const withBody = (read: IncomingMessage, socket: Socket): IncomingMessage => {
  const request = new IncomingMessage(socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = read;
  return Object.assign(request, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
};

/**
 * Serves a request whose wish for another protocol is not heard, such as HTTP/2 without encryption, which some clients
 * ask for with every request; RFC 9110, 7.8, lets a server go on as if they had not. The connection ends with the answer.
 */
export const serveUnupgraded = (
  listener: RequestListener,
  read: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void => {
  if (!(socket instanceof Socket) || read.headers['transfer-encoding'] !== undefined) {
    const why = 'A request that asks for another protocol needs a Content-Length';
    return endWith(socket, coded(501, 'not_implemented', why), idOfRequest(read));
  }
  const request = withBody(read, socket);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  feedBody(request, socket, head);
  listener(request, response);
};
