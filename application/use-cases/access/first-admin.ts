import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AccessRefusal } from '../../../domain/access/contract.js';
import type { KeyId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import type { Failure, RevisionChanged } from '../../failures.js';
import { serviceAccount, serviceRequest } from '../../commands/context.js';
import { issueKey, openAccount, retireEnvironmentKeys } from './manage-access.js';

type Refusal = AccessRefusal | RevisionChanged | Failure;

const part = 'start-up';

/** Opens the account of the service, which the administrator key of the environment uses. */
const openServiceAccount = (app: Uses<'clock' | 'ids' | 'perform'>): TE.TaskEither<Refusal, void> =>
  pipe(
    openAccount(app, serviceRequest(part, app.ids.random(), app.clock.now()), serviceAccount, 'Service'),
    TE.orElse((refusal) => (refusal._tag === 'AccountExists' ? TE.right(undefined) : TE.left(refusal))),
  );

/**
 * Makes sure that there is an administrator key. Returns the key that was created, or null. Of several instances that
 * start at once, one creates it; the others check again. `environment` is the id of the administrator key from the
 * environment: keys that a previous one created are revoked.
 */
export const firstAdmin = <Failed>(
  app: Uses<'accounts' | 'clock' | 'ids' | 'perform'>,
  environment: KeyId | null,
  hasAdmin: TE.TaskEither<Failed, boolean>,
): TE.TaskEither<Refusal | Failed, string | null> => {
  const made = (revision: number): TE.TaskEither<Refusal | Failed, string | null> =>
    pipe(
      issueKey(
        app,
        serviceRequest(part, app.ids.random(), app.clock.now()),
        serviceAccount,
        { label: 'first admin key', admin: true, permissions: [], expires_in_seconds: null },
        revision,
      ),
      TE.map(({ key }): string | null => key),
      TE.orElseW((refusal) =>
        refusal._tag === 'RevisionChanged' ? firstAdmin(app, environment, hasAdmin) : TE.left(refusal),
      ),
    );
  return pipe(
    openServiceAccount(app),
    TE.chainW(() => retireEnvironmentKeys(app, serviceRequest(part, app.ids.random(), app.clock.now()), environment)),
    TE.chainW(() => app.accounts.load(serviceAccount)),
    TE.bindTo('account'),
    TE.bindW('known', () => hasAdmin),
    TE.chainW(({ account, known }) => (known ? TE.right(null) : made(account.revision))),
  );
};
