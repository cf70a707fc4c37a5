import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { newId } from '../../../application/new-id.js';
import { idsOf } from '../../../application/request-context.js';
import { type IssuedKey, issueKey, openAccount, revokeKey } from '../../../application/use-cases/manage-access.js';
import { AccountId, KeyId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { ApiKeyView } from '../../../projections/views.js';
import { IssueKeyBody, OpenAccountBody } from '../codecs/access.js';
import { type Answer, type Endpoint, ok, withBody, withoutBody } from '../endpoint.js';
import { wholePageRequest, pageParameters } from '../query.js';
import type { Refusal } from '../refusals.js';
import { type Service, account, adminAlone } from '../service.js';
import { listed } from './records.js';

const open = (service: Service): Endpoint =>
  withBody(
    'accounts.create',
    OpenAccountBody,
    adminAlone,
    ({ request }, _, { account_id: chosen, name }) => {
      const account_id = chosen ?? newId(idsOf(service.app.ids, request), AccountId);
      return pipe(
        openAccount(service.app, request, account_id, name ?? null),
        TE.chainW(() => ok({ account_id, name: name ?? null, created_at: request.at })),
      );
    },
    { optional: true },
  );

/** Whether a key was issued: a request for it may have broken off. */
export const keyIsThere = ({ app }: Service, account_id: string, key_id: string): TE.TaskEither<Refusal, boolean> =>
  pipe(
    app.accounts.load(account_id),
    TE.map(({ state }) => state._tag === 'Open' && KeyId.is(key_id) && state.keys.has(key_id)),
  );

/** A new key, which is shown once. */
export const keyAnswer = (key: IssuedKey, account_id: AccountId, created_at: Timestamp): Answer => ({
  body: { ...key, account_id, created_at },
  secret_of: key.key_id,
});

/** Answers once the key is known; where the read models are behind, a request with an unknown key waits for them. */
const issue = (service: Service): Endpoint =>
  withBody(
    'keys.create',
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
        TE.chainW((key) => TE.right(keyAnswer(key, account_id, request.at))),
      ),
    { optional: true, made: ({ params }, id) => keyIsThere(service, params['account_id'] ?? '', id) },
  );

const shownKey = ({ key_hash: _hash, is_listed: _listed, ...key }: ApiKeyView) => key;

const list = (service: Service): Endpoint =>
  withoutBody(
    'keys.list',
    account(service, 'admin'),
    (call, account_id) =>
      listed(service, 'keys', call, (page) => service.queries.keysOf(account_id, page), shownKey, wholePageRequest),
    pageParameters,
  );

/** From the answer on the key is refused, also while the read models do not show that yet. */
const revoke = (service: Service): Endpoint =>
  withoutBody('keys.revoke', account(service, 'admin'), ({ params, request }, account_id) => {
    const { key_id } = params;
    if (!KeyId.is(key_id)) return TE.left({ _tag: 'UnknownKey' });
    return pipe(
      revokeKey(service.app, request, account_id, key_id),
      TE.chainFirstIOK(() => () => service.keyRevoked(key_id)),
      TE.chainFirstW(() => TE.fromTask(service.upToDate())),
      TE.chainW((revoked_at) => ok({ key_id, revoked_at })),
    );
  });

export const accessEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  open(service),
  issue(service),
  list(service),
  revoke(service),
];
