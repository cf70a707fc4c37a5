import type * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { type MalformedBody, decodeBody } from '../../../adapters/http/decode.js';
import { endpoints } from '../../../adapters/http/endpoints.js';

const bodies = new Map<string, t.Mixed | null>(endpoints.map(({ operation, body }) => [operation, body]));

/** The codec of the body of an operation. */
export const bodyOf = (operation: string): t.Mixed => {
  const body = bodies.get(operation);
  if (body === undefined || body === null) throw new Error(`${operation} takes no body`);
  return body;
};

export const decodedBody = (operation: string, body: unknown): E.Either<MalformedBody, unknown> =>
  decodeBody(bodyOf(operation), body);
