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

const tooLarge = E.left<UnreadableBody>({ _tag: 'PayloadTooLarge' });
const cutOff = E.left<UnreadableBody>({ _tag: 'BodyCutOff' });

/** A body without an encoding, as nearly all are. What is left of one that is refused is read and forgotten. */
const readPlain = (request: Request, limit: number): Promise<E.Either<UnreadableBody, Uint8Array>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (): void => {
      chunks.length = 0;
      resolve(tooLarge);
    };
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= limit) chunks.push(chunk);
        else refuse();
      })
      .on('end', () => resolve(E.right(chunks.length === 1 ? (chunks[0] ?? none) : Buffer.concat(chunks))))
      .on('error', () => resolve(cutOff))
      .on('close', () => resolve(cutOff));
    if (request.destroyed) resolve(cutOff);
    if (Number(request.headers['content-length']) > limit) refuse();
  });

/** The bytes of a body of at most so many bytes, whatever type it says it has; none where the endpoint takes none. */
export const readBody =
  (request: Request, response: Response, limit: number | null): TaskEither<UnreadableBody, Uint8Array> =>
  () => {
    if (limit === null) return Promise.resolve(E.right(none));
    if (request.headers['content-encoding'] === undefined) return readPlain(request, limit);
    return new Promise((resolve) => {
      readerFor(limit)(request, response, (error?: unknown) => {
        const body: unknown = request.body;
        if (error !== undefined) resolve(E.left(reasonOf(error)));
        else resolve(E.right(body instanceof Uint8Array ? body : none));
      });
    });
  };
