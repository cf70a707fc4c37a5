import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import type { AccessRefusal, IssueApiKey, Permission } from '../../../domain/access/contract.js';
import type { AccessState } from '../../../domain/access/decider.js';
import { type AccountId, KeyId } from '../../../domain/kernel/ids.js';
import { type Timestamp, secondsAfter } from '../../../domain/kernel/timestamp.js';
import type { Queries } from '../../../projections/queries.js';
import type { Uses } from '../../application.js';
import {
  type Caller,
  type RequestContext,
  newId,
  anyRevision,
  idsOf,
  serviceAccount,
  serviceRequest,
} from '../../commands/context.js';
import type { NotAuthorised } from '../../queries/request-checks.js';

type Refusal = AccessRefusal | RevisionChanged | Failure;

/**
 * Makes sure that there is the account of the service, which the administrator key of the environment uses, and an
 * administrator key. Returns the key that was created, or null. Of several instances that start at once, one creates it;
 * the others check again. `current` is the id of the administrator key from the environment: keys that a previous one
 * created are revoked.
 */
export const firstAdmin = <Failed>(
  app: Uses<'accounts' | 'clock' | 'ids' | 'perform'>,
  current: KeyId | null,
  hasAdmin: TE.TaskEither<Failed, boolean>,
): TE.TaskEither<Refusal | Failed, string | null> => {
  const at = app.clock.now();
  const request = serviceRequest('start-up', app.ids.random(), at);
  const made = (revision: number): TE.TaskEither<Refusal | Failed, string | null> =>
    pipe(
      issueKey(
        app,
        request,
        serviceAccount,
        { label: 'first admin key', admin: true, permissions: [], expires_in_seconds: null },
        revision,
      ),
      TE.map(({ key }): string | null => key),
      TE.orElseW((refusal) =>
        refusal._tag === 'RevisionChanged' ? firstAdmin(app, current, hasAdmin) : TE.left(refusal),
      ),
    );
  return pipe(
    openAccount(app, request, serviceAccount, 'Service'),
    TE.map(constVoid),
    TE.orElseW((refusal) => (refusal._tag === 'AccountExists' ? TE.right(undefined) : TE.left(refusal))),
    TE.chainW(() => app.perform(request, 'accounts', serviceAccount, { type: 'RetireEnvironmentKeys', current, at })),
    TE.chainW(() => app.accounts.load(serviceAccount)),
    TE.bindTo('account'),
    TE.bindW('known', () => hasAdmin),
    TE.chainW(({ account, known }) => (known ? TE.right(null) : made(account.revision))),
  );
};

type Refused<Tag extends AccessRefusal['_tag']> =
  | Extract<AccessRefusal, { readonly _tag: Tag }>
  | RevisionChanged
  | Failure;

type Unissued = Refused<'UnknownAccount' | 'IssuerRevoked' | 'TooManyKeys'>;

/** POST /v1/accounts. */
export const openAccount = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  name: string | null,
) =>
  app.perform(anyRevision(request), 'accounts', account_id, {
    type: 'OpenAccount',
    account_id,
    name,
    at: request.at,
  });

/** An account as its owner sees it. */
const openedAccount = (account_id: AccountId, state: AccessState) =>
  state._tag === 'Open'
    ? E.right({ account_id, name: state.name, created_at: state.opened_at })
    : E.left({ _tag: 'UnknownAccount' } as const);

/** An account, with its revision. */
export const readAccount = (app: Uses<'accounts'>, account_id: AccountId) =>
  pipe(
    app.accounts.load(account_id),
    TE.bindTo('found'),
    TE.bindW('account', ({ found }) => TE.fromEither(openedAccount(account_id, found.state))),
    TE.map(({ found: { revision }, account }) => ({ account, revision })),
  );

/** PATCH /v1/accounts/{account_id}; null clears the name, undefined leaves it. */
export const renameAccount = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  name: string | null | undefined,
) =>
  pipe(
    app.perform(request, 'accounts', account_id, { type: 'RenameAccount', name, at: request.at }),
    TE.chainEitherKW(({ state }) => openedAccount(account_id, state)),
  );

/** GET /v1/me: the calling key and its account. The admin key from the environment has neither label nor time of creation. */
export const readCaller = (
  app: Uses<'creditAccounts'>,
  queries: Pick<Queries, 'account' | 'key'>,
  { key_id, account_id, admin, permissions, expires_at }: Caller,
) =>
  pipe(
    TE.Do,
    TE.bind('account', () => queries.account(account_id)),
    TE.bind('key', () => queries.key(key_id)),
    TE.bindW('credits', () => app.creditAccounts.load(account_id)),
    TE.map(({ account, key, credits }) => ({
      account_id,
      name: account?.name ?? null,
      key_id,
      label: key?.label ?? null,
      admin,
      permissions: [...permissions],
      expires_at,
      balance: credits.state.balance,
      created_at: key?.created_at ?? null,
    })),
  );

export interface KeyRights {
  readonly label: string | null;
  readonly admin: boolean;
  readonly permissions: ReadonlyArray<Permission>;
}

export interface NewKey extends KeyRights {
  /** Null: it does not expire. */
  readonly expires_in_seconds: number | null;
}

/** A key of `/v1/me/keys`. */
interface OwnKey extends IssuedKey {
  /** The keys that it replaces, which are revoked. */
  readonly replaced: ReadonlyArray<KeyId>;
}

export interface IssuedKey extends KeyRights {
  readonly key_id: KeyId;
  readonly expires_at: Timestamp | null;
  /** The key itself: returned once and not stored. */
  readonly key: string;
}

const issued = (
  app: Uses<'ids' | 'perform'>,
  request: RequestContext,
  account_id: AccountId,
  { made_by, replace, ...key }: KeyRights & Pick<IssueApiKey, 'expires_at' | 'made_by' | 'replace'>,
  if_revision: number | null,
): TE.TaskEither<Unissued, OwnKey> => {
  const secret = app.ids.secret();
  const key_id = newId(idsOf(app.ids, request), KeyId);
  const key_hash = app.ids.digest(secret);
  return pipe(
    app.perform({ ...request, if_match: if_revision }, 'accounts', account_id, {
      type: 'IssueApiKey',
      key_id,
      key_hash,
      ...key,
      made_by,
      replace,
      at: request.at,
    }),
    TE.map(({ recorded }) => ({
      key_id,
      key: secret,
      ...key,
      replaced: recorded.flatMap(({ event }) => (event.type === 'ApiKeyRevoked' ? [event.data.key_id] : [])),
    })),
  );
};

/** Whether a key was issued; the request for it may have been interrupted. */
export const wasIssued = (app: Uses<'accounts'>, account_id: string, key_id: string): TE.TaskEither<Failure, boolean> =>
  pipe(
    app.accounts.load(account_id),
    TE.map(({ state }) => state._tag === 'Open' && KeyId.is(key_id) && state.keys.has(key_id)),
  );

/** POST /v1/accounts/{account_id}/keys. The account must have `if_revision`, unless that is null. */
export const issueKey = (
  app: Uses<'ids' | 'perform'>,
  request: RequestContext,
  account_id: AccountId,
  { expires_in_seconds, ...rights }: NewKey,
  if_revision: number | null = null,
): TE.TaskEither<Refused<'UnknownAccount'>, IssuedKey> => {
  const expires_at = expires_in_seconds === null ? null : secondsAfter(request.at, expires_in_seconds);
  return pipe(
    issued(app, request, account_id, { ...rights, expires_at, made_by: null, replace: false }, if_revision),
    // The others are about keys that keys make.
    narrowRefusal((refusal): refusal is { readonly _tag: 'UnknownAccount' } => refusal._tag === 'UnknownAccount'),
    TE.map(({ replaced: _none, ...key }) => key),
  );
};

/**
 * POST /v1/me/keys: a key of the caller's account, with no more rights and no longer lifetime than the calling key.
 * `replace`: instead of those with the same label that the calling key made before.
 */
export const makeOwnKey = (
  app: Uses<'ids' | 'perform'>,
  request: RequestContext,
  { expires_in_seconds, ...wantedKey }: KeyRights & { readonly expires_in_seconds: number; readonly replace: boolean },
): TE.TaskEither<Unissued | NotAuthorised, OwnKey> => {
  const { caller, at } = request;
  const lacking = wantedKey.permissions.find((permission) => !caller.permissions.has(permission));
  if (!caller.admin && wantedKey.admin) return TE.left({ _tag: 'NotAuthorised', needs: 'admin' });
  if (!caller.admin && lacking !== undefined) return TE.left({ _tag: 'NotAuthorised', needs: lacking });
  const wanted = secondsAfter(at, expires_in_seconds);
  const expires_at = caller.expires_at !== null && caller.expires_at < wanted ? caller.expires_at : wanted;
  return issued(app, request, caller.account_id, { ...wantedKey, expires_at, made_by: caller.maker_id }, null);
};

/**
 * DELETE /v1/accounts/{account_id}/keys/{key_id}. Returns when the key was revoked, now or before; keys that it created are
 * revoked with it. `made_alone`: only keys that were created by another key are found.
 */
export const revokeKey = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  key_id: KeyId,
  made_alone = false,
): TE.TaskEither<Refused<'UnknownAccount' | 'UnknownKey'>, Timestamp> =>
  pipe(
    app.perform(anyRevision(request), 'accounts', account_id, {
      type: 'RevokeApiKey',
      key_id,
      made_alone,
      at: request.at,
    }),
    TE.map(({ state }) => (state._tag === 'Open' ? (state.keys.get(key_id)?.revoked_at ?? request.at) : request.at)),
  );

/** PUT /v1/accounts/{account_id}/retention: the days without an event after which media are erased; null: never. */
export const setRetention = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  days: number | null,
) => app.perform(request, 'accounts', account_id, { type: 'SetRetention', days, at: request.at });
