import { raw } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

export interface UnreadableBody {
  readonly _tag: 'PayloadTooLarge' | 'UnsupportedEncoding' | 'BodyCutOff';
}

const readers = new Map<number, RequestHandler>();

const readerFor = (limit: number): RequestHandler => {
  const known = readers.get(limit) ?? raw({ type: () => true, limit });
  readers.set(limit, known);
  return known;
};

const none = new Uint8Array();

const reasonOf = (error: unknown): UnreadableBody => {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
  if (status === 413) return { _tag: 'PayloadTooLarge' };
  return { _tag: status === 415 ? 'UnsupportedEncoding' : 'BodyCutOff' };
};

/** The bytes of a body of at most so many bytes, whatever type it says it has; none where the endpoint takes none. */
export const readBody =
  (request: Request, response: Response, limit: number | null): TaskEither<UnreadableBody, Uint8Array> =>
  () =>
    new Promise((resolve) => {
      if (limit === null) return resolve(E.right(none));
      return readerFor(limit)(request, response, (error?: unknown) => {
        const body: unknown = request.body;
        if (error !== undefined) resolve(E.left(reasonOf(error)));
        else resolve(E.right(body instanceof Uint8Array ? body : none));
      });
    });
