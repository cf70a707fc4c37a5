import type { Request, Response } from 'express';
import { jsonLength } from '../../runtime/json-size.js';
import { nextTurn } from '../../runtime/event-loop.js';
import { maxSmallBody } from '../bodies/byte-budget.js';
import { largeReads } from '../bodies/read-throttle.js';
import { clientHas } from './entity-tags.js';
import type { HttpError } from '../refusals/http-error.js';
import { isLonger, jsonPieces } from './json-pieces.js';
import type { UnsentAnswer } from './unsent-answers.js';

/** Longer JSON is generated and sent in pieces, in characters. */
const maxWhole = 200_000;
/** Longer answers count as unsent until the client has received them, in bytes. */
const minCounted = 16 * 1024;
/** The maximum length of one write, in bytes. A client that receives this much is making progress. */
const maxWrite = 256 * 1024;

export const jsonType = 'application/json; charset=utf-8';

/** How an answer is sent. */
export interface Sending {
  /** Called with the reason if an answer could not be sent in full. */
  readonly onBreak: (reason: string) => void;
  /** Starts counting the unsent bytes of the answer; null if they are not limited. */
  readonly countUnsent: (() => UnsentAnswer) | null;
  /** Delays the end of a short answer until this resolves. */
  readonly endsAfter?: Promise<void> | null;
}

const nothing = (): void => undefined;
const defaultSending: Sending = { onBreak: nothing, countUnsent: null };

/** Yields to other work after each piece. */
async function* yieldingPieces(pieces: Iterable<string>): AsyncGenerator<string, void> {
  for (const piece of pieces) {
    yield piece;
    // oxlint-disable-next-line no-await-in-loop -- the pause is the purpose
    await nextTurn();
  }
}

/** Writes a piece and waits until the client has received it. Rejects if the client disconnects. */
const writePiece = (response: Response, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    // Not `Promise.race` with one promise for the end: that would collect a reaction for every piece.
    const disconnected = (): void => reject(new Error('the client disconnected'));
    response.once('close', disconnected);
    response.write(piece, (error) => {
      response.off('close', disconnected);
      if (error) reject(error);
      else resolve();
    });
  });

/** Writes bytes and waits until the client has received them. */
const write = async (response: Response, bytes: Uint8Array, unsent: UnsentAnswer | null): Promise<void> => {
  unsent?.add(bytes.length);
  for (let from = 0; from < bytes.length; from += maxWrite) {
    const piece = bytes.subarray(from, from + maxWrite);
    await writePiece(response, piece);
    unsent?.sent(piece.length);
  }
};

type Parts = AsyncIterable<string | Uint8Array>;

const writeAll = async (response: Response, parts: Parts, unsent: UnsentAnswer | null): Promise<void> => {
  for await (const part of parts) await write(response, typeof part === 'string' ? Buffer.from(part) : part, unsent);
  response.end();
};

const stream = (response: Response, parts: Parts, unsent: UnsentAnswer | null, { onBreak }: Sending): void => {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
  if (response.req.method === 'HEAD') return void response.end();
  if (unsent !== null) response.once('close', unsent.end);
  writeAll(response, parts, unsent).catch((error: unknown) => {
    response.destroy();
    onBreak(error instanceof Error ? error.message : String(error));
  });
};

/**
 * Sends parts one after the other, each when the client has received the one before. If the client disconnects or a part
 * fails, the connection is closed without the end of the answer, so that the client can tell that it is incomplete.
 */
export const sendParts = (response: Response, parts: Parts, sending: Sending = defaultSending): void =>
  stream(response, parts, sending.countUnsent?.() ?? null, sending);

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

interface SizedJson {
  readonly text: string | Uint8Array;
  /** In bytes. */
  readonly length: number;
}

/** The JSON of recent bodies: thousands of clients may receive the same answer, which is serialised once. */
const serialised = new WeakMap<object, SizedJson>();

/** The JSON of a body; null if it is to be sent in pieces. */
const jsonOf = (body: unknown): SizedJson | null => {
  const key = typeof body === 'object' ? body : null;
  const known = key === null ? undefined : serialised.get(key);
  if (known !== undefined) return known;
  if (isLonger(body, maxWhole)) return null;
  const text = JSON.stringify(body);
  const sized = { text, length: Buffer.byteLength(text) };
  if (key !== null) serialised.set(key, sized);
  return sized;
};

/** Writes a whole answer now and ends it later. The client has it at once: only the next request on the connection waits. */
const writeBeforeEnd = (response: Response, text: string | Uint8Array, endsAfter: Promise<void>): void => {
  const { socket } = response;
  // Headers and body in one write.
  socket?.cork();
  response.write(text);
  socket?.uncork();
  void endsAfter.then(() => response.end());
};

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
  request
    .on('data', (chunk: Buffer) => largeReads.count(request, chunk.length))
    .once('end', end)
    .once('close', end)
    .resume();
};

/** Whether the client has the record that it reads. */
const isUnchanged = (response: Response, status: number): boolean => {
  const { method, headers } = response.req;
  const condition = headers['if-none-match'];
  if (condition === undefined || status !== 200 || (method !== 'GET' && method !== 'HEAD')) return false;
  return clientHas(condition, response.get('ETag') ?? null);
};

/** Sends `json`, or `body` as JSON if that is null; a large body in pieces. */
export const sendJson = (
  response: Response,
  status: number,
  body: unknown,
  json: Uint8Array | null = null,
  sending: Sending = defaultSending,
): void => {
  // It is 200 by default, and setting it takes time.
  if (response.statusCode !== status) response.statusCode = status;
  if (isUnchanged(response, status)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const { countUnsent, endsAfter = null } = sending;
  const sized = json === null ? jsonOf(body) : { text: json, length: json.length };
  if (sized === null) {
    const unsent = countUnsent?.() ?? null;
    unsent?.add(jsonLength(body));
    return stream(response, yieldingPieces(jsonPieces(body)), unsent, sending);
  }
  const { text, length } = sized;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', length);
  if (length > maxWrite) return sendParts(response, whole(Buffer.from(text)), sending);
  if (length > minCounted && countUnsent !== null) {
    const unsent = countUnsent();
    unsent.add(length);
    response.once('close', unsent.end);
  }
  // Without a body, nothing can be written before the end.
  if (endsAfter === null || response.req.method === 'HEAD' || !response.req.complete) return endAnswer(response, text);
  writeBeforeEnd(response, text, endsAfter);
};

export const sendError = (response: Response, { status, detail, headers = {} }: HttpError): void => {
  response.set(headers);
  sendJson(response, status, { detail });
};
