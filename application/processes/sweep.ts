import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { secondsBetween } from '../../domain/kernel/timestamp.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { Checkpoints } from '../ports/checkpoints.js';
import type { Timers } from '../ports/clock.js';
import { readEvent } from '../commands/read-event.js';
import { doneUpTo, sweepNameOf } from './done-up-to.js';
import { type Repetition, repeat } from './repeat.js';
import type { Process } from './run-process.js';

/** A process that remembers what it is at work on, and what it has done of late. */
export interface RememberedProcess {
  readonly process: Process;
  readonly progressOf: (event_id: string) => 'done' | 'in progress' | 'unknown';
}

/** So many events are remembered at most, of those that are done. */
const most = 10_000;

export const remembered = (process: Process): RememberedProcess => {
  const running = new Set<string>();
  const done = new Set<string>();
  const finish = (id: string): void => {
    done.add(id);
    const [oldest] = done;
    if (done.size > most && oldest !== undefined) done.delete(oldest);
  };
  return {
    process: {
      ...process,
      react: (event) => () => {
        const id = event.event_id;
        running.add(id);
        return pipe(
          process.react(event),
          TE.map(() => finish(id)),
        )().finally(() => running.delete(id));
      },
    },
    progressOf: (id) => {
      if (running.has(id)) return 'in progress';
      return done.has(id) ? 'done' : 'unknown';
    },
  };
};

/** What is to be done again when it may have been left undone. */
export interface Sweep {
  /** It has to change nothing where it was done before. */
  readonly process: Pick<Process, 'name' | 'filter' | 'react'>;
  /** So old an event is when whoever was to react to it should have done so. */
  readonly overdue_seconds: number;
  /** What this instance knows of an event: then it need not be looked at, or not yet. */
  readonly progressOf: (event_id: string) => 'done' | 'in progress' | 'unknown';
}

const pageSize = 100;

/** Whether the sweep may go on behind an event. */
const pass = (
  app: Uses<'clock'>,
  { process, overdue_seconds, progressOf }: Sweep,
  event: RecordedEvent<DomainEvent>,
): TE.TaskEither<Failure, boolean> => {
  const progress = progressOf(event.event_id);
  const isOverdue = secondsBetween(event.metadata.recorded_at, app.clock.now()) >= overdue_seconds;
  if (!isOverdue || progress === 'in progress') return TE.right(false);
  return progress === 'done'
    ? TE.right(true)
    : pipe(
        process.react(event),
        TE.map(() => true),
      );
};

/**
 * Sweeps from a position up to the first event that is not overdue, or to the end. Resolves with how far it came: also
 * past events that the process does not want, so that no later sweep has to look for others among them.
 */
const sweepPage = async (
  app: Uses<'clock' | 'store'>,
  sweep: Sweep,
  after: Position | null,
  isClosed: () => boolean,
): Promise<{ readonly reached: Position | null; readonly more: boolean; readonly failure: Failure | null }> => {
  const page = await app.store.readAll(after, sweep.process.filter, pageSize)();
  if (E.isLeft(page)) return { reached: after, more: false, failure: page.left };
  let reached = after;
  for (const stored of page.right.events) {
    if (isClosed()) return { reached, more: false, failure: null };
    const passed = await pipe(
      TE.fromEither(readEvent(stored)),
      TE.chainW((event) => pass(app, sweep, event)),
    )();
    if (E.isLeft(passed)) return { reached, more: false, failure: passed.left };
    if (!passed.right) return { reached, more: false, failure: null };
    reached = stored.position;
  }
  return { reached: page.right.examined ?? reached, more: page.right.events.length === pageSize, failure: null };
};

/**
 * Does once more, in order, what is overdue since the last time: an event may be lost to those who share the work. The
 * checkpoint is that of all instances, so that each event is swept once, or by two at the same time, which does no harm.
 */
export const sweepOnce = async (
  app: Uses<'clock' | 'store'>,
  checkpoints: Checkpoints,
  sweep: Sweep,
  isClosed: () => boolean = () => false,
): Promise<Failure | null> => {
  const start = await doneUpTo(checkpoints, sweep.process.name)();
  if (E.isLeft(start)) return start.left;
  for (let after = start.right; ;) {
    const { reached, more, failure } = await sweepPage(app, sweep, after, isClosed);
    if (reached !== null && reached !== after) {
      const saved = await checkpoints.save(sweepNameOf(sweep.process.name), reached)();
      if (E.isLeft(saved)) return saved.left;
    }
    if (failure !== null || !more) return failure;
    after = reached;
  }
};

/** Sweeps at once, and again so many seconds after each time. A failure is told, and the next time goes on there. */
export const startSweeps = (
  app: Uses<'clock' | 'log' | 'store'>,
  checkpoints: Checkpoints,
  timers: Timers,
  sweeps: ReadonlyArray<Sweep>,
  interval_seconds: number,
): Repetition =>
  repeat(timers, interval_seconds, async (isClosed) => {
    for (const sweep of sweeps) {
      if (isClosed()) return;
      const failure = await sweepOnce(app, checkpoints, sweep, isClosed);
      if (failure !== null && !isClosed())
        app.log.warn('a sweep was interrupted', { process: sweep.process.name, failure: failure._tag });
    }
  });
