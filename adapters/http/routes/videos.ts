import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { newId } from '../../../application/ports/ids.js';
import { idsOf } from '../../../application/commands/context.js';
import type { ProviderDocuments } from '../../../application/ports/provider-documents.js';
import { eraseVideo } from '../../../application/use-cases/erasure/erase.js';
import { changeVideo } from '../../../application/use-cases/videos/change-video.js';
import { recordVideoAnalysis } from '../../../application/use-cases/videos/record-video-analysis.js';
import { registerVideo } from '../../../application/use-cases/videos/register.js';
import { FaceId, VideoId } from '../../../domain/kernel/ids.js';
import { videoRefusals } from '../../../domain/video/refusals.js';
import { replayVideo } from '../../../projections/shown-records.js';
import { VideoRecord } from '../../../projections/views.js';
import {
  HistoryPage,
  ErasedMedium,
  NamedFaces,
  PersonalityTraits,
  VideoPage,
  FaceNamesBody,
  PersonalityTraitsBody,
  RegisterVideoBody,
  VideoDetailsBody,
} from '../codecs/media.js';
import { videoAnalysisReader } from '../body-readers.js';
import { numberInPath } from '../codecs/values.js';
import { analysisWriteBack } from '../analysis-write-back.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { historyParameters, pointInHistoryParameter, videoListParameters, videoSelection } from '../parameters.js';
import {
  type RecordSource,
  changedRecord,
  erased,
  listed,
  ownerOfList,
  recordAt,
  registeredRecord,
  showRecord,
  waitForQueued,
  history,
} from './records.js';
import { type Service, anyone, evenErased, unlessErased, video, videoId } from '../service.js';

const source = (service: Service, video_id: VideoId): RecordSource<VideoRecord> => ({
  current: () => service.queries.video(video_id),
  at: (reading, until) => recordAt(service.app.store, `video-${video_id}`, reading, until, replayVideo()),
});

const changeDetails = (service: Service): Endpoint =>
  withBody(
    { operation: 'videos.update', answer: VideoRecord, refuses: ['NoSuchRevision'], headers: ['ETag'] },
    VideoDetailsBody,
    video(service, 'owner'),
    ({ request }, { video_id }, { title, media_url }) =>
      pipe(
        changeVideo(service.app, request, video_id, { type: 'ChangeVideoDetails', title, media_url, at: request.at }),
        TE.chainW(() => changedRecord(service, request, source(service, video_id))),
      ),
    { optional: true },
  );

const register = (service: Service): Endpoint =>
  withBody(
    {
      operation: 'videos.create',
      answer: VideoRecord,
      refuses: [
        'VideoExists',
        'UnavailableAudio',
        'AudioHasParent',
        'UnknownAudio',
        'UnknownVideo',
        'NoSuchRevision',
        'MediumErased',
      ],
      headers: ['ETag'],
    },
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
        TE.chainW(() => registeredRecord(request, source(service, video_id))),
      );
    },
    { optional: true, unlessErased: unlessErased(service, 'video_id') },
  );

const list = (service: Service): Endpoint => {
  const waited = waitForQueued(service, 'videos', service.queries.videos);
  return withoutBody({ operation: 'videos.list', answer: VideoPage, query: videoListParameters }, anyone, (call) =>
    pipe(
      TE.fromEither(videoSelection(call.query, ownerOfList(call))),
      TE.chainFirstW((selection) => waited(call, selection)),
      TE.chainW((selection) =>
        listed(
          service,
          VideoPage,
          call,
          (page) => service.queries.videos(selection, page),
          ({ record, audio }) => (selection.with_audio ? { ...record, audio: audio && audio.record } : record),
        ),
      ),
    ),
  );
};

const show = (service: Service): Endpoint =>
  withoutBody(
    {
      operation: 'videos.get',
      answer: VideoRecord,
      refuses: ['NoSuchRevision'],
      query: [pointInHistoryParameter],
      headers: ['ETag'],
    },
    videoId(service, 'owner_or_worker'),
    (call, { video_id }) => showRecord(service, call, source(service, video_id)),
  );

const showHistory = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'videos.history', answer: HistoryPage, query: historyParameters },
    evenErased(videoId(service, 'owner')),
    (call) => history(service, `video-${call.params['video_id']}`, call),
  );

const erase = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'videos.erase', answer: ErasedMedium, refuses: ['LogNotSealed'] },
    videoId(service, 'owner'),
    ({ request }, { video_id }) => erased(service, eraseVideo(service.app, request, video_id)),
  );

const recordAnalysis = (service: Service, documents: ProviderDocuments): Endpoint =>
  analysisWriteBack(
    'video',
    videoAnalysisReader,
    documents,
    videoRefusals.RecordVideoAnalysis,
    videoId(service, 'worker'),
    ({ request }, { video_id }, analysis) => recordVideoAnalysis(service.app, request, video_id, analysis),
  );

const recordTraits = (service: Service): Endpoint =>
  withBody(
    { operation: 'faces.recordTraits', answer: PersonalityTraits, refuses: ['InvalidFace', 'UnknownFace'] },
    PersonalityTraitsBody,
    video(service, 'worker'),
    ({ request, params }, { video_id, faces }, { personality_traits }) => {
      const face_id = numberInPath(params['face_id']);
      return FaceId.is(face_id) && faces.has(face_id)
        ? pipe(
            changeVideo(service.app, request, video_id, {
              type: 'RecordPersonalityTraits',
              face_id,
              personality_traits,
            }),
            TE.chainW(() => ok({ personality_traits })),
          )
        : TE.left({ _tag: 'UnknownFace' });
    },
  );

const nameFaces = (service: Service): Endpoint =>
  withBody(
    { operation: 'faces.rename', answer: NamedFaces, refuses: videoRefusals.RenameFaces },
    FaceNamesBody,
    videoId(service, 'owner'),
    ({ request }, { video_id }, faces) =>
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
  erase(service),
  showHistory(service),
  recordAnalysis(service, documents),
  recordTraits(service),
  nameFaces(service),
];
