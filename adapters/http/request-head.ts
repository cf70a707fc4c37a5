import { createHash, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { sequenceS } from 'fp-ts/lib/Apply.js';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { PointInHistory } from '../../application/queries/events.js';
import { type Timestamp, readTimestamp } from '../../domain/kernel/timestamp.js';
import type { EventSelection } from '../../projections/event-selection.js';
import type { PageRequest, TimeRange } from '../../projections/queries.js';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Position } from '../../domain/kernel/recorded-event.js';

export interface BadQuery {
  readonly _tag: 'BadQuery';
  readonly parameter: string;
  readonly message: string;
  /** Further wrong parameters. */
  readonly others?: ReadonlyArray<BadQuery>;
}

/** All of several readings of a query; the refusal names every wrong parameter. */
export const together = sequenceS(
  E.getApplicativeValidation<BadQuery>({
    concat: (one, { others = [], ...other }) => ({ ...one, others: [...(one.others ?? []), other, ...others] }),
  }),
);

/** The query parameters of a request. If one is given several times, the last value counts. */
export type Query = Readonly<Record<string, string | undefined>>;

export const badQuery = (parameter: string, message: string): E.Either<BadQuery, never> =>
  E.left({ _tag: 'BadQuery', parameter, message });

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A boolean parameter in any case, since Python sends `True`; null if it is absent. */
export const flag = (query: Query, name: string): E.Either<BadQuery, boolean | null> => {
  const given = query[name];
  const value = given === undefined ? null : flags.get(given.toLowerCase());
  return value === undefined ? badQuery(name, 'must be true or false') : E.right(value);
};

const defaultLimit = 100;
const maxLimit = 1_000;

/** `limit` (1 to 1,000; by default 100) and `cursor`. */
export const pageRequest = ({ limit, cursor }: Query): E.Either<BadQuery, PageRequest> => {
  if (limit === undefined) return E.right({ limit: defaultLimit, cursor: cursor ?? null });
  const wanted = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  return wanted < 1 || wanted > maxLimit
    ? badQuery('limit', `must be an integer from 1 to ${maxLimit}`)
    : E.right({ limit: wanted, cursor: cursor ?? null });
};

/** As `pageRequest`, but without a default limit: for lists that are returned in full unless they are large. */
export const wholePageRequest = (query: Query): E.Either<BadQuery, PageRequest> =>
  query['limit'] === undefined
    ? E.right({ limit: Number.MAX_SAFE_INTEGER, cursor: query['cursor'] ?? null })
    : pageRequest(query);

/** `at`: a revision (digits only) or a timestamp. */
export const pointInHistory = (at: string): E.Either<BadQuery, PointInHistory> => {
  if (/^\d{1,15}$/.test(at)) return E.right({ kind: 'revision', revision: Number(at) });
  const time = readTimestamp(at);
  return time === null
    ? badQuery(
        'at',
        'must be a revision (digits only), a time with its offset, such as 2026-01-31T12:00:00Z, or a date',
      )
    : E.right({ kind: 'time', time });
};

/** `group_by`: one or more of `fields`, separated by commas; none if it is absent. */
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

const selectionTexts: Readonly<Record<SelectionText, { readonly pattern: RegExp; readonly expected: string }>> = {
  stream: { pattern: /^[\x21-\x7e]{1,512}$/, expected: 'the name of a stream, for example video-7' },
  category: {
    pattern: /^[A-Za-z][A-Za-z0-9]{0,63}$/,
    expected: 'a stream category (the stream name up to the hyphen), for example video',
  },
  type: {
    pattern: /^[A-Za-z][A-Za-z0-9]{0,127}(?:\.v\d{1,6})?$/,
    expected: 'an event type, for example FacesMatched or FacesMatched.v1',
  },
  actor: { pattern: /^[\x21-\x7e]{1,256}$/, expected: 'the id of an API key or account' },
  request_id: { pattern: /^[\x21-\x7e]{1,256}$/, expected: 'the id of a request' },
};

const selectionText = (query: Query, name: SelectionText): E.Either<BadQuery, string | null> => {
  const [given, { pattern, expected }] = [query[name], selectionTexts[name]];
  if (given === undefined) return E.right(null);
  return pattern.test(given) ? E.right(given) : badQuery(name, `must be ${expected}`);
};

const hidden = ({ hide }: Query): E.Either<BadQuery, EventSelection['hide']> =>
  hide === undefined || hide === 'bookkeeping' ? E.right(hide ?? null) : badQuery('hide', 'must be bookkeeping');

/** Whether a list is wanted from its end. */
export const isDescending = ({ order }: Query): E.Either<BadQuery, boolean> =>
  order === undefined || order === 'asc' || order === 'desc'
    ? E.right(order === 'desc')
    : badQuery('order', 'must be asc or desc');

/** The events selected by `stream`, `category`, `type`, `actor`, `request_id`, `from`, `to` and `hide`. */
export const eventSelection = (query: Query): E.Either<BadQuery, EventSelection> =>
  pipe(
    together({
      stream: selectionText(query, 'stream'),
      category: selectionText(query, 'category'),
      type: selectionText(query, 'type'),
      actor: selectionText(query, 'actor'),
      request_id: selectionText(query, 'request_id'),
      range: timeRange(query),
      hide: hidden(query),
    }),
    E.map(({ range, ...texts }) => ({ ...texts, ...range })),
  );

const mustBeTime = 'must be a time with its offset, such as 2026-01-31T12:00:00Z, or a date, such as 2026-01-31';

const timeOf = (query: Query, name: string): E.Either<BadQuery, Timestamp | null> => {
  const given = query[name];
  const time = given === undefined ? null : readTimestamp(given);
  return given !== undefined && time === null ? badQuery(name, mustBeTime) : E.right(time);
};

/** A time range given by two parameters. */
export const timeRangeOf = (query: Query, start: string, end: string): E.Either<BadQuery, TimeRange> =>
  pipe(
    together({ from: timeOf(query, start), to: timeOf(query, end) }),
    E.chain((range) =>
      range.from !== null && range.to !== null && range.from > range.to
        ? badQuery(start, `must not be later than ${end}`)
        : E.right(range),
    ),
  );

/** `from` and `to`. */
export const timeRange = (query: Query): E.Either<BadQuery, TimeRange> => timeRangeOf(query, 'from', 'to');

/** The query of a request, as its endpoint gets it. */
interface RequestQuery {
  readonly query: Query;
  /** The cursor as it is given to the client: it is valid only for the same list and filters. */
  readonly clientCursor: (cursor: string | null) => string | null;
  /** The names of parameters that the endpoint does not know, for a header; null if it knows all. */
  readonly ignored: string | null;
}

const textQuery = ({ query }: Request): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      return [name, typeof last === 'string' ? last : undefined];
    }),
  );

const maxIgnored = 20;
const maxNameLength = 200;

/** Reported so that a misspelt parameter is noticed. Lone surrogates are replaced, for they cannot be encoded. */
const ignoredOf = (query: Query, known: ReadonlyArray<string>): string | null => {
  const ignored = Object.keys(query).filter((name) => !known.includes(name));
  const encoded = ignored
    .slice(0, maxIgnored)
    .map((name) => encodeURIComponent(name.slice(0, maxNameLength).toWellFormed()));
  return encoded.length === 0 ? null : encoded.join(',');
};

/** Parameters that may differ between the pages of one list. */
const pageOnly = new Set(['limit', 'cursor', 'wait']);

/** A prefix that ties a cursor to its list, account and filters. It detects mix-ups; it is no protection against forgery. */
const scopeOf = ({ method, path }: Request, known: ReadonlyArray<string>, query: Query, account_id: string): string => {
  const filters = known.filter((name) => !pageOnly.has(name)).map((name) => [name, query[name] ?? null]);
  const scope = JSON.stringify([method, path, account_id, filters]);
  return `${createHash('sha256').update(scope).digest('base64url').slice(0, 12)}.`;
};

/** Reads the query of a request. A cursor of another list, account or filter becomes empty, which is never valid. */
export const queryOf = (
  request: Request,
  { query }: { readonly query: ReadonlyArray<{ readonly name: string }> },
  account_id: string,
): RequestQuery => {
  const known = query.map(({ name }) => name);
  const given = textQuery(request);
  const scope = (): string => scopeOf(request, known, given, account_id);
  const unprefixed = (cursor: string): string => (cursor.startsWith(scope()) ? cursor.slice(scope().length) : '');
  const { cursor } = given;
  return {
    query: cursor === undefined ? given : { ...given, cursor: unprefixed(cursor) },
    clientCursor: (own) => own && `${scope()}${own}`,
    ignored: ignoredOf(given, known),
  };
};

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
