import { once } from 'node:events';
import type { Response } from 'express';
import { jsonLength } from '../../domain/kernel/size.js';
import { nextTurn } from '../runtime/event-loop.js';
import { endAnswer } from './bodies/receive.js';
import type { HttpError } from './http-error.js';
import { isLonger, jsonPieces } from './json-pieces.js';
import type { UnsentAnswer } from './unsent-answers.js';

/** Answers that are longer leave in pieces, in characters. */
const large = 200_000;
/** What is longer is counted while it waits for its client, in bytes. */
const counted = 16 * 1024;
/** So much is written at once, in bytes: a client that takes that much is not standing still. */
const pieceSize = 256 * 1024;

const jsonType = 'application/json; charset=utf-8';

/** How an answer is sent. */
export interface Sending {
  /** Told why an answer did not come to its end. */
  readonly onBreak: (reason: string) => void;
  /** What of it waits for the client; null where there is too little to be counted. */
  readonly unsent: UnsentAnswer | null;
  /** When to end what was written in one go; null and absent: at once. */
  readonly endsAfter?: Promise<void> | null;
}

const nothing = (): void => undefined;
const plainly: Sending = { onBreak: nothing, unsent: null };

/** Pieces of text, each after other work had its turn. */
async function* runInParts(pieces: Iterable<string>): AsyncGenerator<string, void> {
  for (const piece of pieces) {
    yield piece;
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    await nextTurn();
  }
}

/** Writes bytes, and waits until the client has taken them; rejects where it goes away. */
const write = async (response: Response, bytes: Uint8Array, unsent: UnsentAnswer | null, gone: Promise<unknown>) => {
  unsent?.hold(bytes.length);
  for (let from = 0; from < bytes.length; from += pieceSize) {
    const piece = bytes.subarray(from, from + pieceSize);
    const written = new Promise<void>((resolve, reject) => {
      response.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([written, gone]);
    unsent?.taken(piece.length);
  }
};

const writeAll = async (response: Response, parts: AsyncIterable<string | Uint8Array>, { unsent }: Sending) => {
  const stop = new AbortController();
  const gone = once(response, 'close', { signal: stop.signal }).then(() => {
    throw new Error('the client went away');
  });
  gone.catch(nothing);
  try {
    for await (const part of parts)
      await write(response, typeof part === 'string' ? Buffer.from(part) : part, unsent, gone);
    response.end();
  } finally {
    stop.abort();
  }
};

/**
 * Sends texts one after the other, each when the client has taken the one before. A client that goes away, or a failure
 * on the way, ends the answer without its end, so that it cannot be taken for whole.
 */
export const sendParts = (
  response: Response,
  parts: AsyncIterable<string | Uint8Array>,
  sending: Sending = plainly,
): void => {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
  if (response.req.method === 'HEAD') return void response.end();
  if (sending.unsent !== null) response.once('close', sending.unsent.end);
  writeAll(response, parts, sending).catch((error: unknown) => {
    response.destroy();
    sending.onBreak(error instanceof Error ? error.message : String(error));
  });
};

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** JSON, and how many bytes it is. */
interface Sized {
  readonly text: string | Uint8Array;
  readonly length: number;
}

/** Thousands may have waited for the same answer: its text is made, and measured, once. */
const texts = new WeakMap<object, Sized>();

/** The JSON of a body; null of one that is to leave in pieces. */
const textOf = (body: unknown): Sized | null => {
  const key = typeof body === 'object' ? body : null;
  const known = key === null ? undefined : texts.get(key);
  if (known !== undefined) return known;
  if (isLonger(body, large)) return null;
  const text = JSON.stringify(body);
  const sized = { text, length: Buffer.byteLength(text) };
  if (key !== null) texts.set(key, sized);
  return sized;
};

/**
 * Writes a whole answer, and ends it later. Its client has it by then: what waits is the end of the connection, or the
 * next request on it.
 */
const writeBeforeEnd = (response: Response, text: string | Uint8Array, endsAfter: Promise<void>): void => {
  const { socket } = response;
  // One write of headers and body.
  socket?.cork();
  response.write(text);
  socket?.uncork();
  void endsAfter.then(() => response.end());
};

/** Sends a body as JSON, or the JSON of it that is at hand; a large one in pieces. */
export const sendJson = (
  response: Response,
  status: number,
  body: unknown,
  json: Uint8Array | null = null,
  sending: Sending = plainly,
): void => {
  // It is 200 from the start, and setting it costs time.
  if (response.statusCode !== status) response.statusCode = status;
  const { headers } = response.req;
  if ((headers['if-none-match'] ?? headers['if-modified-since']) !== undefined && response.req.fresh) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const { unsent, endsAfter = null } = sending;
  const sized = json === null ? textOf(body) : { text: json, length: json.length };
  if (sized === null) {
    unsent?.hold(jsonLength(body));
    return sendParts(response, runInParts(jsonPieces(body)), sending);
  }
  const { text, length } = sized;
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', length);
  if (length > pieceSize) return sendParts(response, whole(Buffer.from(text)), sending);
  if (length > counted && unsent !== null) {
    unsent.hold(length);
    response.once('close', unsent.end);
  }
  // Of an answer without a body nothing is written before its end.
  if (endsAfter === null || response.req.method === 'HEAD' || !response.req.complete)
    return endAnswer(response.req, response, text);
  writeBeforeEnd(response, text, endsAfter);
};

export const sendError = (response: Response, { status, detail, headers = {} }: HttpError): void => {
  response.set(headers);
  sendJson(response, status, { detail });
};
