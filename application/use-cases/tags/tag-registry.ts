import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { valuesOf } from '../../../domain/kernel/bucketed-map.js';
import type { TagRegistryEntry } from '../../../domain/tag-registry/contract.js';
import type { Uses } from '../../application.js';
import type { Failure, RevisionChanged } from '../../failures.js';
import type { RequestContext } from '../../commands/context.js';

/** There is one registry. */
export const registryId = 'keys';

/** PUT /v2/tag-registry/{key}. */
export const registerTagKey = (
  app: Uses<'perform'>,
  request: RequestContext,
  entry: TagRegistryEntry,
): TE.TaskEither<RevisionChanged | Failure, void> =>
  pipe(
    app.perform(request, 'tagRegistries', registryId, { type: 'RegisterTagKey', entry, at: request.at }),
    TE.map(() => undefined),
  );

export interface TagRegistryView {
  /** Sorted by key. */
  readonly entries: ReadonlyArray<TagRegistryEntry>;
  /** Null until something was added to the built-in families. */
  readonly revision: number | null;
}

/** GET /v2/tag-registry. */
export const readTagRegistry = (app: Uses<'tagRegistries'>): TE.TaskEither<Failure, TagRegistryView> =>
  pipe(
    app.tagRegistries.load(registryId),
    TE.map(({ state, revision }) => ({
      entries: [...valuesOf(state)].sort((one, other) => (one.key < other.key ? -1 : 1)),
      revision: revision < 0 ? null : revision,
    })),
  );
