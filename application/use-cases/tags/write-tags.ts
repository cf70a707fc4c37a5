import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { WriteTags } from '../../../domain/video/contract.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import { type SentTag, resolveTags } from '../../../domain/tag-registry/decider.js';
import type { TagKey, TagRegistryEntry } from '../../../domain/tag-registry/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';

/** There is one registry. */
export const registryId = 'keys';

/** PUT /v2/tag-registry/{key}. */
export const registerTagKey = (app: Uses<'perform'>, request: RequestContext, entry: TagRegistryEntry) =>
  app.perform(request, 'tagRegistries', registryId, { type: 'RegisterTagKey', entry, at: request.at });

/** GET /v2/tag-registry: the entries by key; the revision is null until something was added to the built-in families. */
export const readTagRegistry = (app: Uses<'tagRegistries'>) =>
  pipe(
    app.tagRegistries.load(registryId),
    TE.map(({ state, revision }) => ({
      entries: [...state.values()].sort((one, other) => (one.key < other.key ? -1 : 1)),
      revision: revision < 0 ? null : revision,
    })),
  );

/** The outcome for each key of a request; of a dry run, what it would be. */
interface TagsOutcome {
  readonly created: ReadonlyArray<TagKey>;
  readonly updated: ReadonlyArray<TagKey>;
  readonly unchanged: ReadonlyArray<TagKey>;
}

export interface WantedTags {
  readonly by: 'importer' | 'user';
  readonly source: string;
  readonly tags: ReadonlyArray<SentTag>;
  /** Returns the same and writes nothing. */
  readonly dry_run: boolean;
}

const outcome = ({ tags }: WriteTags, events: ReadonlyArray<VideoEvent>): TagsOutcome => {
  const written = events.flatMap((event) => (event.type === 'TagsWritten' ? event.data.tags : []));
  const changed = new Set(written.map(({ key }) => key));
  const keysOf = (isNew: boolean) => written.flatMap(({ key, previous }) => ((previous === null) === isNew ? key : []));
  return {
    created: keysOf(true),
    updated: keysOf(false),
    unchanged: tags.flatMap(({ key }) => (changed.has(key) ? [] : key)),
  };
};

/** POST provider-tags and POST tags (specification, section 4.4; contract, Tags): all tags or none. */
export const writeTags = (
  app: Uses<'eventsOf' | 'tagRegistries'>,
  request: RequestContext,
  video_id: VideoId,
  { by, source, tags, dry_run }: WantedTags,
) =>
  pipe(
    app.tagRegistries.load(registryId),
    TE.chainW(({ state }) => TE.fromEither(resolveTags(state, by, source, tags))),
    TE.chainW((resolved) => {
      const command: WriteTags = { type: 'WriteTags', ...resolved, at: request.at };
      return pipe(
        app.eventsOf(request, 'videos', video_id, command, dry_run),
        TE.map((events): TagsOutcome => outcome(command, events)),
      );
    }),
  );
