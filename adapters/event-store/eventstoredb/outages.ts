import { backoff } from '../../../application/backoff.js';
import type { Log } from '../../../application/ports/log.js';
import { pause, withJitter } from '../../runtime/pause.js';

interface Outage {
  /** As returned by `performance.now()`. */
  readonly since: number;
  readonly reason: string;
}

/** Tracks whether the server is available, and reconnects. */
export interface Outages {
  /** Null while the server answers. */
  readonly current: () => Outage | null;
  /** Call this when the server was found to be unavailable. */
  readonly begin: (reason: string) => void;
  /** Resolves with whether the server answers: as soon as it does, after `within_ms`, or when aborted. */
  readonly over: (within_ms: number, signal?: AbortSignal) => Promise<boolean>;
  /** Stops reconnecting. */
  readonly close: () => Promise<void>;
}

interface OutageHandlers {
  /** Asks the server once whether it answers. */
  readonly isBack: () => Promise<boolean>;
  readonly onLoss: (reason: string) => void;
  readonly onReturn: () => void;
}

const minPauseMs = 50;
/** The maximum pause while another node may be about to become leader, and after that time. */
const maxPausesMs = { first: 400, later: 3_000 };
const electionMs = 10_000;

/**
 * Reconnects with pauses that double, up to 0.4 s at first and up to 3 s later. Each loss and recovery is logged once.
 */
export const createOutages = (log: Log, { isBack, onLoss, onReturn }: OutageHandlers): Outages => {
  const closing = new AbortController();
  /** Wakes those that wait for the end. Not a promise for all: that would keep every wait in memory until the end. */
  const waiting = new Set<AbortController>();
  let outage: (Outage & { readonly ended: Promise<void> }) | null = null;

  const untilBack = async (since: number): Promise<void> => {
    const maxPause = (): number => (performance.now() - since < electionMs ? maxPausesMs.first : maxPausesMs.later);
    const pauses = backoff(minPauseMs, maxPause);
    while (!closing.signal.aborted) {
      await pause(withJitter(pauses.next()), closing.signal);
      if (closing.signal.aborted || !(await isBack())) continue;
      outage = null;
      log.info('the connection to the event store is back', { away_ms: Math.round(performance.now() - since) });
      waiting.forEach((wait) => wait.abort());
      onReturn();
      return;
    }
  };
  return {
    current: () => outage,
    begin: (reason) => {
      if (outage !== null || closing.signal.aborted) return;
      const since = performance.now();
      log.warn('the connection to the event store is lost', { reason });
      outage = { since, reason, ended: untilBack(since) };
      onLoss(reason);
    },
    over: async (within_ms, signal = closing.signal) => {
      if (outage !== null && within_ms > 0) {
        const wait = new AbortController();
        waiting.add(wait);
        await pause(within_ms, AbortSignal.any([wait.signal, signal, closing.signal]));
        waiting.delete(wait);
      }
      return outage === null && !closing.signal.aborted;
    },
    close: async () => {
      closing.abort();
      await outage?.ended;
    },
  };
};
