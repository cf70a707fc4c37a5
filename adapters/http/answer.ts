import { once } from 'node:events';
import type { Request, Response } from 'express';
import { maxSmallBody } from './body.js';
import type { HttpError } from './refusals/refusal.js';

const jsonType = 'application/json; charset=utf-8';

/** How long a client that was answered early may continue to send its request, in milliseconds. */
const lingerMs = 2_000;

const hasLongRemainder = ({ complete, headers }: Request): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxSmallBody);

/**
 * Writes and ends an answer. If a long part of the request is still to come, it is read and discarded for a moment, so that
 * the client can read the answer; then the connection is closed.
 */
const endAnswer = (response: Response, text: string | Uint8Array): void => {
  const { req: request } = response;
  if (!hasLongRemainder(request)) return void response.end(text);
  response.setHeader('Connection', 'close');
  response.write(text);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  request.once('end', end).once('close', end).resume();
};

const opaqueTags = (list: string): ReadonlyArray<string> => [...list.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);

/**
 * Whether a record with this ETag is one that the client has, according to `If-None-Match` (RFC 9110, 13.1.2): `*` is any
 * record, and ETags are compared without regard to `W/`. Express's `fresh` also reads `Cache-Control: no-cache`, which
 * `fetch` adds to each request with `If-None-Match`, but which only concerns caches between client and server.
 */
export const clientHas = (condition: string | undefined, etag: string | null): boolean => {
  if (condition === undefined) return false;
  if (condition.trim() === '*') return true;
  const [tag] = etag === null ? [] : opaqueTags(etag);
  return tag !== undefined && opaqueTags(condition).includes(tag);
};

/** Answers 304 if the client has the record that it reads. Returns whether it has. */
const sendUnchanged = (response: Response): boolean => {
  const { method, headers } = response.req;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || !clientHas(headers['if-none-match'], response.get('ETag') ?? null)) return false;
  response.statusCode = 304;
  response.end();
  return true;
};

/** Sends `json`, or `body` as JSON if that is null; 304 if the client has the record that it reads. Keeps a type that is set. */
export const sendJson = (response: Response, status: number, body: unknown, json: Uint8Array | null = null): void => {
  if (status === 200 && sendUnchanged(response)) return;
  const text = json ?? Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', text.length);
  endAnswer(response, text);
};

export const sendError = (response: Response, { status, detail, headers = {} }: HttpError): void => {
  // A file that is refused has set its own type.
  response.set({ 'Content-Type': jsonType, ...headers });
  sendJson(response, status, { detail });
};

/**
 * Sends parts one after the other: the next one is made when the client has received the one before, so that no more than
 * one is in memory. If the client disconnects or a part fails, the connection is closed without the end of the answer, so
 * that the client can tell that it is incomplete; `onBreak` gets the reason.
 */
export const sendParts = async (
  response: Response,
  parts: AsyncIterable<Uint8Array>,
  onBreak: (reason: string) => void,
): Promise<void> => {
  if (sendUnchanged(response)) return;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
  if (response.req.method === 'HEAD') return void response.end();
  const closed = new AbortController();
  response.once('close', () => closed.abort(new Error('the client disconnected')));
  try {
    for await (const part of parts) {
      closed.signal.throwIfAborted();
      if (!response.write(part)) await once(response, 'drain', { signal: closed.signal });
    }
    response.end();
  } catch (error: unknown) {
    response.destroy();
    onBreak(error instanceof Error ? error.message : String(error));
  }
};
