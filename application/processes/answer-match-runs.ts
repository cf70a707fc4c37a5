import type * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type DomainEvent, storedType } from '../../domain/event-catalogue.js';
import { type RegisteredAudio, lastRenumbering } from '../../domain/audio/state.js';
import type { RunId, VideoId } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { WorkerAnswer } from '../../domain/video/suggestion-block.js';
import { followSince } from '../../domain/video/follow-matches.js';
import { type OpenRun, type RegisteredVideo, lastFollowed } from '../../domain/video/state.js';
import type { Application, Uses } from '../application.js';
import type { PackedMatchInput } from '../evidence/packed-match.js';
import { matchEvidence } from '../evidence/match-evidence.js';
import { type Failure, isFailure } from '../failures.js';
import { keyedQueue } from '../keyed-queue.js';
import type { Matcher } from '../ports/matcher.js';
import { serviceRequest } from '../commands/context.js';
import { applyWriteBack, changesNothing } from '../use-cases/match-runs/receive-write-back.js';
import { processNames } from './done-up-to.js';
import type { Process } from './run-process.js';

const failed = (error: string): WorkerAnswer => ({ status: 'failed', error });

/** Queues the work on large media, so that only a few run at once. */
type Limit = <A>(video: RegisteredVideo, audio: RegisteredAudio, work: T.Task<A>) => T.Task<A>;

/** The number of large runs at once: each needs much memory. */
const maxLarge = 3;
/** A run is large above these numbers of face-speaker pairs or of parts of evidence. */
const [maxPairs, maxParts] = [50_000, 4];

const isLarge = ({ faces, tracks }: RegisteredVideo, { speakers, turns }: RegisteredAudio): boolean =>
  faces.size * speakers.size > maxPairs || (tracks?.parts ?? 0) + (turns?.parts ?? 0) > maxParts;

const limitLarge = (): Limit => {
  const queue = keyedQueue();
  let next = 0;
  return (video, audio, work) => {
    if (!isLarge(video, audio)) return work;
    next = (next + 1) % maxLarge;
    return queue.run(String(next), work);
  };
};

const matched =
  (matcher: Matcher) =>
  (input: PackedMatchInput): T.Task<WorkerAnswer> =>
    pipe(
      matcher.match(input),
      TE.match(
        ({ reason }): WorkerAnswer => failed(reason),
        ({ matches, unmatched_speakers }): WorkerAnswer => ({ status: 'completed', matches, unmatched_speakers }),
      ),
    );

const computed = (
  app: Uses<'audios' | 'store'>,
  matcher: Matcher,
  limit: Limit,
  video: RegisteredVideo,
  run: OpenRun,
): TE.TaskEither<Failure, WorkerAnswer> => {
  const { audio_id } = video;
  if (audio_id === null) return TE.right(failed('the video has no audio'));
  return pipe(
    app.audios.load(audio_id),
    TE.chain(({ state: audio }) => {
      if (audio._tag !== 'Registered') return TE.right(failed('the audio does not exist'));
      // The process tries again, when the video has followed.
      if (lastFollowed(video) !== lastRenumbering(audio))
        return TE.left<Failure>({ _tag: 'Contention', stream: `video-${video.video_id}` });
      const { speaker } = followSince(video, run.revision);
      const targets = run.target_speaker_ids?.flatMap((speaker_id) => speaker(speaker_id) ?? []) ?? null;
      return limit(
        video,
        audio,
        pipe(matchEvidence(app.store, video, audio, targets), TE.chainTaskK(matched(matcher))),
      );
    }),
  );
};

type Refused = ReturnType<typeof applyWriteBack> extends TE.TaskEither<infer Refusal, unknown> ? Refusal : never;

/** Why an answer will never be accepted; null if a retry may succeed, or the run has ended. */
const reasonOf = (refusal: Refused): string | null => {
  if (changesNothing(refusal)) return null;
  if (refusal._tag === 'AppendUnreadable' || refusal._tag === 'AppendTooLarge')
    return `the matches cannot be stored: ${refusal.reason}`;
  return isFailure(refusal) ? null : `the matches were refused: ${refusal._tag}`;
};

/**
 * Applies the answer as that of any worker. If it is refused, the run fails with the reason. Nothing is recorded for a run
 * that has ended: several instances may have computed its answer, because the run was given to them in turn.
 */
const submit = (
  app: Application,
  video_id: VideoId,
  run_id: RunId,
  request_id: string,
  answer: WorkerAnswer,
  video_revision: number,
): TE.TaskEither<Failure, void> => {
  const give = (given: WorkerAnswer) => {
    const request = serviceRequest('match-worker', request_id, app.clock.now());
    return applyWriteBack(app, request, video_id, run_id, given, video_revision);
  };
  return pipe(
    give(answer),
    TE.orElse((refusal) => {
      const reason = reasonOf(refusal);
      return reason === null ? TE.left(refusal) : give(failed(reason));
    }),
    TE.matchE(
      (refusal): TE.TaskEither<Failure, void> => (isFailure(refusal) ? TE.left(refusal) : TE.right(undefined)),
      () => TE.right(undefined),
    ),
  );
};

const answer = (
  app: Application,
  matcher: Matcher,
  limit: Limit,
  { event, metadata }: RecordedEvent<DomainEvent>,
): TE.TaskEither<Failure, void> => {
  if (event.type !== 'MatchRunStarted') return TE.right(undefined);
  const { run_id, video_id } = event.data;
  return pipe(
    app.videos.load(video_id),
    TE.chain(({ state: video, revision }) => {
      const run =
        video._tag === 'Registered'
          ? video.open_runs.find((open) => open.run_id === run_id && !open.superseded)
          : undefined;
      return video._tag !== 'Registered' || run === undefined
        ? TE.right(undefined)
        : pipe(
            computed(app, matcher, limit, video, run),
            TE.chain((result) => submit(app, video_id, run_id, metadata.correlation_id, result, revision)),
          );
    }),
  );
};

/** The embedded match worker: answers each queued run that is still open, as all workers do. */
export const answerMatchRuns = (app: Application, matcher: Matcher): Process => {
  const limit = limitLarge();
  return {
    name: processNames.matchWorker,
    filter: { categories: ['matchRun'], types: [storedType('MatchRunStarted')] },
    concurrency: 16,
    react: (event) => answer(app, matcher, limit, event),
  };
};
