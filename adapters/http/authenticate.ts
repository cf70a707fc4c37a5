import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Caller } from '../../application/request-context.js';
import { serviceCaller } from '../../application/service-caller.js';
import type { StoreUnavailable } from '../../application/ports/event-store.js';
import type { ApiKeyView } from '../../projections/views.js';
import type { Queries, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';

/** No key, or one that is unknown or revoked. */
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

const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * Recognises callers by `X-API-Key` or `Authorization: Bearer`; the environment's admin key beside those issued. A key
 * that is not known is looked for again behind `upToHead`: another instance may just have issued it.
 */
export const authenticator = (
  queries: Queries,
  digest: (key: string) => string,
  adminKey: string | null,
  upToHead: TE.TaskEither<ReadModelBehind | StoreUnavailable, void>,
): Authenticate => {
  const adminHash = adminKey === null ? null : digest(adminKey);
  const later = (
    hash: string,
  ): TE.TaskEither<ReadModelsUnavailable | ReadModelBehind | StoreUnavailable, ApiKeyView | null> =>
    pipe(
      upToHead,
      TE.chainW(() => queries.keyByHash(hash)),
    );
  return (headers) => {
    const key = keyIn(headers);
    if (key === null) return TE.left(unauthenticated);
    const hash = digest(key);
    if (adminHash !== null && sameText(hash, adminHash)) return TE.right(serviceCaller('environment'));
    return pipe(
      queries.keyByHash(hash),
      TE.chainW((known) => (known === null ? later(hash) : TE.right(known))),
      TE.chainW((known) =>
        known === null || known.revoked_at !== null
          ? TE.left(unauthenticated)
          : TE.right({
              key_id: known.key_id,
              account_id: known.account_id,
              admin: known.admin,
              permissions: new Set(known.permissions),
            }),
      ),
    );
  };
};
