import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { newId } from '../../../application/ports/ids.js';
import { idsOf } from '../../../application/commands/context.js';
import {
  type IssuedKey,
  issueKey,
  openAccount,
  readAccount,
  renameAccount,
  revokeKey,
  setRetention,
  makeOwnKey,
} from '../../../application/use-cases/access/manage-access.js';
import { AccountId, KeyId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { ApiKeyView } from '../../../projections/views.js';
import {
  Account,
  AccountPage,
  ApiKeyPage,
  NewKey,
  Retention,
  RevokedKey,
  Me,
  AccountDetailsBody,
  IssueKeyBody,
  OpenAccountBody,
  RetentionBody,
  MakeKeyBody,
} from '../codecs/access.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Answer, Endpoint } from '../endpoint.js';
import { pageParameters, wholePageParameters } from '../parameters.js';
import { wholePageRequest } from '../query.js';
import type { Refusal } from '../refusals/refusals.js';
import { type Service, account, adminOnly, revision, writingTo, anyone, queryUpToDate } from '../service.js';
import { listed } from './records.js';
import { creditsOf, zeroCredits } from '../../../domain/kernel/credits.js';

const open = (service: Service): Endpoint =>
  withBody(
    { operation: 'accounts.create', answer: Account, refuses: ['AccountExists'] },
    OpenAccountBody,
    adminOnly,
    ({ request }, _, { account_id: chosen, name }) => {
      const account_id = chosen ?? newId(idsOf(service.app.ids, request), AccountId);
      return pipe(
        openAccount(service.app, request, account_id, name ?? null),
        TE.chainW(() => ok({ account_id, name: name ?? null, created_at: request.at })),
      );
    },
    { optional: true },
  );

const show = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'accounts.get', answer: Account, headers: ['ETag'] },
    account(service, 'owner'),
    (_, account_id) =>
      pipe(
        readAccount(service.app, account_id),
        TE.map(({ account: body, revision }) => ({ body, headers: { ETag: `"${revision}"` } })),
      ),
  );

const rename = (service: Service): Endpoint =>
  withBody(
    { operation: 'accounts.update', answer: Account, refuses: ['UnknownAccount'] },
    AccountDetailsBody,
    writingTo(account(service, 'admin'), (account_id) => revision(service.app.accounts, account_id)),
    ({ request }, account_id, { name }) =>
      pipe(
        renameAccount(service.app, request, account_id, name),
        TE.map((body) => ({ body })),
      ),
    { optional: true },
  );

const listAll = (service: Service): Endpoint =>
  withoutBody({ operation: 'accounts.list', answer: AccountPage, query: pageParameters }, adminOnly, (call) =>
    listed(service, AccountPage, call, service.queries.accounts, (found) => found),
  );

/** Whether a key was issued; the request for it may have been interrupted. */
export const keyExists = ({ app }: Service, account_id: string, key_id: string): TE.TaskEither<Refusal, boolean> =>
  pipe(
    app.accounts.load(account_id),
    TE.map(({ state }) => state._tag === 'Open' && KeyId.is(key_id) && state.keys.has(key_id)),
  );

/** The answer with a new key, which is shown only once. */
export const keyAnswer = (
  key: IssuedKey,
  account_id: AccountId,
  created_at: Timestamp,
): Answer<t.TypeOf<typeof NewKey>> => ({
  body: { ...key, account_id, created_at },
  secret_of: key.key_id,
});

/** Answers once the read models include the key. If they are behind, a request with the new key waits for them. */
const issue = (service: Service): Endpoint =>
  withBody(
    { operation: 'keys.create', answer: NewKey, refuses: ['UnknownAccount'] },
    IssueKeyBody,
    account(service, 'admin'),
    ({ request }, account_id, { label, admin, permissions, expires_in_seconds }) =>
      pipe(
        issueKey(service.app, request, account_id, {
          label: label ?? null,
          admin: admin ?? false,
          permissions: [...new Set(permissions ?? [])],
          expires_in_seconds: expires_in_seconds ?? null,
        }),
        TE.chainFirstW(() => TE.fromTask(service.upToDate())),
        TE.map((key) => keyAnswer(key, account_id, request.at)),
      ),
    { optional: true, made: ({ params }, id) => keyExists(service, params['account_id'] ?? '', id) },
  );

const shownKey = ({ key_hash: _hash, ...key }: ApiKeyView) => key;

const list = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'keys.list', answer: ApiKeyPage, query: wholePageParameters },
    account(service, 'admin'),
    (call, account_id) =>
      listed(service, ApiKeyPage, call, (page) => service.queries.keysOf(account_id, page), shownKey, wholePageRequest),
  );

/** After the answer the key is refused, even if the read models do not include the revocation yet. */
const revoke = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'keys.revoke', answer: RevokedKey, refuses: ['UnknownKey'] },
    account(service, 'admin'),
    ({ params, request }, account_id) => {
      const { key_id } = params;
      if (!KeyId.is(key_id)) return TE.left({ _tag: 'UnknownKey' });
      return pipe(
        revokeKey(service.app, request, account_id, key_id),
        TE.chainFirstIOK(() => () => service.keyRevoked(key_id)),
        TE.chainFirstW(() => TE.fromTask(service.upToDate())),
        TE.chainW((revoked_at) => ok({ key_id, revoked_at })),
      );
    },
  );

const setRetentionOf = (service: Service): Endpoint =>
  withBody(
    { operation: 'retention.set', answer: Retention, refuses: ['UnknownAccount'] },
    RetentionBody,
    writingTo(account(service, 'admin'), (account_id) => revision(service.app.accounts, account_id)),
    ({ request }, account_id, { days }) =>
      pipe(
        setRetention(service.app, request, account_id, days),
        TE.chainW(() => ok({ days })),
      ),
  );

const showRetention = (service: Service): Endpoint =>
  withoutBody({ operation: 'retention.get', answer: Retention }, account(service, 'owner'), (_, account_id) =>
    pipe(
      service.app.accounts.load(account_id),
      TE.chainW(({ state }) => ok({ days: state._tag === 'Open' ? state.retention_days : null })),
    ),
  );

export const accessEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  open(service),
  listAll(service),
  show(service),
  rename(service),
  issue(service),
  list(service),
  revoke(service),
  setRetentionOf(service),
  showRetention(service),
];

/** The calling key and its account. The admin key from the environment has neither `label` nor `created_at`. */
const showMe = (service: Service): Endpoint =>
  withoutBody({ operation: 'me.get', answer: Me }, anyone, ({ request: { caller, at } }) =>
    queryUpToDate(service, () =>
      pipe(
        TE.Do,
        TE.bind('account', () => service.queries.account(caller.account_id)),
        TE.bind('key', () => service.queries.key(caller.key_id)),
        TE.bind('credits', () => service.queries.creditAccount(caller.account_id, at)),
        TE.map(({ account, key, credits }) => ({
          body: {
            account_id: caller.account_id,
            name: account?.name ?? null,
            key_id: caller.key_id,
            label: key?.label ?? null,
            admin: caller.admin,
            permissions: [...caller.permissions],
            expires_at: caller.expires_at,
            balance: credits === null ? zeroCredits : creditsOf(credits.balance),
            created_at: key?.created_at ?? null,
          },
        })),
      ),
    ),
  );

const default_seconds = 3_600;

/** Creates a short-lived key of the caller's account. Answers once the key is valid for all later requests. */
const make = (service: Service): Endpoint =>
  withBody(
    {
      operation: 'me.createKey',
      answer: NewKey,
      refuses: ['NotAuthorised', 'IssuerRevoked', 'TooManyKeys', 'UnknownAccount'],
    },
    MakeKeyBody,
    anyone,
    ({ request }, _, { label, admin, permissions, replace, expires_in_seconds }) =>
      pipe(
        makeOwnKey(service.app, request, {
          label: label ?? null,
          admin: admin ?? false,
          permissions: [...new Set(permissions ?? [])],
          replace: replace ?? false,
          expires_in_seconds: expires_in_seconds ?? default_seconds,
        }),
        TE.chainFirstIOK(
          ({ replaced }) =>
            () =>
              replaced.forEach(service.keyRevoked),
        ),
        TE.chainFirstW(() => TE.fromTask(service.upToDate())),
        TE.map(({ replaced: _revoked, ...key }) => keyAnswer(key, request.caller.account_id, request.at)),
      ),
    { optional: true, made: ({ request }, id) => keyExists(service, request.caller.account_id, id) },
  );

/** Revokes keys of the account that were created with other keys. Answers once the key is refused in all later requests. */
const revokeOwn = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'me.revokeKey', answer: RevokedKey, refuses: ['UnknownKey', 'UnknownAccount'] },
    anyone,
    ({ params, request }) => {
      const { key_id } = params;
      if (!KeyId.is(key_id)) return TE.left({ _tag: 'UnknownKey' });
      return pipe(
        revokeKey(service.app, request, request.caller.account_id, key_id, true),
        TE.chainFirstIOK(() => () => service.keyRevoked(key_id)),
        TE.chainFirstW(() => TE.fromTask(service.upToDate())),
        TE.chainW((revoked_at) => ok({ key_id, revoked_at })),
      );
    },
  );

export const meEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  showMe(service),
  make(service),
  revokeOwn(service),
];
