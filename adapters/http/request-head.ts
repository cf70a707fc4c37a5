import type { Tagged } from '../../domain/kernel/decider.js';
import { timingSafeEqual, createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Caller, environmentKeyId, serviceCaller } from '../../application/commands/context.js';
import { type Freshness, callerWithKey } from '../../application/queries/request-checks.js';
import type { Clock } from '../../application/ports/clock.js';
import type { Ids } from '../../application/ports/ids.js';
import type { StoreUnavailable } from '../../application/ports/event-store.js';
import type { Queries, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import type { Request, Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Query } from './parameters.js';

/** There is no API key, or it is unknown, revoked or expired. */
export type Unauthenticated = Tagged<'Unauthenticated'>;

export type Authenticate = (
  headers: IncomingHttpHeaders,
) => TE.TaskEither<Unauthenticated | ReadModelsUnavailable | ReadModelBehind | StoreUnavailable, Caller>;

const unauthenticated: Unauthenticated = { _tag: 'Unauthenticated' };

const keyIn = (headers: IncomingHttpHeaders): string | null => {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
};

/** The bearer token of a request without `X-API-Key`; null if there is none. */
export const bearerToken = (headers: IncomingHttpHeaders): string | null =>
  headers['x-api-key'] === undefined ? keyIn(headers) : null;

const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * Identifies callers by `X-API-Key` or `Authorization: Bearer`: an issued key, or the admin key from the environment (null:
 * none is set).
 */
export const authenticator = (
  queries: Queries,
  { digest }: Pick<Ids, 'digest'>,
  clock: Clock,
  { admin_api_key, ...known }: { readonly admin_api_key: string | null } & Pick<Freshness, 'upToHead' | 'revoked'>,
): Authenticate => {
  const adminHash = admin_api_key === null ? null : digest(admin_api_key);
  return (headers) => {
    const key = keyIn(headers);
    if (key === null) return TE.left(unauthenticated);
    const hash = digest(key);
    if (adminHash !== null && sameText(hash, adminHash))
      return TE.right({ ...serviceCaller('environment'), maker_id: environmentKeyId(hash) });
    return pipe(callerWithKey(queries, clock, known, hash), TE.chainW(TE.fromNullable(unauthenticated)));
  };
};

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

/**
 * Reads the query of a request. A cursor of another list, account or filter becomes empty, which is never valid. `ignored`
 * names the parameters that the endpoint does not know, for a header; null if it knows all.
 */
export const queryOf = (
  request: Request,
  { query }: { readonly query: ReadonlyArray<{ readonly name: string }> },
  account_id: string,
) => {
  const known = query.map(({ name }) => name);
  const given = textQuery(request);
  const scope = (): string => scopeOf(request, known, given, account_id);
  const unprefixed = (cursor: string): string => (cursor.startsWith(scope()) ? cursor.slice(scope().length) : '');
  const { cursor } = given;
  return {
    query: cursor === undefined ? given : { ...given, cursor: unprefixed(cursor) },
    clientCursor: (own: string | null) => own && `${scope()}${own}`,
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

export type BadHeader = Tagged<'BadHeader', { header: string; message: string }>;

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
