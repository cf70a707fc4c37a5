import { setTimeout } from 'node:timers/promises';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Log } from '../../../application/ports/log.js';
import { withJitter } from './jitter.js';

/** Knows whether the server is away, and sees to it that it is found again. */
export interface Outages {
  /** Since when it is away, by `performance.now()`; null while it answers. */
  readonly since: () => number | null;
  /** The server was found to be away. */
  readonly begin: (reason: string) => void;
  /** Resolves with whether the server answers, as soon as it does, or after so many milliseconds, or when aborted. */
  readonly over: (within_ms: number, signal?: AbortSignal) => Promise<boolean>;
  /** Stops looking for the server. */
  readonly close: () => Promise<void>;
}

const shortestPause = 50;
const longestPause = 3_000;

/**
 * `isBack` asks the server once whether it answers. It is asked again after pauses that double, up to three seconds.
 * The log is told once of each loss and of each return.
 */
export const createOutages = (log: Log, isBack: () => Promise<boolean>): Outages => {
  const closing = new AbortController();
  let outage: { readonly since: number; readonly ended: Promise<void> } | null = null;

  const untilBack = async (since: number): Promise<void> => {
    for (let pause = shortestPause; !closing.signal.aborted; pause = Math.min(2 * pause, longestPause)) {
      await setTimeout(withJitter(pause), undefined, { signal: closing.signal }).catch(constVoid);
      if (closing.signal.aborted || !(await isBack())) continue;
      outage = null;
      log.info('the connection to the event store is back', { away_ms: Math.round(performance.now() - since) });
      return;
    }
  };
  return {
    since: () => outage?.since ?? null,
    begin: (reason) => {
      if (outage !== null || closing.signal.aborted) return;
      const since = performance.now();
      log.warn('the connection to the event store is lost', { reason });
      outage = { since, ended: untilBack(since) };
    },
    over: async (within_ms, signal = closing.signal) => {
      if (outage === null) return !closing.signal.aborted;
      const stop = new AbortController();
      const late = setTimeout(Math.max(0, within_ms), undefined, {
        signal: AbortSignal.any([stop.signal, signal, closing.signal]),
      }).catch(constVoid);
      await Promise.race([outage.ended, late]);
      stop.abort();
      return outage === null && !closing.signal.aborted;
    },
    close: async () => {
      closing.abort();
      await outage?.ended;
    },
  };
};
