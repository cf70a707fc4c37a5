import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EvidenceQuery, Place } from '../../application/evidence/evidence-page.js';
import type { InvalidCursor } from '../../projections/queries.js';
import { type BadQuery, type Query, pageRequest } from './query.js';

/** What a cursor belongs to: one list of one record, as one analysis made it. */
interface Scope {
  readonly path: string;
  /** Where the analysis lies in its stream; null when there is none. */
  readonly first_revision: number | null;
  readonly digest: (text: string) => string;
}

const bad = (parameter: string, message: string): E.Either<BadQuery, never> =>
  E.left({ _tag: 'BadQuery', parameter, message });

const seconds = (query: Query, name: 'from' | 'to'): E.Either<BadQuery, number | null> => {
  const given = query[name];
  if (given === undefined) return E.right(null);
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(given) ? E.right(Number(given)) : bad(name, 'must be a time in seconds');
};

const subject = (query: Query, name: string): E.Either<BadQuery, number | null> => {
  const given = query[name];
  if (given === undefined) return E.right(null);
  return /^\d{1,15}$/.test(given) ? E.right(Number(given)) : bad(name, 'must be a non-negative integer');
};

/** Ties a cursor to what it was given out for: with another list or other filters it is refused. */
const sealOf = ({ from, to, subject }: EvidenceQuery, { path, first_revision, digest }: Scope): string =>
  digest(JSON.stringify([path, first_revision, from, to, subject])).slice(0, 16);

/** The cursor of the page that begins at a place. */
export const evidenceCursor = (wanted: EvidenceQuery, { part, offset, index }: Place, scope: Scope): string =>
  Buffer.from([sealOf(wanted, scope), part, offset, index].join('.')).toString('base64url');

const placeIn = (cursor: string | null, wanted: EvidenceQuery, scope: Scope): E.Either<InvalidCursor, Place | null> => {
  if (cursor === null) return E.right(null);
  const [, seal, part, offset, index] =
    /^([^.]{1,64})\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return seal === sealOf(wanted, scope)
    ? E.right({ part: Number(part), offset: Number(offset), index: Number(index) })
    : E.left({ _tag: 'InvalidCursor' });
};

/** `from` and `to` in seconds, the face or speaker, `limit` (1 to 1,000, which is the default) and `cursor`. */
export const readEvidenceQuery = (
  query: Query,
  subjectName: string,
  scope: Scope,
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
    E.bindW('place', ({ wanted, page: { cursor } }) => placeIn(cursor, wanted, scope)),
    E.map(({ wanted, place }) => ({ wanted, place })),
  );
