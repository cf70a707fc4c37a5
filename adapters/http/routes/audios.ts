import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { newId } from '../../../application/ports/ids.js';
import { idsOf } from '../../../application/commands/context.js';
import type { Failure } from '../../../application/failures.js';
import type { ProviderDocuments, Understanding } from '../../../application/ports/provider-documents.js';
import { changeAudio, renameSpeakers } from '../../../application/use-cases/audios/change-audio.js';
import { eraseAudio } from '../../../application/use-cases/erasure/erase.js';
import { recordAudioAnalysis } from '../../../application/use-cases/audios/record-audio-analysis.js';
import { registerAudio } from '../../../application/use-cases/videos/register.js';
import { replaceTranscript } from '../../../application/use-cases/audios/replace-transcript.js';
import { AudioId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { MediaKind } from '../../../domain/kernel/media.js';
import { audioView, replayAudio } from '../../../projections/shown-records.js';
import { audioRefusals } from '../../../domain/audio/contract.js';
import { type AudioRow, AudioRecord } from '../../../projections/views.js';
import {
  HistoryPage,
  AudioPage,
  ErasedMedium,
  ReplacedTranscript,
  AudioDetailsBody,
  RegisterAudioBody,
  DeletedSpeaker,
  MergedSpeakers,
  RenamedSpeakers,
  SpeakerRoles,
  MergeSpeakersBody,
  SpeakerNamesBody,
  SpeakerRolesBody,
} from '../codecs/media.js';
import { audioAnalysisReader, transcriptReader } from '../body-readers.js';
import { analysisWriteBack } from '../analysis-write-back.js';
import { analysisBodyLimit, ok, withBody, withoutBody, withReader } from '../declare-endpoint.js';
import type { Endpoint } from '../endpoint.js';
import { audioListParameters, historyParameters, pointInHistoryParameter, audioSelection } from '../parameters.js';
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
import { type Service, anyone, audioId, evenErased, unlessErased } from '../service.js';
import type { AudioState } from '../../../domain/audio/state.js';
import { numberInPath } from '../codecs/values.js';

/** The kind of the parent video, which some fields of an audio depend on. It never changes. */
const parentKind = ({ app }: Service, { record: { video_id } }: AudioRow): TE.TaskEither<Failure, MediaKind | null> =>
  video_id === null
    ? TE.right(null)
    : pipe(
        app.videos.load(video_id),
        TE.map(({ state }) => (state._tag === 'Registered' ? state.kind : null)),
      );

const source = (service: Service, audio_id: AudioId): RecordSource<AudioRecord> => ({
  current: () => service.queries.audio(audio_id),
  at: (reading, until) =>
    pipe(
      recordAt(service.app.store, `audio-${audio_id}`, reading, until, replayAudio()),
      TE.chainW((row) =>
        row === null
          ? TE.right(null)
          : pipe(
              parentKind(service, row),
              TE.map((kind) => audioView(row, () => kind)),
            ),
      ),
    ),
});

const changeDetails = (service: Service): Endpoint =>
  withBody(
    { operation: 'audios.update', answer: AudioRecord, refuses: ['NoSuchRevision'], headers: ['ETag'] },
    AudioDetailsBody,
    audioId(service, 'owner'),
    ({ request }, { audio_id }, { title }) =>
      pipe(
        changeAudio(service.app, request, audio_id, { type: 'ChangeAudioDetails', title, at: request.at }),
        TE.chainW(() => changedRecord(service, request, source(service, audio_id))),
      ),
    { optional: true },
  );

const register = (service: Service): Endpoint =>
  withBody(
    {
      operation: 'audios.create',
      answer: AudioRecord,
      refuses: [
        'AudioExists',
        'UnavailableVideo',
        'AudioAlreadyAssociated',
        'UnknownAudio',
        'UnknownVideo',
        'NoSuchRevision',
        'MediumErased',
      ],
      headers: ['ETag'],
    },
    RegisterAudioBody,
    anyone,
    ({ request }, _, body) => {
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
        TE.chainW(() => registeredRecord(request, source(service, audio_id))),
      );
    },
    { optional: true, unlessErased: unlessErased(service, 'audio_id') },
  );

const list = (service: Service): Endpoint => {
  const waited = waitForQueued(service, 'audios', service.queries.audios);
  return withoutBody({ operation: 'audios.list', answer: AudioPage, query: audioListParameters }, anyone, (call) =>
    pipe(
      TE.fromEither(audioSelection(call.query, ownerOfList(call))),
      TE.chainFirstW((selection) => waited(call, selection)),
      TE.chainW((selection) =>
        listed(
          service,
          AudioPage,
          call,
          (page) => service.queries.audios(selection, page),
          ({ record }) => record,
        ),
      ),
    ),
  );
};

const show = (service: Service): Endpoint =>
  withoutBody(
    {
      operation: 'audios.get',
      answer: AudioRecord,
      refuses: ['NoSuchRevision'],
      query: [pointInHistoryParameter],
      headers: ['ETag'],
    },
    audioId(service, 'owner_or_worker_or_media_write'),
    (call, { audio_id }) => showRecord(service, call, source(service, audio_id)),
  );

const erase = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'audios.erase', answer: ErasedMedium, refuses: ['LogNotSealed'] },
    audioId(service, 'owner'),
    ({ request }, { audio_id }) => erased(service, eraseAudio(service.app, request, audio_id)),
  );

const showHistory = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'audios.history', answer: HistoryPage, query: historyParameters },
    evenErased(audioId(service, 'owner')),
    (call) => history(service, `audio-${call.params['audio_id']}`, call),
  );

/** A document with turns only leaves the transcript as it is, whose speakers may have other numbers in the document. */
const noteKeptTranscript = (service: Service, audio_id: AudioId, understood: Understanding) =>
  understood.words === undefined
    ? pipe(
        service.app.audios.load(audio_id),
        TE.map(({ state }): Understanding => {
          if (state._tag !== 'Registered' || state.transcript === null) return understood;
          const note = { count: 1, what: 'transcript of before is kept: its speaker numbers came from other labels' };
          return { ...understood, notes: [...understood.notes, note] };
        }),
      )
    : TE.right(understood);

const recordAnalysis = (service: Service, documents: ProviderDocuments): Endpoint =>
  analysisWriteBack(
    'audio',
    audioAnalysisReader,
    documents,
    audioRefusals.RecordAudioAnalysis,
    audioId(service, 'worker'),
    ({ request }, { audio_id }, analysis) => recordAudioAnalysis(service.app, request, audio_id, analysis),
    ({ audio_id }, understood) => noteKeptTranscript(service, audio_id, understood),
  );

const replace = (service: Service): Endpoint =>
  withReader(
    { operation: 'audios.replaceTranscript', answer: ReplacedTranscript, refuses: audioRefusals.ReplaceTranscript },
    transcriptReader,
    audioId(service, 'owner'),
    ({ request }, { audio_id }, transcript) =>
      pipe(
        replaceTranscript(service.app, request, audio_id, transcript),
        TE.chainW(() => ok({ status: 'completed', utterances: transcript.utterances })),
      ),
    { bodyLimit: analysisBodyLimit },
  );

export const audioEndpoints = (service: Service, documents: ProviderDocuments): ReadonlyArray<Endpoint> => [
  register(service),
  changeDetails(service),
  list(service),
  show(service),
  erase(service),
  showHistory(service),
  recordAnalysis(service, documents),
  replace(service),
];

type Targeted = { readonly speaker_id: number };

/** The targets with a valid speaker id. */
const withValidId = <Target extends Targeted>(targets: ReadonlyArray<Target>) =>
  targets.flatMap((target) => (SpeakerId.is(target.speaker_id) ? [{ ...target, speaker_id: target.speaker_id }] : []));

/** Unknown speakers are not an error here: the answer lists them as skipped. */
const updatedAndSkipped = <Target extends Targeted>(state: AudioState, targets: ReadonlyArray<Target>) => {
  const isKnown = ({ speaker_id }: Targeted) =>
    state._tag === 'Registered' && SpeakerId.is(speaker_id) && state.speakers.has(speaker_id);
  return {
    speakers: targets.filter(isKnown),
    skipped: targets.filter((target) => !isKnown(target)).map(({ speaker_id }) => speaker_id),
  };
};

const rename = (service: Service): Endpoint =>
  withBody(
    { operation: 'speakers.rename', answer: RenamedSpeakers, refuses: audioRefusals.RenameSpeakers },
    SpeakerNamesBody,
    audioId(service, 'owner_or_media_write'),
    ({ request }, { audio_id }, speakers) =>
      pipe(
        renameSpeakers(service.app, request, audio_id, withValidId(speakers)),
        TE.chainW((state) =>
          ok(
            updatedAndSkipped(
              state,
              speakers.map(({ speaker_id, name }) => ({ speaker_id, name })),
            ),
          ),
        ),
      ),
  );

const setRoles = (service: Service): Endpoint =>
  withBody(
    { operation: 'speakers.setRoles', answer: SpeakerRoles, refuses: audioRefusals.SetSpeakerRoles },
    SpeakerRolesBody,
    audioId(service, 'owner_or_media_write'),
    ({ request }, { audio_id }, speakers) =>
      pipe(
        changeAudio(service.app, request, audio_id, { type: 'SetSpeakerRoles', speakers: withValidId(speakers) }),
        TE.chainW((state) =>
          ok(
            updatedAndSkipped(
              state,
              speakers.map(({ speaker_id, role }) => ({ speaker_id, role })),
            ),
          ),
        ),
      ),
  );

const merge = (service: Service): Endpoint =>
  withBody(
    { operation: 'speakers.merge', answer: MergedSpeakers, refuses: audioRefusals.MergeSpeakers },
    MergeSpeakersBody,
    audioId(service, 'owner'),
    ({ request }, { audio_id }, { from, into }) =>
      pipe(
        changeAudio(service.app, request, audio_id, { type: 'MergeSpeakers', from, into, at: request.at }),
        TE.chainW(() => ok({ status: 'completed', from, into })),
      ),
  );

const remove = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'speakers.delete', answer: DeletedSpeaker, refuses: ['InvalidSpeaker', 'UnknownSpeaker'] },
    audioId(service, 'owner'),
    ({ params, request }, { audio_id }) => {
      const speaker_id = numberInPath(params['speaker_id']);
      if (!SpeakerId.is(speaker_id)) return TE.left({ _tag: 'UnknownSpeaker' });
      return pipe(
        changeAudio(service.app, request, audio_id, { type: 'DeleteSpeaker', speaker_id, at: request.at }),
        TE.chainW(() => ok({ status: 'completed', speaker_id })),
      );
    },
  );

export const speakerEndpoints = (service: Service): ReadonlyArray<Endpoint> => [
  rename(service),
  setRoles(service),
  merge(service),
  remove(service),
];
