import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe, constVoid } from 'fp-ts/lib/function.js';
import { type DomainEvent, storedVersions, storedType } from '../../domain/event-catalogue.js';
import { type Position, type RecordedEvent, subjectOfStream } from '../../domain/kernel/recorded-event.js';
import { secondsBetween } from '../../domain/kernel/timestamp.js';
import type { Uses, Dependencies } from '../application.js';
import { readEvent } from '../commands/read-event.js';
import { type Failure, unlessRefused } from '../failures.js';
import type { Checkpoints, EventFilter } from '../ports/event-store.js';
import type { Timers } from '../ports/clock.js';
import { readLog } from '../audit/read-log.js';
import { reactionsOfProcess } from '../reactions/run.js';
import { reactionFilter } from '../reactions/table.js';
import { followUpContext } from '../commands/context.js';

export interface Repetition {
  /** Stops the repetition; resolves when a running call has ended. */
  readonly close: () => Promise<void>;
}

/**
 * Runs `once` immediately, and again `interval_seconds` after each run, or after the seconds that it returns. `isClosed`
 * tells it whether to stop.
 */
export const repeat = (
  timers: Pick<Timers, 'after'>,
  interval_seconds: number,
  once: (isClosed: () => boolean) => Promise<number | void>,
): Repetition => {
  let closed = false;
  let cancel: () => void = constVoid;
  let running = Promise.resolve();
  const start = (): void => {
    running = once(() => closed).then((pause) => {
      if (!closed) cancel = timers.after(pause ?? interval_seconds, start);
    });
  };
  start();
  return {
    close: () => {
      closed = true;
      cancel();
      return running;
    },
  };
};

/** The names of the sweeps' checkpoints. */
export const sweepNames = {
  /** `reactionProcess`. */
  followUps: 'follow-ups',
  /** `answerMatchRuns`: the runs that no process is answering. */
  matchRuns: 'match-worker',
  /** `giveUpOverdueInferences`. */
  overdueInferences: 'overdue-inferences',
} as const;

/**
 * Work that follows from events, in the order of the log. The checkpoint is shared by all instances, so an event is handled
 * once, or by several instances at the same time: reacting twice to an event must change nothing.
 */
export interface Sweep {
  readonly name: (typeof sweepNames)[keyof typeof sweepNames];
  readonly filter: EventFilter;
  readonly react: (event: RecordedEvent<DomainEvent>) => TE.TaskEither<Failure, void>;
}

const pageSize = 100;

/**
 * Handles the events since the checkpoint that have this age; stops at the first younger one. Returns a failure, after
 * which the next call continues at the same event.
 */
export const sweepOnce = async (
  app: Uses<'clock' | 'store'>,
  checkpoints: Checkpoints,
  { name, filter, react }: Sweep,
  min_age_seconds: number,
  isClosed: () => boolean = () => false,
): Promise<Failure | null> => {
  const isDue = ({ metadata }: RecordedEvent<DomainEvent>): boolean =>
    secondsBetween(metadata.recorded_at, app.clock.now()) >= min_age_seconds;
  const start = await checkpoints.load(name)();
  if (E.isLeft(start)) return start.left;
  for (let after: Position | null = start.right; ;) {
    const page = await app.store.readAll(after, filter, pageSize)();
    if (E.isLeft(page)) return page.left;
    const { events, examined } = page.right;
    let reached = after;
    let stop: Failure | 'later' | null = null;
    for (const stored of events) {
      const event = readEvent(stored);
      if (E.isRight(event) && (!isDue(event.right) || isClosed())) stop = 'later';
      else {
        const done = await pipe(TE.fromEither(event), TE.chainW(react))();
        if (E.isLeft(done)) stop = done.left;
      }
      if (stop !== null) break;
      reached = stored.position;
    }
    // Includes events that the filter left out, so that the next sweep does not search them again.
    if (stop === null) reached = examined ?? reached;
    if (reached !== null && reached !== after) {
      const saved = await checkpoints.save(name, reached)();
      if (E.isLeft(saved)) return saved.left;
    }
    if (stop !== null || events.length < pageSize) return stop === 'later' ? null : stop;
    after = reached;
  }
};

export interface RunningSweep extends Repetition {
  /** The event at which it has stopped because no codec accepts it; null while it runs. */
  readonly stoppedBy: () => string | null;
}

/**
 * Sweeps at once, whatever the age of the events if `all_at_start`, since whoever was working on them may have ended; and
 * again `interval_seconds` after each sweep.
 */
export const startSweep = (
  app: Uses<'clock' | 'log' | 'store'>,
  checkpoints: Checkpoints,
  timers: Pick<Timers, 'after'>,
  sweep: Sweep,
  given: { readonly interval_seconds: number; readonly min_age_seconds: number; readonly all_at_start: boolean },
): RunningSweep => {
  let stopped: string | null = null;
  let min_age_seconds = given.all_at_start ? -Infinity : given.min_age_seconds;
  const repetition = repeat(timers, given.interval_seconds, async (isClosed) => {
    // An exception is a bug in a reaction; it must not end the service.
    const failure = await sweepOnce(app, checkpoints, sweep, min_age_seconds, isClosed).catch(String);
    if (isClosed()) return;
    if (failure === null) ({ min_age_seconds } = given);
    const stoppedBefore = stopped;
    stopped = null;
    if (failure === null) return;
    if (typeof failure === 'string' || failure._tag !== 'UnreadableEvent') {
      const reason = typeof failure === 'string' ? failure : failure._tag;
      app.log.warn('a sweep was interrupted', { process: sweep.name, failure: reason });
      return;
    }
    stopped = `unreadable event at ${failure.position} in ${failure.stream}: ${failure.reason}`;
    if (stopped !== stoppedBefore) app.log.error('process stopped', { process: sweep.name, reason: stopped });
  });
  return { ...repetition, stoppedBy: () => stopped };
};

/**
 * Runs the reactions to every event of the log, to finish what requests could not: most have been run already. Finishes an
 * interrupted erasure too, and destroys a key that was restored from a backup; the reactions to an erasure run only while
 * the key exists.
 */
export const reactionProcess = (app: Dependencies): Sweep => {
  const react = reactionsOfProcess(app);
  const reactOrErase = (event: RecordedEvent<DomainEvent>): TE.TaskEither<Failure, void> => {
    const subject = event.event.type === 'MediumErased' ? subjectOfStream(event.stream) : null;
    if (subject === null) return react(event);
    return pipe(
      app.keys.isThere(subject),
      TE.chainW((isThere) => (isThere ? react(event) : TE.right(undefined))),
      TE.chainW(() => app.keys.erase(subject)),
      TE.map(constVoid),
    );
  };
  return { name: sweepNames.followUps, filter: reactionFilter, react: reactOrErase };
};

/** Run at each start: destroys keys of erased media, which a backup may have restored, and finishes interrupted erasures. */
export const finishErasures = async (app: Dependencies): Promise<E.Either<Failure, unknown>> => {
  const { react } = reactionProcess(app);
  for await (const page of readLog(app.store, { types: storedVersions('MediumErased') })) {
    const finished = await pipe(
      TE.fromEither(page),
      TE.chainEitherKW(E.traverseArray(readEvent)),
      TE.chainW(TE.traverseSeqArray(react)),
    )();
    if (E.isLeft(finished)) return finished;
  }
  return E.right(undefined);
};

/** Ends a name inference without an answer after its time limit: the instance that started it is gone. */
export const giveUpOverdueInferences = (app: Uses<'clock' | 'ids' | 'nameInferences'>): Sweep => ({
  name: sweepNames.overdueInferences,
  filter: { categories: ['nameInference'], types: [storedType('NameInferenceRequested')] },
  react: (recorded) => {
    const { event } = recorded;
    if (event.type !== 'NameInferenceRequested') return TE.right(undefined);
    const at = app.clock.now();
    const context = followUpContext(app.ids, recorded, 'overdue', at);
    return pipe(
      app.nameInferences.handle(event.data.run_id, { type: 'AbandonInference', at }, context),
      // Refused: it has an answer, or was given up.
      unlessRefused,
    );
  },
});
