import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { VideoId } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Dependencies } from '../application.js';
import type { ReadMode } from '../use-cases/videos/audio-facts.js';
import { type CommandContext, type RequestContext, followUpContext } from '../commands/context.js';
import { type Failure, isFailure } from '../failures.js';
import { yieldTask } from '../ports/event-loop.js';
import { type Done, type Refusal, type FollowUp, carryOut, recover, revisionOf } from './carry-out.js';
import { reconcileNames } from './reconcile-names.js';
import { followUpsOf, reactionTo } from './table.js';
import { eventsCausedBy } from '../commands/earlier-events.js';
import { streamId } from '../../domain/kernel/stream-name.js';

type Recorded = RecordedEvent<DomainEvent>;

/** Runs everything that an event makes necessary in other streams, and what that makes necessary in turn. */
export type RunReactions = (event: Recorded) => TE.TaskEither<Failure, void>;

/** Where those who run reactions differ. */
interface Runner extends Pick<RequestContext, 'onWrite' | 'requireVisible'> {
  readonly app: Dependencies;
  /** Whether the follow-ups of an event were carried out, so that there is no need to look at them. */
  readonly isCarriedOut: (event: Recorded) => boolean;
  /** Whether other records are looked at as this instance knows them, or as the store holds them. */
  readonly how: (event: Recorded) => T.Task<ReadMode>;
  /** A follow-up that changes nothing by what is known was carried out: the store need not confirm it. */
  readonly trusts: (how: ReadMode) => boolean;
  /** Around all that an event makes necessary: requests tell that they are at it, and the process waits for them. */
  readonly around: (event: Recorded, react: TE.TaskEither<Failure, void>) => TE.TaskEither<Failure, void>;
  /** Called when a follow-up had nothing to write. */
  readonly unwritten: (
    event: Recorded,
    followUp: FollowUp,
    done: Done | null,
    run: RunReactions,
  ) => TE.TaskEither<Failure, void>;
}

const runAll = (run: RunReactions, events: ReadonlyArray<Recorded>): TE.TaskEither<Failure, void> =>
  pipe(TE.traverseSeqArray(run)(events), TE.map(constVoid));

/** The video that an event's stream belongs to, whether it is the video's own or its audio's. */
const videoOf = (app: Dependencies, how: ReadMode, { stream }: Recorded): TE.TaskEither<Failure, VideoId | null> => {
  const id = streamId(stream);
  if (stream.startsWith('video-')) return TE.right(VideoId.is(id) ? id : null);
  return pipe(
    app.audios[how](id),
    TE.map(({ state }) => (state._tag === 'Registered' ? state.video_id : null)),
  );
};

/** Gives a follow-up to its stream, and runs what follows from that in turn. */
const oneOf =
  (runner: Runner, run: RunReactions, event: Recorded, how: ReadMode) =>
  (name: string | number, followUp: FollowUp): TE.TaskEither<Failure, void> => {
    const { app } = runner;
    const context = (step: string): CommandContext => {
      const given = followUpContext(app.ids, event, `${step}/${name}`, app.clock.now());
      return runner.trusts(how) ? { ...given, accepts_cached: true } : given;
    };
    return pipe(
      carryOut(app, followUp, context('follow')),
      TE.orElseW((left) =>
        isFailure(left)
          ? TE.left<Refusal | Failure, Done | null>(left)
          : recover(app, followUp, left, context('take-back')),
      ),
      TE.orElse((left) => (isFailure(left) ? TE.left(left) : TE.right<Failure, Done | null>(null))),
      TE.chain((done) => {
        if (done === null || done.position === null) return runner.unwritten(event, followUp, done, run);
        runner.onWrite(done.position);
        return runAll(run, done.recorded);
      }),
    );
  };

/** What tells a reconciling follow-up from others of its cause: the ids of its events derive from it, in every log. */
const nameOf = ({ command }: FollowUp): string => `rejoin ${JSON.stringify(command)}`;

const runReactions = (runner: Runner): RunReactions => {
  const { app } = runner;
  const run: RunReactions = (event) => runner.around(event, () => react(event)());
  const react: RunReactions = (event) => {
    const reaction = reactionTo(event);
    const { follow, onVideo, names } = reaction;
    const carriedOut = runner.isCarriedOut(event);
    const commands = carriedOut ? 0 : follow.length + onVideo.length;
    if (commands === 0 && names === null) return TE.right(undefined);

    const runOn = (how: ReadMode, video_id: VideoId | null): TE.TaskEither<Failure, void> => {
      const one = oneOf(runner, run, event, how);
      const followed = carriedOut
        ? TE.right(undefined)
        : pipe(
            followUpsOf(reaction, video_id),
            TE.traverseSeqArrayWithIndex(one),
            TE.map(() => {
              if (onVideo.length === 0 || video_id !== null) app.completedReactions.add(event.event_id);
            }),
          );
      if (names === null || video_id === null) return followed;
      return pipe(
        followed,
        TE.chain(() => reconcileNames({ app, how }, event, names, video_id)),
        TE.chain((found) => {
          found?.positions.forEach((position) => {
            if (position !== null) runner.requireVisible(position);
          });
          return TE.traverseSeqArray((followUp: FollowUp) => one(nameOf(followUp), followUp))(found?.followUps ?? []);
        }),
        TE.map(constVoid),
      );
    };

    /** An event of thousands of faces takes a while to be looked at. */
    const how = pipe(
      yieldTask(app.yieldIfBusy),
      T.chain(() => runner.how(event)),
    );
    return pipe(
      TE.fromTask<ReadMode, Failure>(how),
      TE.chain((known) =>
        pipe(
          onVideo.length === 0 && names === null ? TE.right(null) : videoOf(app, known, event),
          TE.chain((video_id) => runOn(known, video_id)),
        ),
      ),
    );
  };
  return run;
};

/**
 * The request that caused an event runs the reactions to it before it answers, on what this instance knows: whatever it
 * misses, the process finds. It is told what was written, also where the process was faster: then what is there counts
 * as the request's, and the process may still be on its way to what follows from that.
 */
export const reactionsForRequest = (
  app: Dependencies,
  { onWrite, requireVisible }: Pick<RequestContext, 'onWrite' | 'requireVisible'>,
): RunReactions =>
  runReactions({
    app,
    onWrite,
    requireVisible,
    isCarriedOut: () => false,
    around: ({ event_id }, react) => app.completedReactions.during(event_id, react),
    how: () => T.of('cached'),
    trusts: () => false,
    unwritten: (event, followUp, done, run) =>
      pipe(
        done === null ? revisionOf(app, followUp) : TE.right(done.revision),
        TE.bindTo('revision'),
        // To see what others onWrite, a reader has to see all that the log holds now.
        TE.chainFirstW(() =>
          pipe(
            app.store.head(),
            TE.map((head) => (head === null ? undefined : requireVisible(head))),
          ),
        ),
        TE.chainW(({ revision }) =>
          eventsCausedBy(app.store, `${followUp.to}-${followUp.id}`, revision, {
            causation_id: event.event_id,
            since: event.position,
            contiguous: false,
          }),
        ),
        TE.chain((events) => {
          events.forEach(({ position }) => onWrite(position));
          return runAll(run, events);
        }),
      ),
  });

/**
 * A process runs the reactions to every event of the log, so that a crash leaves nothing half done. Repeating them
 * changes nothing. It has to see all that came before the event: it waits until that was heard of, or asks the store. The
 * store may tell it of an event before the request knows that it is written: then it waits for the request.
 */
export const reactionsOfProcess = (app: Dependencies): RunReactions =>
  runReactions({
    app,
    onWrite: constVoid,
    requireVisible: constVoid,
    isCarriedOut: ({ event_id }) => app.completedReactions.has(event_id),
    around: ({ metadata }, react) =>
      pipe(
        TE.fromTask(app.completedReactions.idle(metadata.causation_id)),
        TE.chain(() => react),
      ),
    how: ({ position }) =>
      pipe(
        app.news.heard(position),
        T.map((heard): ReadMode => (heard ? 'cached' : 'load')),
      ),
    trusts: (how) => how === 'cached',
    unwritten: () => TE.right(undefined),
  });
