import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { PointInHistory } from '../../application/use-cases/read-history.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';
import type { EventSelection } from '../../projections/event-selection.js';
import type { InvalidCursor, PageRequest, TimeRange } from '../../projections/queries.js';

export interface BadQuery {
  readonly _tag: 'BadQuery';
  readonly parameter: string;
  readonly message: string;
}

/** A parameter of a question to the audit, which answers 422 as to a body of the wrong shape. */
export interface BadParameter {
  readonly _tag: 'BadParameter';
  readonly parameter: string;
  readonly message: string;
}

/** The same refusal as the audit tells it. */
export const asBadParameter = (refusal: BadQuery | InvalidCursor): BadParameter =>
  refusal._tag === 'BadQuery'
    ? { _tag: 'BadParameter', parameter: refusal.parameter, message: refusal.message }
    : { _tag: 'BadParameter', parameter: 'cursor', message: 'is none that a page gave out' };

/** The query parameters of a request; one that is given twice counts as given once, with its last value. */
export type Query = Readonly<Record<string, string | undefined>>;

const bad = (parameter: string, message: string): E.Either<BadQuery, never> =>
  E.left({ _tag: 'BadQuery', parameter, message });

const usualLimit = 100;
const largestLimit = 1_000;

/** `limit` (1 to 1,000; 100 when absent) and `cursor`. */
export const pageRequest = ({ limit, cursor }: Query): E.Either<BadQuery, PageRequest> => {
  if (limit === undefined) return E.right({ limit: usualLimit, cursor: cursor ?? null });
  const wanted = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  return wanted < 1 || wanted > largestLimit
    ? bad('limit', `must be an integer from 1 to ${largestLimit}`)
    : E.right({ limit: wanted, cursor: cursor ?? null });
};

/** RFC 3339: a time of day has its offset, or else it would be taken for the server's own; a day alone begins in UTC. */
const dated = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The time that a text with a date tells; null when it tells none. */
const timeOf = (text: string): Timestamp | null => {
  const milliseconds = dated.test(text) ? Date.parse(text) : Number.NaN;
  const time = Number.isNaN(milliseconds) ? '' : new Date(milliseconds).toISOString();
  return Timestamp.is(time) ? time : null;
};

/** `at`: a revision (digits alone) or a timestamp. */
export const pointInHistory = (at: string): E.Either<BadQuery, PointInHistory> => {
  if (/^\d{1,15}$/.test(at)) return E.right({ kind: 'revision', revision: Number(at) });
  const time = timeOf(at);
  return time === null ? bad('at', 'must be a revision or an RFC 3339 timestamp') : E.right({ kind: 'time', time });
};

type SelectionText = 'stream' | 'category' | 'type' | 'actor' | 'request_id';

const selectionTexts: Readonly<Record<SelectionText, { readonly fits: RegExp; readonly wanted: string }>> = {
  stream: { fits: /^[\x21-\x7e]{1,512}$/, wanted: 'the name of a stream, as in video-7' },
  category: { fits: /^[A-Za-z][A-Za-z0-9]{0,63}$/, wanted: 'the part of a stream name before its hyphen, as in video' },
  type: {
    fits: /^[A-Za-z][A-Za-z0-9]{0,127}(?:\.v\d{1,6})?$/,
    wanted: 'a type, as in FacesMatched or FacesMatched.v1',
  },
  actor: { fits: /^[\x21-\x7e]{1,256}$/, wanted: 'the id of a key or an account' },
  request_id: { fits: /^[\x21-\x7e]{1,256}$/, wanted: 'the id of a request' },
};

const selectionText = (query: Query, name: SelectionText): E.Either<BadQuery, string | null> => {
  const [given, { fits, wanted }] = [query[name], selectionTexts[name]];
  if (given === undefined) return E.right(null);
  return fits.test(given) ? E.right(given) : bad(name, `must be ${wanted}`);
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
    E.chain(({ range, ...texts }) =>
      range.from !== null && range.to !== null && range.from > range.to
        ? bad('from', 'must not be later than to')
        : E.right({ ...texts, ...range }),
    ),
  );

/** `from` and `to`, timestamps both. */
export const timeRange = ({ from, to }: Query): E.Either<BadQuery, TimeRange> => {
  const range = { from: from === undefined ? null : timeOf(from), to: to === undefined ? null : timeOf(to) };
  if (from !== undefined && range.from === null) return bad('from', 'must be an RFC 3339 timestamp');
  if (to !== undefined && range.to === null) return bad('to', 'must be an RFC 3339 timestamp');
  return E.right(range);
};
