import * as E from 'fp-ts/lib/Either.js';
import type { InvalidCursor } from '../../projections/queries.js';

/** The number of the last row of a page, as clients hold it. */
export const toCursor = (number: number): string => Buffer.from(String(number)).toString('base64url');

const beforeAll = Number.MAX_SAFE_INTEGER;

/** The number below which a page begins. */
export const readCursor = (cursor: string | null): E.Either<InvalidCursor, number> => {
  if (cursor === null) return E.right(beforeAll);
  const number = Number(Buffer.from(cursor, 'base64url').toString());
  return Number.isSafeInteger(number) && number > 0 && toCursor(number) === cursor
    ? E.right(number)
    : E.left({ _tag: 'InvalidCursor' });
};
