import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EvidenceQuery, Place } from '../../application/evidence/evidence-page.js';
import type { InvalidCursor } from '../../projections/queries.js';
import { type BadQuery, type Query, pageRequest } from './query.js';

const bad = (parameter: string, message: string): E.Either<BadQuery, never> =>
  E.left({ _tag: 'BadQuery', parameter, message });

const seconds = (query: Query, name: 'from' | 'to'): E.Either<BadQuery, number | null> => {
  const given = query[name];
  if (given === undefined) return E.right(null);
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(given)
    ? E.right(Number(given))
    : bad(name, 'must be a number of seconds, 0 or more');
};

const subject = (query: Query, name: string): E.Either<BadQuery, number | null> => {
  const given = query[name];
  if (given === undefined) return E.right(null);
  return /^\d{1,15}$/.test(given) ? E.right(Number(given)) : bad(name, 'must be a non-negative integer');
};

/** The cursor of the page that begins at a place of the analysis that lies there in its stream. */
export const evidenceCursor = ({ part, offset, index }: Place, first_revision: number | null): string =>
  [first_revision, part, offset, index].join('.');

const placeIn = (cursor: string | null, first_revision: number | null): E.Either<InvalidCursor, Place | null> => {
  if (cursor === null) return E.right(null);
  const [, analysis, part, offset, index] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  return analysis !== undefined && Number(analysis) === first_revision
    ? E.right({ part: Number(part), offset: Number(offset), index: Number(index) })
    : E.left({ _tag: 'InvalidCursor' });
};

/** `from` and `to` in seconds, the face or speaker, `limit` (1 to 1,000, which is the default) and `cursor`. */
export const readEvidenceQuery = (
  query: Query,
  subjectName: string,
  first_revision: number | null,
): E.Either<BadQuery | InvalidCursor, { readonly wanted: EvidenceQuery; readonly place: Place | null }> =>
  pipe(
    E.Do,
    E.bind('from', () => seconds(query, 'from')),
    E.bind('to', () => seconds(query, 'to')),
    E.bind('subject', () => subject(query, subjectName)),
    E.bind('page', () => pageRequest({ ...query, limit: query['limit'] ?? '1000' })),
    E.filterOrElseW(
      ({ from, to }) => from === null || to === null || from <= to,
      (): BadQuery => ({ _tag: 'BadQuery', parameter: 'from', message: 'must not be later than to' }),
    ),
    E.bind('wanted', ({ from, to, subject, page: { limit } }) => E.right({ from, to, subject, limit })),
    E.bindW('place', ({ page: { cursor } }) => placeIn(cursor, first_revision)),
    E.map(({ wanted, place }) => ({ wanted, place })),
  );
