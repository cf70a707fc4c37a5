import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import { newId, idsOf } from '../../../application/commands/context.js';
import {
  renameSpeakers,
  replaceTranscript,
  setSpeakerRoles,
} from '../../../application/use-cases/audios/change-audio.js';
import { eraseAudio } from '../../../application/use-cases/erasure/erase.js';
import { recordAudioAnalysis } from '../../../application/evidence/record-analysis.js';
import { registerAudio, unlessErased } from '../../../application/use-cases/videos/register.js';
import { AudioId, SpeakerId } from '../../../domain/kernel/ids.js';
import { audioSource, changedRecord, recordAt } from '../../../application/queries/records.js';
import { audioRefusals } from '../../../domain/audio/contract.js';
import { AudioRecord } from '../../../projections/views.js';
import * as media from '../codecs/media.js';
import { audioAnalysisReader, transcriptReader } from '../decode.js';
import { aboutFormats, documentParameters, receipt, understand } from '../analysis-write-back.js';
import {
  type ReceivedBody,
  analysisBodyLimit,
  answering,
  withBody,
  withoutBody,
  withQuery,
} from '../declare-endpoint.js';
import { anyone, audio, includingErased } from '../finders.js';
import type { Endpoint } from '../endpoint.js';
import { longPage } from '../parameters.js';
import * as records from './records.js';
import { numberInPath } from '../codecs/values.js';

/** A document with turns only leaves the transcript as it is, whose speakers may have other numbers in the document. */
const noteKeptTranscript =
  (hasTranscript: boolean) =>
  ({ sent, understood }: ReceivedBody): ReceivedBody => {
    if (!hasTranscript || understood === null || understood.words !== undefined) return { sent, understood };
    const note = { count: 1, what: 'transcript of before is kept: its speaker numbers came from other labels' };
    return { sent, understood: { ...understood, notes: [...understood.notes, note] } };
  };

export const audioEndpoints: ReadonlyArray<Endpoint> = [
  withBody(
    'audios.create',
    'Register an audio',
    'If no id is given, the service generates one. `video_id` links a video of the same account that has no audio yet.',
    anyone,
    {
      body: media.RegisterAudioBody,
      answer: AudioRecord,
      refuses: ['AudioExists', 'UnavailableVideo', 'AudioAlreadyAssociated', ...records.registrationRefusals],
      headers: ['ETag'],
      unlessErased: ({ service: { app }, request: { caller } }, body) => unlessErased(app, caller, 'audio_id', body),
    },
    ({ service, request }, _, body) => {
      const { app } = service;
      const audio_id = body.audio_id ?? newId(idsOf(app.ids, request), AudioId);
      return pipe(
        registerAudio(app, request, {
          type: 'RegisterAudio',
          audio_id,
          owner_id: request.caller.account_id,
          title: body.title ?? null,
          kind: body.kind ?? 'upload',
          video_id: body.video_id ?? null,
          deal_persons: (body.deal_persons ?? []).map(({ person_id, name }) => ({ person_id, name })),
        }),
        // From the log: the write succeeds even if the read models are behind.
        TE.chainW(() =>
          recordAt(audioSource(records.sourcesAfterWrite({ service, request }), audio_id), { kind: 'now' }),
        ),
        TE.map(records.answered),
      );
    },
  ),
  withBody(
    'audios.update',
    'Change the title',
    'An absent title is not changed; null clears it.',
    audio('owner'),
    { body: media.AudioDetailsBody, answer: AudioRecord, refuses: ['NoSuchRevision'], headers: ['ETag'] },
    ({ service, request }, { audio_id }, { title }) =>
      pipe(
        service.app.perform(request, 'audios', audio_id, { type: 'ChangeAudioDetails', title, at: request.at }),
        TE.chainW(() =>
          changedRecord(audioSource(records.sourcesAfterWrite({ service, request }), audio_id), service.upToDate),
        ),
        TE.map(records.answered),
      ),
  ),
  withQuery(
    'audios.list',
    'List audios',
    'The audios of the account; admin keys see all. Newest first by default.',
    anyone,
    { query: records.askedAudios, answer: media.AudioPage },
    (call, _, asked) =>
      records.listedRecords(
        'audios',
        media.AudioPage,
        call,
        asked,
        call.service.queries.audios,
        ({ record }) => record,
      ),
  ),
  withQuery(
    'audios.get',
    'Get an audio',
    '`at` selects an earlier state, by time or revision.',
    audio('owner_or_worker_or_media_write'),
    { query: records.pointInHistory, answer: AudioRecord, refuses: ['NoSuchRevision'], headers: ['ETag'] },
    (call, { audio_id }, until) =>
      pipe(recordAt(audioSource(records.sources(call), audio_id), until), TE.map(records.answered)),
  ),
  withoutBody(
    'audios.erase',
    'Erase an audio',
    records.aboutErasure,
    audio('owner'),
    { answer: media.ErasedMedium, refuses: ['LogNotSealed'] },
    ({ service, request }, { audio_id }) => records.erased(service, eraseAudio(service.app, request, audio_id)),
  ),
  withQuery(
    'audios.history',
    'List the events of an audio',
    'In order, each with the actor and request that caused it.',
    includingErased(audio('owner')),
    { query: longPage, answer: media.HistoryPage },
    (call, _, asked) => records.history(`audio-${call.params['audio_id']}`, call, asked),
  ),
  withBody(
    'audios.recordAnalysis',
    'Write back the analysis of an audio',
    `The speakers, their turns and the transcript. ${aboutFormats}`,
    audio('worker'),
    {
      body: audioAnalysisReader,
      answer: media.AnalysisReceipt,
      refuses: [...audioRefusals.RecordAudioAnalysis, 'DocumentReaderFailed'],
      query: documentParameters,
      bodyLimit: analysisBodyLimit,
      understand: (visit, { transcript }, sent) =>
        pipe(understand('audio', visit, sent), TE.map(noteKeptTranscript(transcript !== null))),
    },
    ({ service: { app }, request }, { audio_id }, analysis, understood) =>
      pipe(recordAudioAnalysis(app, request, audio_id, analysis), TE.map(receipt(analysis, understood))),
  ),
  withBody(
    'audios.replaceTranscript',
    'Replace the transcript',
    'Permanently excludes the audio from name inference.',
    audio('owner'),
    {
      body: transcriptReader,
      answer: media.ReplacedTranscript,
      refuses: audioRefusals.ReplaceTranscript,
      bodyLimit: analysisBodyLimit,
    },
    ({ service: { app }, request }, { audio_id }, transcript) =>
      answering(replaceTranscript(app, request, audio_id, transcript), () => ({
        status: 'completed',
        utterances: transcript.utterances,
      })),
  ),
  withBody(
    'speakers.rename',
    'Rename speakers',
    'Unknown speakers are listed in `skipped`. A face matched to a renamed speaker gets the same name.',
    audio('owner_or_media_write'),
    { body: media.SpeakerNamesBody, answer: media.RenamedSpeakers, refuses: audioRefusals.RenameSpeakers },
    ({ service: { app }, request }, { audio_id }, speakers) =>
      answering(renameSpeakers(app, request, audio_id, speakers), identity),
  ),
  withBody(
    'speakers.setRoles',
    'Set roles of speakers',
    'null clears a role. Unknown speakers are listed in `skipped`.',
    audio('owner_or_media_write'),
    { body: media.SpeakerRolesBody, answer: media.SpeakerRoles, refuses: audioRefusals.SetSpeakerRoles },
    ({ service: { app }, request }, { audio_id }, speakers) =>
      answering(setSpeakerRoles(app, request, audio_id, speakers), identity),
  ),
  withBody(
    'speakers.merge',
    'Merge a speaker into another',
    'Everything said by `from` is assigned to `into`.',
    audio('owner'),
    { body: media.MergeSpeakersBody, answer: media.MergedSpeakers, refuses: audioRefusals.MergeSpeakers },
    ({ service: { app }, request }, { audio_id }, { from, into }) =>
      answering(
        app.perform(request, 'audios', audio_id, { type: 'MergeSpeakers', from, into, at: request.at }),
        () => ({
          status: 'completed',
          from,
          into,
        }),
      ),
  ),
  withoutBody(
    'speakers.delete',
    'Delete a speaker',
    'A face matched to the speaker loses its match.',
    audio('owner'),
    { answer: media.DeletedSpeaker, refuses: ['InvalidSpeaker', 'UnknownSpeaker'] },
    ({ service: { app }, params, request }, { audio_id }) => {
      const speaker_id = numberInPath(params['speaker_id']);
      if (!SpeakerId.is(speaker_id)) return TE.left({ _tag: 'UnknownSpeaker' });
      return answering(
        app.perform(request, 'audios', audio_id, { type: 'DeleteSpeaker', speaker_id, at: request.at }),
        () => ({ status: 'completed', speaker_id }),
      );
    },
  ),
];
