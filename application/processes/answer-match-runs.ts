import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { storedType } from '../../domain/event-catalogue.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RunId, VideoId } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { WorkerAnswer } from '../../domain/video/contract.js';
import type { OpenRun, RegisteredVideo } from '../../domain/video/state.js';
import type { Application, Uses } from '../application.js';
import { matchEvidence } from '../evidence/match-evidence.js';
import { type Failure, isFailure } from '../failures.js';
import type { Matcher } from '../ports/matcher.js';
import { serviceRequest } from '../service-caller.js';
import { receiveWriteBack } from '../use-cases/receive-write-back.js';
import { processNames } from './done-up-to.js';
import type { Process } from './run-process.js';

const failed = (error: string): WorkerAnswer => ({ status: 'failed', error });

const computed = (
  app: Uses<'audios' | 'store'>,
  matcher: Matcher,
  video: RegisteredVideo,
  run: OpenRun,
): TE.TaskEither<Failure, WorkerAnswer> => {
  const { audio_id } = video;
  if (audio_id === null) return TE.right(failed('the video has no audio'));
  return pipe(
    app.audios.load(audio_id),
    TE.chain(({ state: audio }) =>
      audio._tag !== 'Registered'
        ? TE.right(failed('the audio does not exist'))
        : pipe(
            matchEvidence(app.store, video, audio, run.target_speaker_ids, matcher.pause),
            TE.chainTaskK((input) =>
              pipe(
                matcher.match(input),
                TE.match(
                  ({ reason }): WorkerAnswer => failed(reason),
                  ({ matches, unmatched_speakers }): WorkerAnswer => ({
                    status: 'completed',
                    matches,
                    unmatched_speakers,
                  }),
                ),
              ),
            ),
          ),
    ),
  );
};

/** Hands an answer in as any worker does; one that the service refuses makes the run fail with the reason. */
const handIn = (
  app: Application,
  video_id: VideoId,
  run_id: RunId,
  request_id: string,
  answer: WorkerAnswer,
): TE.TaskEither<Failure, void> => {
  const give = (given: WorkerAnswer) =>
    receiveWriteBack(app, serviceRequest('match-worker', request_id, app.clock.now()), video_id, run_id, given);
  return pipe(
    give(answer),
    TE.orElse((refusal) =>
      isFailure(refusal) ? TE.left(refusal) : give(failed(`the matches were refused: ${refusal._tag}`)),
    ),
    TE.matchE(
      (refusal): TE.TaskEither<Failure, void> => (isFailure(refusal) ? TE.left(refusal) : TE.right(undefined)),
      () => TE.right(undefined),
    ),
  );
};

const answer = (
  app: Application,
  matcher: Matcher,
  { event, metadata }: RecordedEvent<DomainEvent>,
): TE.TaskEither<Failure, void> => {
  if (event.type !== 'MatchRunStarted') return TE.right(undefined);
  const { run_id, video_id } = event.data;
  return pipe(
    app.videos.load(video_id),
    TE.chain(({ state: video }) => {
      const run =
        video._tag === 'Registered'
          ? video.open_runs.find((open) => open.run_id === run_id && !open.superseded)
          : undefined;
      return video._tag !== 'Registered' || run === undefined
        ? TE.right(undefined)
        : pipe(
            computed(app, matcher, video, run),
            TE.chain((result) => handIn(app, video_id, run_id, metadata.correlation_id, result)),
          );
    }),
  );
};

/** The embedded match worker: answers every queued run that is still open, through the same write-back as any other. */
export const answerMatchRuns = (app: Application, matcher: Matcher): Process => ({
  name: processNames.matchWorker,
  filter: { categories: ['matchRun'], types: [storedType('MatchRunStarted')] },
  concurrency: 4,
  react: (event) => answer(app, matcher, event),
});
