import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { PointInHistory } from '../../application/queries/history.js';
import { readTimestamp } from '../../domain/kernel/timestamp.js';
import type { EventSelection } from '../../projections/event-selection.js';
import type { PageRequest, TimeRange } from '../../projections/queries.js';

export interface BadQuery {
  readonly _tag: 'BadQuery';
  readonly parameter: string;
  readonly message: string;
}

/** The query parameters of a request; one that is given twice counts as given once, with its last value. */
export type Query = Readonly<Record<string, string | undefined>>;

export const badQuery = (parameter: string, message: string): E.Either<BadQuery, never> =>
  E.left({ _tag: 'BadQuery', parameter, message });

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A parameter that says yes or no, capitals or not (`True` is what Python sends); null when it is absent. */
export const flag = (query: Query, name: string): E.Either<BadQuery, boolean | null> => {
  const given = query[name];
  const said = given === undefined ? null : flags.get(given.toLowerCase());
  return said === undefined ? badQuery(name, 'must be true or false') : E.right(said);
};

const usualLimit = 100;
const largestLimit = 1_000;

/** `limit` (1 to 1,000; 100 when absent) and `cursor`. */
export const pageRequest = ({ limit, cursor }: Query): E.Either<BadQuery, PageRequest> => {
  if (limit === undefined) return E.right({ limit: usualLimit, cursor: cursor ?? null });
  const wanted = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  return wanted < 1 || wanted > largestLimit
    ? badQuery('limit', `must be an integer from 1 to ${largestLimit}`)
    : E.right({ limit: wanted, cursor: cursor ?? null });
};

/** As `pageRequest`, for a list that comes whole unless it is large or a limit is given. */
export const wholePageRequest = (query: Query): E.Either<BadQuery, PageRequest> =>
  query['limit'] === undefined
    ? E.right({ limit: Number.MAX_SAFE_INTEGER, cursor: query['cursor'] ?? null })
    : pageRequest(query);

/** `at`: a revision (digits alone) or a timestamp. */
export const pointInHistory = (at: string): E.Either<BadQuery, PointInHistory> => {
  if (/^\d{1,15}$/.test(at)) return E.right({ kind: 'revision', revision: Number(at) });
  const time = readTimestamp(at);
  return time === null
    ? badQuery('at', 'must be a revision (digits only) or an RFC 3339 timestamp')
    : E.right({ kind: 'time', time });
};

/** `group_by`: one or several of these, with commas; none when it is absent. */
export const groupBy = <Field extends string>(
  { group_by }: Query,
  fields: ReadonlyArray<Field>,
): E.Either<BadQuery, ReadonlySet<Field>> => {
  const named = group_by === undefined ? [] : group_by.split(',');
  const known = named.flatMap((name) => fields.find((field) => field === name) ?? []);
  return known.length === named.length
    ? E.right(new Set(known))
    : badQuery('group_by', `must be one or more of ${fields.join(', ')}, separated by commas`);
};

type SelectionText = 'stream' | 'category' | 'type' | 'actor' | 'request_id';

const selectionTexts: Readonly<Record<SelectionText, { readonly fits: RegExp; readonly wanted: string }>> = {
  stream: { fits: /^[\x21-\x7e]{1,512}$/, wanted: 'the name of a stream, for example video-7' },
  category: {
    fits: /^[A-Za-z][A-Za-z0-9]{0,63}$/,
    wanted: 'a stream category (the stream name up to the hyphen), for example video',
  },
  type: {
    fits: /^[A-Za-z][A-Za-z0-9]{0,127}(?:\.v\d{1,6})?$/,
    wanted: 'an event type, for example FacesMatched or FacesMatched.v1',
  },
  actor: { fits: /^[\x21-\x7e]{1,256}$/, wanted: 'the id of an API key or account' },
  request_id: { fits: /^[\x21-\x7e]{1,256}$/, wanted: 'the id of a request' },
};

const selectionText = (query: Query, name: SelectionText): E.Either<BadQuery, string | null> => {
  const [given, { fits, wanted }] = [query[name], selectionTexts[name]];
  if (given === undefined) return E.right(null);
  return fits.test(given) ? E.right(given) : badQuery(name, `must be ${wanted}`);
};

/** `stream`, `category`, `type`, `actor`, `request_id`, `from` and `to`: what of the log is wanted. */
export const eventSelection = (query: Query): E.Either<BadQuery, EventSelection> =>
  pipe(
    E.Do,
    E.bind('stream', () => selectionText(query, 'stream')),
    E.bind('category', () => selectionText(query, 'category')),
    E.bind('type', () => selectionText(query, 'type')),
    E.bind('actor', () => selectionText(query, 'actor')),
    E.bind('request_id', () => selectionText(query, 'request_id')),
    E.bind('range', () => timeRange(query)),
    E.map(({ range, ...texts }) => ({ ...texts, ...range })),
  );

/** Two parameters that are timestamps, in this order. */
export const timeRangeOf = (query: Query, start: string, end: string): E.Either<BadQuery, TimeRange> => {
  const [given, until] = [query[start], query[end]];
  const range = {
    from: given === undefined ? null : readTimestamp(given),
    to: until === undefined ? null : readTimestamp(until),
  };
  if (given !== undefined && range.from === null) return badQuery(start, 'must be an RFC 3339 timestamp');
  if (until !== undefined && range.to === null) return badQuery(end, 'must be an RFC 3339 timestamp');
  return range.from !== null && range.to !== null && range.from > range.to
    ? badQuery(start, `must not be later than ${end}`)
    : E.right(range);
};

/** `from` and `to`. */
export const timeRange = (query: Query): E.Either<BadQuery, TimeRange> => timeRangeOf(query, 'from', 'to');
