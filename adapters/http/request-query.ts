import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Endpoint, Visit } from './endpoint.js';
import type { Query } from './query.js';

/** The query of a request, as an endpoint reads it. */
interface RequestQuery extends Pick<Visit, 'query' | 'seal'> {
  /** The names of the parameters that the endpoint does not know, for a header; null when it knows all. */
  readonly ignored: string | null;
}

const textQuery = ({ query }: Request): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      return [name, typeof last === 'string' ? last : undefined];
    }),
  );

const mostIgnored = 20;
const longestName = 200;

/** So that a parameter that is misspelt is not believed to count. A text with lone surrogates cannot be encoded as it is. */
const ignoredOf = (query: Query, known: ReadonlyArray<string>): string | null => {
  const ignored = Object.keys(query).filter((name) => !known.includes(name));
  const encoded = ignored
    .slice(0, mostIgnored)
    .map((name) => encodeURIComponent(name.slice(0, longestName).toWellFormed()));
  return encoded.length === 0 ? null : encoded.join(',');
};

/** Parameters that may differ between the pages of one list. */
const ofPages = new Set(['limit', 'cursor', 'wait']);

/**
 * Ties a cursor to the list, account and filters that it was given out for. No secret: it keeps cursors from being
 * mistaken for each other's.
 */
const scopeOf = ({ method, path }: Request, known: ReadonlyArray<string>, query: Query, account_id: string): string => {
  const filters = known.filter((name) => !ofPages.has(name)).map((name) => [name, query[name] ?? null]);
  const scope = JSON.stringify([method, path, account_id, filters]);
  return `${createHash('sha256').update(scope).digest('base64url').slice(0, 12)}.`;
};

/** Reads the query of a request. A cursor of another list, account or filters becomes empty, which no list gives out. */
export const queryOf = (request: Request, { query }: Endpoint, account_id: string): RequestQuery => {
  const known = query.map(({ name }) => name);
  const given = textQuery(request);
  const scope = (): string => scopeOf(request, known, given, account_id);
  const opened = (cursor: string): string => (cursor.startsWith(scope()) ? cursor.slice(scope().length) : '');
  const { cursor } = given;
  return {
    query: cursor === undefined ? given : { ...given, cursor: opened(cursor) },
    seal: (own) => own && `${scope()}${own}`,
    ignored: ignoredOf(given, known),
  };
};
