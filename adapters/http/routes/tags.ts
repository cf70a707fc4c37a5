import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { changeVideo } from '../../../application/use-cases/change-video.js';
import { type WantedTags, writeTags } from '../../../application/use-cases/write-tags.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import { TagKey } from '../../../domain/tag-registry/tag.js';
import { ProviderTagsBody, UserTagsBody } from '../codecs/tags.js';
import { type Answer, type Call, type Endpoint, ok, withBody, withoutBody } from '../endpoint.js';
import type { Refusal } from '../refusals.js';
import { renderTags } from '../render-video.js';
import { type Service, asked, video } from '../service.js';

const written = (
  { app }: Service,
  { request }: Call,
  video_id: VideoId,
  wanted: WantedTags,
): TE.TaskEither<Refusal, Answer> =>
  pipe(
    writeTags(app, request, video_id, wanted),
    TE.chainW(({ created, updated, unchanged }) => ok({ status: 'completed', created, updated, unchanged })),
  );

const importTags = (service: Service): Endpoint =>
  withBody(
    'post',
    '/v2/videos/:video_id/provider-tags',
    ProviderTagsBody,
    video(service, 'owner'),
    (call, { video_id }, { source, tags, dry_run = false }) =>
      written(service, call, video_id, { by: 'importer', source, tags, dry_run }),
  );

const editTags = (service: Service): Endpoint =>
  withBody(
    'post',
    '/v2/videos/:video_id/tags',
    UserTagsBody,
    video(service, 'owner'),
    (call, { video_id }, { tags, dry_run = false }) => {
      const source = `user.${call.request.caller.account_id}`;
      return written(service, call, video_id, { by: 'user', source, tags, dry_run });
    },
  );

const show = (service: Service): Endpoint =>
  withoutBody('get', '/v2/videos/:video_id/tags', video(service, 'owner'), (_, { video_id }) =>
    pipe(
      asked(service, () => service.queries.video(video_id)),
      TE.chain((view) =>
        view === null
          ? TE.left<Refusal>({ _tag: 'UnknownVideo' })
          : TE.right({
              body: { tags: view.record.tags },
              json: renderTags(view.record.tags),
              headers: { ETag: `"${view.revision}"` },
            }),
      ),
    ),
  );

const remove = (service: Service): Endpoint =>
  withoutBody('delete', '/v2/videos/:video_id/tags/:key', video(service, 'owner'), (call, { video_id }) => {
    const { key = '' } = call.params;
    return TagKey.is(key)
      ? pipe(
          changeVideo(service.app, call.request, video_id, { type: 'RemoveTag', key, at: call.request.at }),
          TE.chainW(() => ok({ status: 'completed', key })),
        )
      : TE.left({ _tag: 'UnknownTag', key });
  });

export const tagEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  importTags(service),
  editTags(service),
  show(service),
  remove(service),
];
