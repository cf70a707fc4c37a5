import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { newId, idsOf } from '../../../application/commands/context.js';
import { eraseVideo } from '../../../application/use-cases/erasure/erase.js';
import { recordVideoAnalysis } from '../../../application/evidence/record-analysis.js';
import { registerVideo, unlessErased } from '../../../application/use-cases/videos/register.js';
import { FaceId, VideoId } from '../../../domain/kernel/ids.js';
import { videoRefusals } from '../../../domain/video/contract.js';
import { changedRecord, recordAt, videoSource } from '../../../application/queries/records.js';
import { VideoRecord } from '../../../projections/views.js';
import * as media from '../codecs/media.js';
import { videoAnalysisReader } from '../decode.js';
import { numberInPath } from '../codecs/values.js';
import { aboutFormats, documentParameters, receipt, understand } from '../analysis-write-back.js';
import { analysisBodyLimit, answering, withBody, withoutBody, withQuery } from '../declare-endpoint.js';
import { anyone, includingErased, video } from '../finders.js';
import type { Endpoint } from '../endpoint.js';
import { longPage } from '../parameters.js';
import * as records from './records.js';

export const videoEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'videos.create',
    'Register a video',
    'If no id is given, the service generates one. `audio_id` links an audio of the same account that has no video yet.',
    anyone,
    {
      body: media.RegisterVideoBody,
      answer: VideoRecord,
      refuses: ['VideoExists', 'UnavailableAudio', 'AudioHasParent', ...records.registrationRefusals],
      headers: ['ETag'],
      unlessErased: ({ service: { app }, request: { caller } }, body) => unlessErased(app, caller, 'video_id', body),
    },
    ({ service, request }, _, body) => {
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
        // From the log: the write succeeds even if the read models are behind.
        TE.chainW(() =>
          recordAt(videoSource(records.sourcesAfterWrite({ service, request }), video_id), { kind: 'now' }),
        ),
        TE.map(records.answered),
      );
    },
  ),
  withBody(
    'videos.update',
    'Change the title or media URL',
    'Absent fields are not changed; null clears a field.',
    video('owner'),
    { body: media.VideoDetailsBody, answer: VideoRecord, refuses: ['NoSuchRevision'], headers: ['ETag'] },
    ({ service, request }, { video_id }, { title, media_url }) =>
      pipe(
        service.app.perform(request, 'videos', video_id, {
          type: 'ChangeVideoDetails',
          title,
          media_url,
          at: request.at,
        }),
        TE.chainW(() =>
          changedRecord(videoSource(records.sourcesAfterWrite({ service, request }), video_id), service.upToDate),
        ),
        TE.map(records.answered),
      ),
  ),
  withQuery(
    'videos.list',
    'List videos',
    'The videos of the account; admin keys see all. Newest first by default.',
    anyone,
    { query: records.askedVideos, answer: media.VideoPage },
    (call, _, asked) =>
      records.listedRecords('videos', media.VideoPage, call, asked, call.service.queries.videos, ({ record, audio }) =>
        asked.selection.with_audio ? { ...record, audio: audio && audio.record } : record,
      ),
  ),
  withQuery(
    'videos.get',
    'Get a video',
    '`at` selects an earlier state, by time or revision.',
    video('owner_or_worker'),
    { query: records.pointInHistory, answer: VideoRecord, refuses: ['NoSuchRevision'], headers: ['ETag'] },
    (call, { video_id }, until) =>
      pipe(recordAt(videoSource(records.sources(call), video_id), until), TE.map(records.answered)),
  ),
  withoutBody(
    'videos.erase',
    'Erase a video',
    records.aboutErasure,
    video('owner'),
    { answer: media.ErasedMedium, refuses: ['LogNotSealed'] },
    ({ service, request }, { video_id }) => records.erased(service, eraseVideo(service.app, request, video_id)),
  ),
  withQuery(
    'videos.history',
    'List the events of a video',
    'In order, each with the actor and request that caused it.',
    includingErased(video('owner')),
    { query: longPage, answer: media.HistoryPage },
    (call, _, asked) => records.history(`video-${call.params['video_id']}`, call, asked),
  ),
  withBody(
    'videos.recordAnalysis',
    'Write back the analysis of a video',
    `The faces in the video and when they are visible. A face without a name is called \`Face {id}\`. ${aboutFormats}`,
    video('worker'),
    {
      body: videoAnalysisReader,
      answer: media.AnalysisReceipt,
      refuses: [...videoRefusals.RecordVideoAnalysis, 'DocumentReaderFailed'],
      query: documentParameters,
      bodyLimit: analysisBodyLimit,
      understand: (visit, _, sent) => understand('video', visit, sent),
    },
    ({ service: { app }, request }, { video_id }, analysis, understood) =>
      pipe(recordVideoAnalysis(app, request, video_id, analysis), TE.map(receipt(analysis, understood))),
  ),
  withBody(
    'faces.recordTraits',
    'Write back personality data of a face',
    'For workers: a change of the match clears the personality data of a face, which then has to be analysed again.',
    video('worker'),
    { body: media.PersonalityTraitsBody, answer: media.PersonalityTraits, refuses: ['InvalidFace', 'UnknownFace'] },
    ({ service: { app }, request, params }, { video_id, faces }, { personality_traits }) => {
      const face_id = numberInPath(params['face_id']);
      return FaceId.is(face_id) && faces.has(face_id)
        ? answering(
            app.perform(request, 'videos', video_id, {
              type: 'RecordPersonalityTraits',
              face_id,
              personality_traits,
            }),
            () => ({ personality_traits }),
          )
        : TE.left({ _tag: 'UnknownFace' });
    },
  ),
  withBody(
    'faces.rename',
    'Rename faces',
    'All or nothing: an unknown face is answered with 404.',
    video('owner'),
    { body: media.FaceNamesBody, answer: media.NamedFaces, refuses: videoRefusals.RenameFaces },
    ({ service: { app }, request }, { video_id }, faces) =>
      answering(app.perform(request, 'videos', video_id, { type: 'RenameFaces', faces, at: request.at }), () => faces),
  ),
];
