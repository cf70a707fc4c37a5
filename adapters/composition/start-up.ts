import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Application } from '../../application/application.js';
import { firstAdmin } from '../../application/use-cases/access/manage-access.js';
import type { KeyId } from '../../domain/kernel/ids.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import type { ReadModels } from '../read-models/open.js';
import { pause } from '../runtime/clock.js';

/** How long a start waits for a rebuild of the read models before it looks for an admin key. */
const rebuild = 24 * 3_600 * 1_000;
const retryMs = 500;

/** Waits until the read models contain all events that are in the log now. */
const upToDate = (app: Application, { queries }: ReadModels) =>
  pipe(
    app.store.head(),
    TE.chainW((head) => (head === null ? TE.right(undefined) : queries.reached(head, rebuild))),
  );

/** Whether a retry may help: a store that cannot be reached may come back. */
const isPassing = ({ _tag }: { readonly _tag: string }): boolean =>
  _tag === 'StoreUnavailable' || _tag === 'ReadModelsUnavailable' || _tag === 'ReadModelBehind';

/**
 * Ensures that there is an admin key, as soon as the store answers, however long that takes. Resolves with the new key
 * once every following request recognises it; with null if there was a key already.
 */
export const firstAdminKey = async (
  app: Application,
  readModels: ReadModels,
  environment: KeyId | null,
  stopping: AbortSignal,
): Promise<string | null> => {
  const hasAdmin =
    environment !== null
      ? TE.right(true)
      : pipe(
          upToDate(app, readModels),
          TE.chainW(() => readModels.queries.hasAdminKey()),
        );
  while (!stopping.aborted) {
    const made = await firstAdmin(app, environment, hasAdmin)();
    if (E.isRight(made)) {
      if (made.right !== null) await upToDate(app, readModels)();
      return made.right;
    }
    if (!isPassing(made.left)) {
      app.log.error('no admin key could be created', { failure: made.left._tag });
      return null;
    }
    await pause(retryMs, stopping);
  }
  return null;
};

/** Does what must be done before requests are served: now, or as soon as the store and the vault can be reached. */
export const onceStoreAnswers = async (
  app: Application,
  vault: Pick<KeyVault, 'check'>,
  work: () => Promise<void>,
  stopping: AbortSignal,
): Promise<void> => {
  const answers = async (): Promise<boolean> => E.isRight(await app.store.head()()) && E.isRight(await vault.check()());
  if (await answers()) return work();
  const later = async (): Promise<void> => {
    while (!stopping.aborted && !(await answers())) await pause(retryMs, stopping);
    if (!stopping.aborted) await work();
  };
  void later();
};
