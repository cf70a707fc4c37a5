import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { InvalidCursor } from '../../projections/queries.js';
import { parsedJson } from './json.js';

type Values = ReadonlyArray<string | number | null>;

/** A cursor: where the next page of a list begins. It is opaque to clients. */
export const toCursor = (values: Values): string => Buffer.from(JSON.stringify(values)).toString('base64url');

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A number in a cursor. */
export const Count = new t.Type<number>(
  'Count',
  isCount,
  (value, context) => (isCount(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);

/** The values of a cursor that `toCursor` made; null for the first page, which has no cursor. */
export const readCursor = <Read extends Values>(
  codec: t.Type<Read>,
  cursor: string | null,
): E.Either<InvalidCursor, Read | null> => {
  if (cursor === null) return E.right(null);
  const values = parsedJson(Buffer.from(cursor, 'base64url').toString());
  return codec.is(values) && toCursor(values) === cursor ? E.right(values) : E.left({ _tag: 'InvalidCursor' });
};
