import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AccessRefusal, Permission } from '../../domain/access/contract.js';
import { type AccountId, KeyId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { newId } from '../new-id.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';

type Refusal = AccessRefusal | RevisionChanged | Failure;

/** POST /v1/accounts. */
export const openAccount = (
  app: Application,
  request: RequestContext,
  account_id: AccountId,
  name: string | null,
): TE.TaskEither<Refusal, void> =>
  pipe(
    perform(app, request)(
      app.accounts,
      account_id,
      { type: 'OpenAccount', account_id, name, at: request.at },
      commandContext(app.ids, request),
    ),
    TE.map(() => undefined),
  );

export interface KeyRights {
  readonly label: string | null;
  readonly admin: boolean;
  readonly permissions: ReadonlyArray<Permission>;
}

export interface IssuedKey extends KeyRights {
  readonly key_id: KeyId;
  /** The key itself: shown here, once, and kept nowhere. */
  readonly key: string;
}

/** POST /v1/accounts/{account_id}/keys; on the condition of the account's revision, unless that is null. */
export const issueKey = (
  app: Application,
  request: RequestContext,
  account_id: AccountId,
  rights: KeyRights,
  if_revision: number | null = null,
): TE.TaskEither<Refusal, IssuedKey> => {
  const key = app.ids.secret();
  const key_id = newId(app.ids, KeyId);
  return pipe(
    perform(app, request)(
      app.accounts,
      account_id,
      { type: 'IssueApiKey', key_id, key_hash: app.ids.digest(key), ...rights, at: request.at },
      commandContext(app.ids, request, if_revision),
    ),
    TE.map(() => ({ key_id, key, ...rights })),
  );
};

/** DELETE /v1/accounts/{account_id}/keys/{key_id}; says when it was revoked, now or before. */
export const revokeKey = (
  app: Application,
  request: RequestContext,
  account_id: AccountId,
  key_id: KeyId,
): TE.TaskEither<Refusal, Timestamp> =>
  pipe(
    perform(app, request)(
      app.accounts,
      account_id,
      { type: 'RevokeApiKey', key_id, at: request.at },
      commandContext(app.ids, request),
    ),
    TE.map(({ state }) => (state._tag === 'Open' ? (state.keys.get(key_id) ?? request.at) : request.at)),
  );
