import type { Clock, Timers } from '../../application/ports/clock.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';
import { setTimeout as delay } from 'node:timers/promises';
import { constVoid, identity } from 'fp-ts/lib/function.js';
import type * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

/** The work did not finish in time. */
export class TooLate extends Error {}

/** The result of the work; rejects with `TooLate` if it takes longer. A later result is ignored. */
export const inTime = <A>(work: Promise<A>, within_ms: number): Promise<A> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new TooLate(`no answer within ${Math.round(within_ms)} ms`)),
      Math.max(0, within_ms),
    );
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });

/** The same for work that may also throw; its failure is returned as a value. */
export const tryInTime = <A>(work: () => Promise<A>, within_ms: number): Promise<E.Either<unknown, A>> =>
  TE.tryCatch(() => inTime(Promise.resolve().then(work), within_ms), identity)();

/** Waits for the work for a limited time; null if it takes longer (it continues). Rejects if it fails before. */
export const waitAtMost = <A>(work: Promise<A>, within_ms: number): Promise<A | null> =>
  inTime(work, within_ms).catch((error: unknown) => {
    if (error instanceof TooLate) return null;
    throw error;
  });

/** Half of the pause is random, so that many instances do not retry at the same moment. */
export const withJitter = (pause_ms: number): number => pause_ms / 2 + (Math.random() * pause_ms) / 2;

/** Resolves after this many milliseconds, or as soon as the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(constVoid);

/** The longest timer that Node.js supports. */
const maxTimerMs = 2 ** 31 - 1;

const written = (ms: number): Timestamp => {
  const text = new Date(ms).toISOString();
  if (Timestamp.is(text)) return text;
  throw new RangeError('the clock is beyond the year 9999');
};

export const systemClock: Clock = { now: () => written(Date.now()) };

/** The system time at the start plus the time elapsed since, so that it runs evenly even if the system clock is set. */
export const steadyTimers = (): Timers => {
  const start = Date.now() - performance.now();
  return {
    now: () => written(start + performance.now()),
    after: (seconds, run) => {
      const timer = setTimeout(run, Math.min(Math.max(0, seconds * 1_000), maxTimerMs));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
};

/** The time for finishing requests in flight, from the start of stopping, in milliseconds. */
const maxFinishMs = 9_000;
/** The time from the start of stopping until its end, whether or not everything was closed. */
const maxStopMs = 9_800;

interface Stop {
  /** Finishes what is in flight, within the given number of milliseconds. */
  readonly finish: (time_ms: number) => Promise<void>;
  /** Called afterwards one after the other, even if the time was not enough or finishing failed. */
  readonly close: ReadonlyArray<() => Promise<void>>;
}

/** Finishes work and closes resources within 10 s altogether: all steps share one deadline. */
export const stopInTime = async ({ finish, close }: Stop): Promise<void> => {
  const start = performance.now();
  const closeAll = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- in this order: the later ones are used by the earlier ones
    for (const closeOne of close) await closeOne();
  };
  try {
    await waitAtMost(finish(maxFinishMs), maxFinishMs);
  } finally {
    await waitAtMost(closeAll(), Math.max(0, maxStopMs - (performance.now() - start)));
  }
};
