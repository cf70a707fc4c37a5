import type { IncomingHttpHeaders } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

export interface BadHeader {
  readonly _tag: 'BadHeader';
  readonly header: string;
  readonly message: string;
}

/** The revision that `If-Match` asks for; null when it asks for none, or for any. */
export const conditionOf = ({ 'if-match': condition }: IncomingHttpHeaders): E.Either<BadHeader, number | null> => {
  if (condition === undefined || condition.trim() === '*') return E.right(null);
  const revision = /^\s*(?:W\/)?"?(\d{1,15})"?\s*$/.exec(condition)?.[1];
  return revision === undefined
    ? E.left({ _tag: 'BadHeader', header: 'If-Match', message: 'must be the ETag of the record, for example "7"' })
    : E.right(Number(revision));
};

const longestKey = 255;

/** The key under which a request is served once; null when it brings none. */
export const idempotencyKeyOf = ({
  'idempotency-key': key,
}: IncomingHttpHeaders): E.Either<BadHeader, string | null> => {
  if (key === undefined) return E.right(null);
  return typeof key === 'string' && key.trim() !== '' && key.length <= longestKey
    ? E.right(key)
    : E.left({
        _tag: 'BadHeader',
        header: 'Idempotency-Key',
        message: `must be a text of 1 to ${longestKey} characters`,
      });
};

/** The position that the client wants to see at least. */
export const minimalPosition = (
  { 'x-min-position': position }: IncomingHttpHeaders,
  isPosition: (text: string) => boolean,
): E.Either<BadHeader, Position | null> => {
  if (position === undefined) return E.right(null);
  return typeof position === 'string' && isPosition(position)
    ? E.right(position)
    : E.left({ _tag: 'BadHeader', header: 'X-Min-Position', message: 'must be a value of X-Event-Position' });
};
