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

/** A process that tracks which events it is handling and has handled recently. */
export interface TrackedProcess {
  readonly process: Process;
  readonly progressOf: (event_id: string) => 'done' | 'in progress' | 'unknown';
}

/** The number of handled events that are remembered. */
const maxDone = 10_000;

/** Also shares the work on an event that is delivered again while it is being handled, because that takes long. */
export const trackProcess = (process: Process): TrackedProcess => {
  const running = new Map<string, ReturnType<ReturnType<Process['react']>>>();
  const done = new Set<string>();
  const finish = (id: string): void => {
    done.add(id);
    const [oldest] = done;
    if (done.size > maxDone && oldest !== undefined) done.delete(oldest);
  };
  return {
    process: {
      ...process,
      react: (event) => () => {
        const id = event.event_id;
        const known = running.get(id);
        if (known !== undefined) return known;
        const work = pipe(
          process.react(event),
          TE.map(() => finish(id)),
        )().finally(() => running.delete(id));
        running.set(id, work);
        return work;
      },
    },
    progressOf: (id) => {
      if (running.has(id)) return 'in progress';
      return done.has(id) ? 'done' : 'unknown';
    },
  };
};

/** A process whose missed events are handled later. */
export interface Sweep {
  /** Reacting twice to an event must change nothing. */
  readonly process: Pick<Process, 'name' | 'filter' | 'react'>;
  /** The age at which an event should have been handled. */
  readonly overdue_seconds: number;
  /** What this instance knows of an event: whether it can be skipped, or is not due yet. */
  readonly progressOf: (event_id: string) => 'done' | 'in progress' | 'unknown';
}

const pageSize = 100;

/** Handles an event if necessary; returns whether the sweep may continue after it. */
const sweepEvent = (
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
 * Sweeps one page, up to the first event that is not overdue. Returns the position reached, which includes events that the
 * filter left out, so that later sweeps do not search them again.
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
    const handled = await pipe(
      TE.fromEither(readEvent(stored)),
      TE.chainW((event) => sweepEvent(app, sweep, event)),
    )();
    if (E.isLeft(handled)) return { reached, more: false, failure: handled.left };
    if (!handled.right) return { reached, more: false, failure: null };
    reached = stored.position;
  }
  return { reached: page.right.examined ?? reached, more: page.right.events.length === pageSize, failure: null };
};

/**
 * Handles overdue events since the last sweep, in order: instances that share work may lose an event. The checkpoint is
 * shared by all instances, so an event is swept once, or by two instances at the same time, which is harmless.
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

/** Why a sweep did not reach its end. An exception is a bug in a reaction; it must not end the service. */
const interruptionOf = (sweeping: Promise<Failure | null>): Promise<string | null> =>
  sweeping.then(
    (failure) => failure?._tag ?? null,
    (cause: unknown) => String(cause),
  );

/** Sweeps immediately, and again `interval_seconds` after each sweep. After a failure, the next sweep continues there. */
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
      const failure = await interruptionOf(sweepOnce(app, checkpoints, sweep, isClosed));
      if (failure !== null && !isClosed())
        app.log.warn('a sweep was interrupted', { process: sweep.process.name, failure });
    }
  });
