import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AudioRefusalOf } from '../../../domain/audio/contract.js';
import type { Failure, RevisionChanged } from '../../failures.js';
import type { AudioState } from '../../../domain/audio/state.js';
import { type AudioId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { SpeakerRole } from '../../../domain/kernel/media.js';
import type { PersonName } from '../../../domain/kernel/names.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';
import { type Timestamp, laterThan } from '../../../domain/kernel/timestamp.js';
import * as E from 'fp-ts/lib/Either.js';
import { refusalOf } from '../../../domain/kernel/erased.js';
import type { ReplacingTranscript } from '../../evidence/pack-analysis.js';
import { writeTranscript } from '../../evidence/evidence.js';
import { checkRevision } from '../../commands/handle-command.js';

/** When the faces of the parent video were named: the renaming must be dated later to apply to them. */
const faceChanges = (app: Uses<'videos'>, audio: AudioState): TE.TaskEither<Failure, ReadonlyArray<Timestamp | null>> =>
  audio._tag !== 'Registered' || audio.video_id === null
    ? TE.right([])
    : pipe(
        app.videos.load(audio.video_id),
        TE.map(({ state }) =>
          state._tag !== 'Registered' ? [] : [...state.faces.values()].map(({ named_at }) => named_at),
        ),
      );

type Targeted = { readonly speaker_id: number };

/** The targets with a valid speaker id. */
const withValidId = <Target extends Targeted>(targets: ReadonlyArray<Target>) =>
  targets.flatMap((target) => (SpeakerId.is(target.speaker_id) ? [{ ...target, speaker_id: target.speaker_id }] : []));

/** Unknown speakers are no error when names or roles are set: they are skipped (specification, section 4.5). */
const updatedAndSkipped = <Target extends Targeted>(state: AudioState, targets: ReadonlyArray<Target>) => {
  const isKnown = ({ speaker_id }: Targeted) =>
    state._tag === 'Registered' && SpeakerId.is(speaker_id) && state.speakers.has(speaker_id);
  return {
    speakers: targets.filter(isKnown),
    skipped: targets.filter((target) => !isKnown(target)).map(({ speaker_id }) => speaker_id),
  };
};

/** PUT /v1/audios/{audio_id}/speakers/names. Reactions rename the matched faces of the parent video. */
export const renameSpeakers = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  audio_id: AudioId,
  speakers: ReadonlyArray<Targeted & { readonly name: PersonName }>,
) =>
  pipe(
    app.audios.load(audio_id),
    TE.chain(({ state }) => faceChanges(app, state)),
    TE.chainW((changes) =>
      app.perform(request, 'audios', audio_id, {
        type: 'RenameSpeakers',
        speakers: withValidId(speakers),
        at: laterThan(request.at, changes),
      }),
    ),
    TE.map(({ state }) => updatedAndSkipped(state, speakers)),
  );

/** PUT /v1/audios/{audio_id}/speakers/roles; null clears a role. */
export const setSpeakerRoles = (
  app: Uses<'perform'>,
  request: RequestContext,
  audio_id: AudioId,
  speakers: ReadonlyArray<Targeted & { readonly role: SpeakerRole | null }>,
) =>
  pipe(
    app.perform(request, 'audios', audio_id, { type: 'SetSpeakerRoles', speakers: withValidId(speakers) }),
    TE.map(({ state }) => updatedAndSkipped(state, speakers)),
  );

type Refusal = AudioRefusalOf<'ReplaceTranscript'> | RevisionChanged | Failure;

const checkSpeakers = (
  state: AudioState,
  mentioned: ReadonlyArray<SpeakerId>,
): E.Either<AudioRefusalOf<'ReplaceTranscript'>, AudioState> => {
  if (state._tag === 'Erased') return E.left(refusalOf(state));
  if (state._tag === 'Unregistered') return E.left({ _tag: 'UnknownAudio' });
  const unknown = mentioned.find((speaker_id) => !state.speakers.has(speaker_id));
  return unknown === undefined ? E.right(state) : E.left({ _tag: 'UndeclaredSpeaker', speaker_id: unknown });
};

/** PUT /v1/audios/{audio_id}/transcript/replace. The audio is then permanently ineligible for name inference. */
export const replaceTranscript = (
  app: Uses<'audios' | 'ids' | 'perform' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  { transcript, utterances, mentioned }: ReplacingTranscript,
): TE.TaskEither<Refusal, void> => {
  const transcript_id = transcript.digest;
  return pipe(
    app.audios.load(audio_id),
    TE.chainW(({ state, revision }) =>
      pipe(
        checkRevision(request.if_match, revision),
        E.chainW(() => checkSpeakers(state, mentioned)),
        TE.fromEither<Refusal, AudioState>,
      ),
    ),
    TE.chain((state): TE.TaskEither<Refusal, void> => {
      if (state._tag === 'Registered' && state.replaced_by === transcript_id) return TE.right(undefined);
      const last = state._tag === 'Registered' ? state.transcript : null;
      return pipe(
        writeTranscript(app, request, audio_id, transcript_id, last, utterances === 0 ? null : transcript),
        TE.chainW((written) =>
          app.perform(request, 'audios', audio_id, { type: 'ReplaceTranscript', transcript_id, transcript: written }),
        ),
        TE.map(() => undefined),
      );
    }),
  );
};
