import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { newId } from '../../../application/new-id.js';
import { idsOf } from '../../../application/request-context.js';
import type { ProviderDocuments } from '../../../application/ports/provider-documents.js';
import { changeVideo } from '../../../application/use-cases/change-video.js';
import { recordVideoAnalysis } from '../../../application/use-cases/record-video-analysis.js';
import { registerVideo } from '../../../application/use-cases/register-video.js';
import { FaceId, VideoId } from '../../../domain/kernel/ids.js';
import { replayVideo } from '../../../projections/record-at.js';
import type { VideoSelection } from '../../../projections/record-list.js';
import type { VideoView } from '../../../projections/views.js';
import { videoAnalysisReader } from '../bodies/analysis-readers.js';
import { FaceNamesBody, PersonalityTraitsBody, RegisterVideoBody, VideoDetailsBody } from '../codecs/media.js';
import { analysisWriteBack } from '../analysis-write-back.js';
import { type Endpoint, ok, withBody, withoutBody } from '../endpoint.js';
import { pageParameters } from '../query.js';
import { recordAt } from '../record-at.js';
import type { Refusal } from '../refusals.js';
import { videoListParameters, videoSelection } from '../list-query.js';
import { renderVideo } from '../render-video.js';
import { type Service, anyone, video, videoId } from '../service.js';
import { history } from './history.js';
import { type RecordSource, changedRecord, listed, ownerOfList, registeredRecord, showRecord } from './records.js';

const rendered = (view: VideoView | null) => view && { ...view, json: renderVideo(view.record) };

const source = (service: Service, video_id: VideoId): RecordSource => ({
  current: () => pipe(service.queries.video(video_id), TE.map(rendered)),
  at: (until) => pipe(recordAt(service.app.store, `video-${video_id}`, until, replayVideo()), TE.map(rendered)),
});

const changeDetails = (service: Service): Endpoint =>
  withBody(
    'videos.update',
    VideoDetailsBody,
    video(service, 'owner'),
    ({ request }, { video_id }, { title, media_url }) =>
      pipe(
        changeVideo(service.app, request, video_id, { type: 'ChangeVideoDetails', title, media_url, at: request.at }),
        TE.chainW(() => changedRecord(service, source(service, video_id))),
      ),
    { optional: true },
  );

const register = (service: Service): Endpoint =>
  withBody(
    'videos.create',
    RegisterVideoBody,
    anyone,
    ({ request }, _, body) => {
      const { app } = service;
      const video_id = body.video_id ?? newId(idsOf(app.ids, request), VideoId);
      return pipe(
        registerVideo(app, request, {
          type: 'RegisterVideo',
          video_id,
          owner_id: request.caller.account_id,
          title: body.title ?? null,
          kind: body.kind ?? 'upload',
          media_url: body.media_url ?? null,
          audio_id: body.audio_id ?? null,
        }),
        TE.chainW(() => registeredRecord(source(service, video_id))),
      );
    },
    { optional: true },
  );

const list = (service: Service): Endpoint =>
  withoutBody(
    'videos.list',
    anyone,
    (call) =>
      pipe(
        TE.fromEither<Refusal, VideoSelection>(videoSelection(call.query, ownerOfList(call))),
        TE.chain((selection) =>
          listed(
            service,
            'videos',
            call,
            (page) => service.queries.videos(selection, page),
            ({ record, audio }) => (selection.with_audio ? { ...record, audio: audio && audio.record } : record),
          ),
        ),
      ),
    videoListParameters,
  );

const show = (service: Service): Endpoint =>
  withoutBody(
    'videos.get',
    videoId(service, 'owner_or_worker'),
    (call, { video_id }) => showRecord(service, call, source(service, video_id)),
    ['at'],
  );

const showHistory = (service: Service): Endpoint =>
  withoutBody(
    'videos.history',
    videoId(service, 'owner'),
    (call, { video_id }) => history(service, `video-${video_id}`, call),
    pageParameters,
  );

const recordAnalysis = (service: Service, documents: ProviderDocuments): Endpoint =>
  analysisWriteBack(
    'video',
    videoAnalysisReader,
    documents,
    videoId(service, 'worker'),
    ({ request }, { video_id }, analysis) => recordVideoAnalysis(service.app, request, video_id, analysis),
  );

const recordTraits = (service: Service): Endpoint =>
  withBody(
    'faces.recordTraits',
    PersonalityTraitsBody,
    (call) =>
      pipe(
        video(service, 'worker')(call),
        TE.chain(({ video_id, faces }) => {
          const face_id = /^\d{1,15}$/.test(call.params['face_id'] ?? '') ? Number(call.params['face_id']) : -1;
          return FaceId.is(face_id) && faces.has(face_id)
            ? TE.right({ video_id, face_id })
            : TE.left<Refusal>({ _tag: 'UnknownFace' });
        }),
      ),
    ({ request }, { video_id, face_id }, { personality_traits }) =>
      pipe(
        changeVideo(service.app, request, video_id, { type: 'RecordPersonalityTraits', face_id, personality_traits }),
        TE.chainW(() => ok({ personality_traits })),
      ),
  );

const nameFaces = (service: Service): Endpoint =>
  withBody('faces.rename', FaceNamesBody, videoId(service, 'owner'), ({ request }, { video_id }, faces) =>
    pipe(
      changeVideo(service.app, request, video_id, { type: 'RenameFaces', faces, at: request.at }),
      TE.chainW(() => ok(faces.map(({ face_id, name }) => ({ face_id, name })))),
    ),
  );

export const videoEndpoints = (service: Service, documents: ProviderDocuments): ReadonlyArray<Endpoint> => [
  register(service),
  changeDetails(service),
  list(service),
  show(service),
  showHistory(service),
  recordAnalysis(service, documents),
  recordTraits(service),
  nameFaces(service),
];
