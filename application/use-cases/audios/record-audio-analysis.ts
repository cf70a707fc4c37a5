import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  type AudioRefusalOf,
  isAudioRefusalOf,
  type AnalysedSpeaker,
  type RecordAudioAnalysis,
} from '../../../domain/audio/contract.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import { audio } from '../../../domain/audio/decider.js';
import type { Chunks } from '../../../domain/audio/events.js';
import type { AudioState } from '../../../domain/audio/state.js';
import type { AudioId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import type { Uses } from '../../application.js';
import type { PackedParts } from '../../evidence/packed-parts.js';
import { writeParts } from '../../evidence/write-parts.js';
import { writeTranscript } from '../../evidence/write-transcript.js';
import { checkRevision } from '../../commands/decide.js';
import { yieldTask } from '../../ports/event-loop.js';
import type { RequestContext } from '../../commands/context.js';

export interface AudioAnalysis {
  readonly status: ProcessingStatus;
  readonly speakers: ReadonlyArray<AnalysedSpeaker>;
  /** The speakers in turns and transcript. */
  readonly mentioned: ReadonlyArray<SpeakerId>;
  /** JSON of `SpeakerTurn`; null if the analysis has none. */
  readonly turns: PackedParts | null;
  /** JSON of `Utterance`; null if the analysis has none. */
  readonly transcript: PackedParts | null;
  readonly provider_supplied: boolean;
  readonly speech_segments: string | null;
}

const writeSpeech = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  analysis_id: string,
  state: AudioState,
  { turns, transcript }: AudioAnalysis,
): TE.TaskEither<Failure, Pick<RecordAudioAnalysis, 'turns' | 'transcript'>> => {
  const known = state._tag === 'Registered' ? state : { turns: null, transcript: null };
  const writeTurns: TE.TaskEither<Failure, Chunks | null> =
    turns === null
      ? TE.right(null)
      : writeParts(app, request, `speakerTurns-${audio_id}`, known.turns, turns, (items, place) => ({
          type: 'SpeakerTurnsRecorded',
          data: { audio_id, analysis_id, ...place, turns: items },
        }));
  return pipe(
    TE.Do,
    TE.bind('turns', () => writeTurns),
    TE.bind('transcript', () =>
      transcript === null
        ? TE.right(null)
        : writeTranscript(app, request, audio_id, analysis_id, known.transcript, transcript),
    ),
  );
};

/** PUT /v2/audios/{audio_id}/analysis. Turns and transcript are written first, then the event that refers to them. */
export const recordAudioAnalysis = (
  app: Uses<'audios' | 'yieldIfBusy' | 'ids' | 'perform' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  analysis: AudioAnalysis,
): TE.TaskEither<AudioRefusalOf<'RecordAudioAnalysis'> | RevisionChanged | Failure, void> => {
  const { status, speakers, mentioned, turns, transcript, provider_supplied, speech_segments } = analysis;
  const analysis_id = app.ids.digest(
    JSON.stringify({ ...analysis, mentioned: null, turns: turns?.digest, transcript: transcript?.digest }),
  );
  const command: RecordAudioAnalysis = {
    type: 'RecordAudioAnalysis',
    status,
    analysis_id,
    speakers,
    mentioned,
    turns: null,
    transcript: null,
    provider_supplied,
    speech_segments,
  };
  return pipe(
    app.audios.load(audio_id),
    TE.chainFirstTaskK(() => yieldTask(app.yieldIfBusy)),
    TE.chainW(({ state, revision }) =>
      pipe(
        checkRevision(request.if_match, revision),
        E.chainW(() => audio.decide(command, state)),
        TE.fromEither,
        TE.chainW((events) =>
          events.length === 0
            ? TE.right({ turns: null, transcript: null })
            : writeSpeech(app, request, audio_id, analysis_id, state, analysis),
        ),
      ),
    ),
    TE.chainW((chunks) => app.perform(request, 'audios', audio_id, { ...command, ...chunks })),
    narrowRefusal(isAudioRefusalOf('RecordAudioAnalysis')),
    TE.map(() => undefined),
  );
};
