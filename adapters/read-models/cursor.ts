import * as E from 'fp-ts/lib/Either.js';
import type { InvalidCursor } from '../../projections/queries.js';

/** The number of the last row of a page, as clients hold it. */
export const toCursor = (number: number): string => Buffer.from(String(number)).toString('base64url');

const beforeAll = Number.MAX_SAFE_INTEGER;

const numberIn = (cursor: string, least: number): E.Either<InvalidCursor, number> => {
  const number = Number(Buffer.from(cursor, 'base64url').toString());
  return Number.isSafeInteger(number) && number >= least && toCursor(number) === cursor
    ? E.right(number)
    : E.left({ _tag: 'InvalidCursor' });
};

/** The number below which a page begins. */
export const readCursor = (cursor: string | null): E.Either<InvalidCursor, number> =>
  cursor === null ? E.right(beforeAll) : numberIn(cursor, 1);

/** A place in the order of the log; 0 is before the first event. */
export const readPlace = (cursor: string | null): E.Either<InvalidCursor, number | null> =>
  cursor === null ? E.right(null) : numberIn(cursor, 0);
