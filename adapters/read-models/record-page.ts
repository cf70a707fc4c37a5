import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { InvalidCursor } from '../../projections/queries.js';

/** A row's place in the order of a list: what the list is sorted by, and the id. */
export interface Place {
  readonly value: string | null;
  readonly key: string;
}

const Cells = t.tuple([t.union([t.string, t.null]), t.string]);

/** A place as clients hold it. */
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
