import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { makeOwnKey, revokeKey } from '../../../application/use-cases/access/manage-access.js';
import { creditsOf, zeroCredits } from '../../../domain/kernel/credits.js';
import { KeyId } from '../../../domain/kernel/ids.js';
import { Me, NewKey, RevokedKey } from '../answers/access.js';
import { MakeKeyBody } from '../codecs/access.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { type Service, anyone, queryUpToDate } from '../service.js';
import { keyAnswer, keyExists } from './access.js';

/** The calling key and its account. The admin key from the environment has neither `label` nor `created_at`. */
const show = (service: Service): Endpoint =>
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
const revoke = (service: Service): Endpoint =>
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
  show(service),
  make(service),
  revoke(service),
];
