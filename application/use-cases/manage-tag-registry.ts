import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { valuesOf } from '../../domain/kernel/bucketed-map.js';
import type { TagRegistryEntry } from '../../domain/tag-registry/contract.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';

/** There is one registry. */
export const registryId = 'keys';

/** PUT /v2/tag-registry/{key}. */
export const registerTagKey = (
  app: Application,
  request: RequestContext,
  entry: TagRegistryEntry,
): TE.TaskEither<RevisionChanged | Failure, void> =>
  pipe(
    perform(app, request)(
      app.tagRegistries,
      registryId,
      { type: 'RegisterTagKey', entry, at: request.at },
      commandContext(app.ids, request, request.if_match),
    ),
    TE.map(() => undefined),
  );

export interface TagRegistryView {
  /** In the order of their keys. */
  readonly entries: ReadonlyArray<TagRegistryEntry>;
  /** Null while nothing was added to the families that it begins with. */
  readonly revision: number | null;
}

/** GET /v2/tag-registry. */
export const readTagRegistry = (app: Application): TE.TaskEither<Failure, TagRegistryView> =>
  pipe(
    app.tagRegistries.load(registryId),
    TE.map(({ state, revision }) => ({
      entries: [...valuesOf(state)].sort((one, other) => (one.key < other.key ? -1 : 1)),
      revision: revision < 0 ? null : revision,
    })),
  );
