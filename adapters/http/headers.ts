import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

const validRequestId = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
export const requestIdHeader = 'X-Request-Id';

/** The id of a request: its own `X-Request-Id` if that is valid, otherwise a new one. */
export const idOfRequest = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
};

/** The id of the request that a response answers. */
export const requestIdOf = (response: Response): string => String(response.get(requestIdHeader));

export interface BadHeader {
  readonly _tag: 'BadHeader';
  readonly header: string;
  readonly message: string;
}

const badHeader = (header: string, message: string): E.Either<BadHeader, never> =>
  E.left({ _tag: 'BadHeader', header, message });

/**
 * The revision that `If-Match` requires; null if it requires none, or any (`*`). A weak ETag never matches (RFC 9110,
 * section 13.1.1), and the service gives none.
 */
export const requiredRevision = ({
  'if-match': condition,
}: IncomingHttpHeaders): E.Either<BadHeader, number | null> => {
  if (condition === undefined || condition.trim() === '*') return E.right(null);
  const revision = /^\s*"(\d{1,15})"\s*$/.exec(condition)?.[1];
  return revision === undefined
    ? badHeader('If-Match', 'must be the ETag of the record with its quotation marks, for example "7", or *')
    : E.right(Number(revision));
};

const maxKeyLength = 255;

/** The `Idempotency-Key` of a request; null if it has none. */
export const idempotencyKeyOf = ({
  'idempotency-key': key,
}: IncomingHttpHeaders): E.Either<BadHeader, string | null> => {
  if (key === undefined) return E.right(null);
  return typeof key === 'string' && key.trim() !== '' && key.length <= maxKeyLength
    ? E.right(key)
    : badHeader('Idempotency-Key', `must be a text of 1 to ${maxKeyLength} characters`);
};

/** The position that the answer must include at least (`X-Min-Position`); null if there is no such header. */
export const minPosition = (
  { 'x-min-position': position }: IncomingHttpHeaders,
  positionIn: (text: string) => Position | null,
): E.Either<BadHeader, Position | null> => {
  if (position === undefined) return E.right(null);
  const wanted = typeof position === 'string' ? positionIn(position) : null;
  return wanted !== null ? E.right(wanted) : badHeader('X-Min-Position', 'must be a value of X-Event-Position');
};
