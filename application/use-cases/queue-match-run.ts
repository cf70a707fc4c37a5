import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../domain/video/refusals.js';
import { refusedFor } from '../refused-for.js';
import { type AudioId, RunId, type SpeakerId, type VideoId } from '../../domain/kernel/ids.js';
import type { MatchMode } from '../../domain/video/events.js';
import type { Uses } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { newId } from '../new-id.js';
import { type RequestContext, idsOf } from '../request-context.js';
import { type NameForm, type NameForms, nameForm } from '../../domain/matching/name-form.js';
import { targetedSpeakers } from '../../domain/video/build-block.js';
import { namesToCompare } from '../../domain/video/decisions/queue-match-run.js';
import { audioFacts } from '../audio-facts.js';
import { performWithAudio } from './perform-with-audio.js';

export interface QueuedRun {
  readonly run_id: RunId;
  readonly audio_id: AudioId | null;
}

type Needs = Uses<'audios' | 'giveWay' | 'ids' | 'perform' | 'stale_seconds' | 'videos'>;

/** The forms of the names that the decision will compare, as this instance knows them, while others have their turns. */
const nameForms = (
  app: Needs,
  video_id: VideoId,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
): TE.TaskEither<Failure, NameForms> =>
  pipe(
    app.videos.known(video_id),
    TE.chain(({ state }) =>
      pipe(
        audioFacts(app, state, 'known'),
        TE.map((audio) => ({ state, audio })),
      ),
    ),
    TE.chainTaskK(({ state, audio }) => async () => {
      const forms = new Map<string | null, NameForm | null>();
      if (state._tag !== 'Registered' || audio === null) return forms;
      const targets = new Set(targetedSpeakers(audio, target_speaker_ids));
      for (const name of namesToCompare(state, audio, targets)) {
        const turn = app.giveWay();
        if (turn !== null) await turn;
        forms.set(name, nameForm(name));
      }
      return forms;
    }),
  );

/** POST speaker-face-match and POST speaker-face-match/suggestions (specification, sections 3 and 4.3). */
export const queueMatchRun = (
  app: Needs,
  request: RequestContext,
  video_id: VideoId,
  mode: MatchMode,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
): TE.TaskEither<VideoRefusalOf<'QueueMatchRun'> | RevisionChanged | Failure, QueuedRun> => {
  const run_id = newId(idsOf(app.ids, request), RunId);
  return pipe(
    nameForms(app, video_id, target_speaker_ids),
    TE.chainW((name_forms) =>
      performWithAudio(app, request, video_id, (audio) => ({
        type: 'QueueMatchRun',
        run_id,
        mode,
        target_speaker_ids,
        audio,
        name_forms,
        stale_seconds: app.stale_seconds,
        at: request.at,
      })),
    ),
    refusedFor(isVideoRefusalOf('QueueMatchRun')),
    TE.map(({ state }) => ({ run_id, audio_id: state._tag === 'Registered' ? state.audio_id : null })),
  );
};
