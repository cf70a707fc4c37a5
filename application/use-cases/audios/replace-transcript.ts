import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AudioRefusalOf, isAudioRefusalOf } from '../../../domain/audio/contract.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import type { Chunks } from '../../../domain/audio/events.js';
import type { AudioState } from '../../../domain/audio/state.js';
import { refusalOf } from '../../../domain/kernel/erased.js';
import type { AudioId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import type { PackedParts } from '../../evidence/packed-match.js';
import { writeTranscript } from '../../evidence/transcript.js';
import { checkRevision } from '../../commands/handle-command.js';
import type { RequestContext } from '../../commands/context.js';

type Refusal = AudioRefusalOf<'ReplaceTranscript'> | RevisionChanged | Failure;

/** The new transcript. */
export interface ReplacingTranscript {
  /** JSON of `Utterance`. */
  readonly transcript: PackedParts;
  readonly utterances: number;
  /** The speakers in it. */
  readonly mentioned: ReadonlyArray<SpeakerId>;
}

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
        utterances === 0
          ? TE.right<Failure, Chunks | null>(null)
          : writeTranscript(app, request, audio_id, transcript_id, last, transcript),
        TE.chainW((written) =>
          app.perform(request, 'audios', audio_id, { type: 'ReplaceTranscript', transcript_id, transcript: written }),
        ),
        narrowRefusal(isAudioRefusalOf('ReplaceTranscript')),
        TE.map(() => undefined),
      );
    }),
  );
};
