import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type DomainEvent, storedType } from '../../domain/event-catalogue.js';
import { lastRenumbering } from '../../domain/audio/state.js';
import type { RunId, VideoId } from '../../domain/kernel/ids.js';
import type { MatchInput } from '../../domain/matching/match-speakers-to-faces.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { WorkerAnswer } from '../../domain/video/write-back.js';
import { followSince } from '../../domain/video/follow-matches.js';
import { type OpenRun, type RegisteredVideo, lastFollowed } from '../../domain/video/state.js';
import type { Application, Uses } from '../application.js';
import { backoff, keyedQueue } from '../queue-and-backoff.js';
import { matchEvidence } from '../evidence/evidence.js';
import { type Failure, isFailure, unlessRefused } from '../failures.js';
import type { Matcher } from '../ports/matcher.js';
import { serviceRequest } from '../commands/context.js';
import { applyWriteBack, changesNothing } from '../use-cases/match-runs/match-runs.js';
import { type Sweep, sweepNames } from './sweep.js';

const failed = (error: string): WorkerAnswer => ({ status: 'failed', error });

/** Runs at most `count` tasks at once; the others wait. */
const limited = (count: number) => {
  const queue = keyedQueue();
  let next = 0;
  return <A>(work: T.Task<A>): T.Task<A> => {
    next = (next + 1) % count;
    return queue.run(String(next), work);
  };
};
/** How many runs are answered at once: a large one needs much memory. */
const maxRuns = 4;

const matched =
  (matcher: Matcher) =>
  (input: MatchInput): T.Task<WorkerAnswer> =>
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
  video: RegisteredVideo,
  run: OpenRun,
): TE.TaskEither<Failure, WorkerAnswer> => {
  const { audio_id } = video;
  if (audio_id === null) return TE.right(failed('the video has no audio'));
  return pipe(
    app.audios.load(audio_id),
    TE.chain(({ state: audio }) => {
      if (audio._tag !== 'Registered') return TE.right(failed('the audio does not exist'));
      // Tried again, when the video has followed.
      if (lastFollowed(video) !== lastRenumbering(audio))
        return TE.left<Failure>({ _tag: 'Contention', stream: `video-${video.video_id}` });
      const { speaker } = followSince(video, run.revision);
      const targets = run.target_speaker_ids?.flatMap((speaker_id) => speaker(speaker_id) ?? []) ?? null;
      return pipe(matchEvidence(app, video, audio, targets), TE.chainTaskK(matched(matcher)));
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
 * that has ended: several instances may have computed its answer.
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
    unlessRefused,
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
    TE.chain(({ state: video, revision }) => {
      if (video._tag !== 'Registered') return TE.right(undefined);
      const run = video.open_runs.find((open) => open.run_id === run_id && !open.superseded);
      return run === undefined
        ? TE.right(undefined)
        : pipe(
            computed(app, matcher, video, run),
            TE.chain((result) => submit(app, video_id, run_id, metadata.correlation_id, result, revision)),
          );
    }),
  );
};

/** The embedded match worker: answers each queued run that is still open, as all workers do. */
export interface MatchWorker {
  /** Answers the run that this event starts, with retries until it is closed. */
  readonly offer: (event: RecordedEvent<DomainEvent>) => void;
  /** Answers the runs that were not offered to a worker, or whose worker has ended. */
  readonly sweep: Sweep;
  /** Resolves when it works on no run. */
  readonly close: () => Promise<void>;
}

export const answerMatchRuns = (app: Application, matcher: Matcher): MatchWorker => {
  const limit = limited(maxRuns);
  /** By run: the sweep waits for an offered run that is being answered, and finds it closed then. */
  const [answering, offered] = [keyedQueue(), keyedQueue()];
  let closed = false;
  const react: Sweep['react'] = (event) => answering.run(event.event_id, answer(app, matcher, event));
  const retries = (event: RecordedEvent<DomainEvent>, failure: string): void =>
    app.log.warn('process retries', { process: sweepNames.matchRuns, position: event.position, failure });
  const answerOffered = async (event: RecordedEvent<DomainEvent>, pauses = backoff(100, 5_000)): Promise<void> => {
    if (closed) return;
    const done = await limit(react(event))();
    if (E.isRight(done) || done.left._tag === 'UnreadableEvent') return;
    retries(event, done.left._tag);
    await T.delay(pauses.next())(T.of(undefined))();
    await answerOffered(event, pauses);
  };
  return {
    offer: (event) => {
      const work = () => answerOffered(event).catch((cause: unknown) => retries(event, String(cause)));
      void offered.run(event.event_id, work)();
    },
    sweep: {
      name: sweepNames.matchRuns,
      filter: { categories: ['matchRun'], types: [storedType('MatchRunStarted')] },
      react,
    },
    close: () => {
      closed = true;
      return offered.idle();
    },
  };
};
