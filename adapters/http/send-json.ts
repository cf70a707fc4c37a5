import { Readable, pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { endAnswer } from './bodies/receive.js';
import type { HttpError } from './http-error.js';
import { isLonger, jsonPieces } from './json-pieces.js';

/** Answers that are longer leave in pieces, in characters. */
const large = 200_000;

const jsonType = 'application/json; charset=utf-8';

/** Pieces of text, each after other work had its turn. */
export async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string, void> {
  for (const piece of pieces) {
    yield piece;
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    await setImmediate();
  }
}

/**
 * Sends texts one after the other, each when the client has taken the one before. A client that goes away, or a failure
 * on the way, ends the answer without its end, so that it cannot be taken for whole.
 */
export const sendParts = (
  response: Response,
  parts: AsyncIterable<string>,
  onBreak: (reason: string) => void,
): void => {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
  if (response.req.method === 'HEAD') return void response.end();
  pipeline(Readable.from(parts, { objectMode: true, highWaterMark: 1 }), response, (error) => {
    if (error) onBreak(error.message);
  });
};

const nothing = (): void => undefined;

/** Sends a body as JSON, or the JSON of it that is at hand; a large one in pieces. */
export const sendJson = (
  response: Response,
  status: number,
  body: unknown,
  json: Uint8Array | null = null,
  onBreak: (reason: string) => void = nothing,
): void => {
  response.statusCode = status;
  if (response.req.fresh) {
    response.statusCode = 304;
    response.end();
    return;
  }
  if (json === null && isLonger(body, large)) return sendParts(response, inTurns(jsonPieces(body)), onBreak);
  const text = json ?? JSON.stringify(body);
  response.setHeader('Content-Type', jsonType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  endAnswer(response.req, response, text);
};

export const sendError = (response: Response, { status, detail, headers = {} }: HttpError): void => {
  response.set(headers);
  sendJson(response, status, { detail });
};
