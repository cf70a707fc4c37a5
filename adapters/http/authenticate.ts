import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { LRUCache } from 'lru-cache';
import { type Caller, environmentKeyId, serviceCaller } from '../../application/commands/context.js';
import type { Clock } from '../../application/ports/clock.js';
import type { Ids } from '../../application/ports/ids.js';
import type { StoreUnavailable } from '../../application/ports/event-store.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { ApiKeyView } from '../../projections/views.js';
import type { Queries, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';

/** There is no API key, or it is unknown, revoked or expired. */
export interface Unauthenticated {
  readonly _tag: 'Unauthenticated';
}

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

interface AuthenticatorNeeds {
  /** From the environment; null if none is set. */
  readonly admin_api_key: string | null;
  /** Waits until the read models include everything written until now. */
  readonly upToHead: TE.TaskEither<ReadModelBehind | StoreUnavailable, void>;
  /** Keys that this instance has revoked: the read models may not include that yet. */
  readonly revoked: Pick<LRUCache<string, true>, 'peek'>;
}

/** The caller identified by a key; null if the key is revoked or expired. */
export const callerOf = (key: ApiKeyView, now: Timestamp): Caller | null =>
  key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)
    ? null
    : {
        key_id: key.key_id,
        account_id: key.account_id,
        admin: key.admin,
        permissions: new Set(key.permissions),
        expires_at: key.expires_at,
        maker_id: key.key_id,
      };

/**
 * Identifies callers by `X-API-Key` or `Authorization: Bearer`: an issued key, or the admin key from the environment. An
 * unknown key is looked up again after `upToHead`, since another instance may just have issued it.
 */
export const authenticator = (
  queries: Queries,
  { digest }: Pick<Ids, 'digest'>,
  { now }: Clock,
  { admin_api_key, upToHead, revoked }: AuthenticatorNeeds,
): Authenticate => {
  const adminHash = admin_api_key === null ? null : digest(admin_api_key);
  return (headers) => {
    const key = keyIn(headers);
    if (key === null) return TE.left(unauthenticated);
    const hash = digest(key);
    if (adminHash !== null && sameText(hash, adminHash))
      return TE.right({ ...serviceCaller('environment'), maker_id: environmentKeyId(hash) });
    return pipe(
      queries.keyByHash(hash),
      TE.chainW((known) =>
        known === null
          ? pipe(
              upToHead,
              TE.chainW(() => queries.keyByHash(hash)),
            )
          : TE.right(known),
      ),
      TE.chainW((known) => {
        const caller = known === null || revoked.peek(known.key_id) === true ? null : callerOf(known, now());
        return caller === null ? TE.left(unauthenticated) : TE.right(caller);
      }),
    );
  };
};
