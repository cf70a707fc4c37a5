import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { InvalidCursor } from '../../projections/queries.js';

/** A cursor for the number of the last row of a page. */
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

/** A number in the order of the log; 0 is before the first event. */
export const readPlace = (cursor: string | null): E.Either<InvalidCursor, number | null> =>
  cursor === null ? E.right(null) : numberIn(cursor, 0);

/** The place of a row in a sorted list: the value it is sorted by, and its id. */
export interface Place {
  readonly value: string | null;
  readonly key: string;
}

const Cells = t.tuple([t.union([t.string, t.null]), t.string]);

/** A cursor for a place. */
export const toPlaceCursor = ({ value, key }: Place): string =>
  Buffer.from(JSON.stringify([value, key])).toString('base64url');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The place after which a page begins; null for the first page. */
export const readPlaceCursor = (cursor: string | null): E.Either<InvalidCursor, Place | null> => {
  if (cursor === null) return E.right(null);
  const cells = parsed(Buffer.from(cursor, 'base64url').toString());
  if (!Cells.is(cells)) return E.left({ _tag: 'InvalidCursor' });
  const place = { value: cells[0], key: cells[1] };
  return toPlaceCursor(place) === cursor ? E.right(place) : E.left({ _tag: 'InvalidCursor' });
};
