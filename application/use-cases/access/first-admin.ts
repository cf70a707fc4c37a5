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

/** Opens the service's own account, under which the admin key of the environment acts. */
const openServiceAccount = (app: Uses<'clock' | 'ids' | 'perform'>): TE.TaskEither<Refusal, void> =>
  pipe(
    openAccount(app, serviceRequest(part, app.ids.random(), app.clock.now()), serviceAccount, 'Service'),
    TE.orElse((refusal) => (refusal._tag === 'AccountExists' ? TE.right(undefined) : TE.left(refusal))),
  );

/**
 * Makes sure that somebody can administer the service; answers the key that it had to make for that, or null. Of
 * several instances that start at once only one makes a key: the others look again whether there is one. `environment`
 * is the administrator key that the environment sets: what an earlier one made is revoked.
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
