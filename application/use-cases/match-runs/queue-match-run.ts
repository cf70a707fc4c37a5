import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import { type AudioId, type SpeakerId, type VideoId, RunId } from '../../../domain/kernel/ids.js';
import type { MatchMode } from '../../../domain/video/events.js';
import type { Uses } from '../../application.js';
import { newId } from '../../ports/ids.js';
import { type RequestContext, idsOf } from '../../commands/context.js';
import { performWithAudio } from '../videos/with-audio.js';

export interface QueuedRun {
  readonly run_id: RunId;
  readonly audio_id: AudioId | null;
}

/** POST speaker-face-match and POST speaker-face-match/suggestions (specification, sections 3 and 4.3). */
export const queueMatchRun = (
  app: Uses<'audios' | 'ids' | 'perform' | 'stale_seconds' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  mode: MatchMode,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
): TE.TaskEither<VideoRefusalOf<'QueueMatchRun'> | RevisionChanged | Failure, QueuedRun> => {
  const run_id = newId(idsOf(app.ids, request), RunId);
  return pipe(
    performWithAudio(app, request, video_id, (audio) => ({
      type: 'QueueMatchRun',
      run_id,
      mode,
      target_speaker_ids,
      audio,
      stale_seconds: app.stale_seconds,
      at: request.at,
    })),
    narrowRefusal(isVideoRefusalOf('QueueMatchRun')),
    TE.map(({ state }) => ({ run_id, audio_id: state._tag === 'Registered' ? state.audio_id : null })),
  );
};
