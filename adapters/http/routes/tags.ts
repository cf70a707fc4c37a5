import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  type WantedTags,
  writeTags,
  readTagRegistry,
  registerTagKey,
  registryId,
} from '../../../application/use-cases/tags/write-tags.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import { RegistryKey, TagKey, isFilterable, TagRegistryEntry } from '../../../domain/tag-registry/contract.js';
import { readVideo } from '../../../application/queries/records.js';
import type { TagView, VideoTagRow } from '../../../projections/tag-views.js';
import { videoRefusals } from '../../../domain/video/contract.js';
import * as media from '../codecs/media.js';
import type { Call, Endpoint } from '../endpoint.js';
import { answering, recordAnswer, withBody, withoutBody, withQuery } from '../declare-endpoint.js';
import { adminOnly, anyone, video } from '../finders.js';
import { pagedAnswer } from '../paged-answer.js';
import { wholePage } from '../parameters.js';

const written = ({ service: { app }, request }: Call, video_id: VideoId, wanted: WantedTags) =>
  answering(writeTags(app, request, video_id, wanted), (tags) => ({ status: 'completed', ...tags }));

const shownTag = ({ video_id: _video, place: _place, ...tag }: VideoTagRow): TagView => tag;

export const tagEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'tags.import',
    'Import tags of a provider',
    'All or nothing: a refusal lists every tag that cannot be written, and why. With `dry_run` nothing is written.',
    video('owner'),
    { body: media.ProviderTagsBody, answer: media.WrittenTags, refuses: videoRefusals.WriteTags },
    (call, { video_id }, { source, tags, dry_run }) =>
      written(call, video_id, { by: 'importer', source, tags, dry_run: dry_run ?? false }),
  ),
  withBody(
    'tags.set',
    'Set tags',
    'Only tags of the categories `label` and `user`. All or nothing, as for imports.',
    video('owner'),
    { body: media.UserTagsBody, answer: media.WrittenTags, refuses: videoRefusals.WriteTags },
    (call, { video_id }, { tags, dry_run }) => {
      const source = `user.${call.request.caller.account_id}`;
      return written(call, video_id, { by: 'user', source, tags, dry_run: dry_run ?? false });
    },
  ),
  withQuery(
    'tags.list',
    'List the tags of a video',
    'Each with its source.',
    video('owner'),
    { query: wholePage, answer: media.TagPage, headers: ['ETag'] },
    (call, { video_id }, page) =>
      pipe(
        readVideo(call.service.queries, video_id),
        TE.chainW(({ revision }) =>
          pipe(
            pagedAnswer(media.TagPage, call, page, (asked) => call.service.queries.tags(video_id, asked), shownTag),
            TE.map((answer) => ({ ...answer, headers: { ETag: `"${revision}"` } })),
          ),
        ),
      ),
  ),
  withoutBody(
    'tags.delete',
    'Delete a tag',
    'Only tags of the categories `label` and `user`.',
    video('owner'),
    { answer: media.RemovedTag, refuses: videoRefusals.RemoveTag },
    ({ service: { app }, request, params: { key = '' } }, { video_id }) =>
      TagKey.is(key)
        ? answering(app.perform(request, 'videos', video_id, { type: 'RemoveTag', key, at: request.at }), () => ({
            status: 'completed',
            key,
          }))
        : TE.left({ _tag: 'UnknownTag', key }),
  ),

  // Read from the log. The ETag is the revision; an empty registry has none.
  withoutBody(
    'tagRegistry.list',
    'List the tag registry',
    'Contains tag keys and families of keys such as `vpm.*`. The most specific entry applies.',
    anyone,
    { answer: media.TagRegistry, headers: ['ETag'] },
    ({ service: { app } }) =>
      pipe(
        readTagRegistry(app),
        TE.map((registry) => recordAnswer({ entries: registry.entries }, registry.revision)),
      ),
  ),
  withBody(
    'tagRegistry.register',
    'Register a tag key',
    'Or a family of keys such as `vpm.*`. An existing entry of the same key is replaced.',
    { ...adminOnly, recordOf: (_, { app }) => app.tagRegistries.load(registryId) },
    { body: media.TagRegistryBody, answer: TagRegistryEntry, refuses: ['BadRegistryKey'] },
    ({ service: { app }, params, request }, _, { category, value_type, description = null }) => {
      const { key } = params;
      if (!RegistryKey.is(key) || !isFilterable(key)) return TE.left({ _tag: 'BadRegistryKey' });
      const entry = { key, category, value_type, description };
      return answering(registerTagKey(app, request, entry), () => entry);
    },
  ),
];
