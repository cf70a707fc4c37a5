import { backoff } from '../../../application/backoff.js';
import type { Log } from '../../../application/ports/log.js';
import { pause, withJitter } from '../../runtime/pause.js';

interface Outage {
  /** By `performance.now()`. */
  readonly since: number;
  readonly reason: string;
}

/** Knows whether the server is away, and sees to it that it is found again. */
export interface Outages {
  /** Null while the server answers. */
  readonly current: () => Outage | null;
  /** The server was found to be away. */
  readonly begin: (reason: string) => void;
  /** Resolves with whether the server answers, as soon as it does, or after so many milliseconds, or when aborted. */
  readonly over: (within_ms: number, signal?: AbortSignal) => Promise<boolean>;
  /** Stops looking for the server. */
  readonly close: () => Promise<void>;
}

interface OutageHandlers {
  /** Asks the server once whether it answers. */
  readonly isBack: () => Promise<boolean>;
  readonly onLoss: (reason: string) => void;
  readonly onReturn: () => void;
}

const shortestPause = 50;
/** While another node may be about to lead, and once that has taken too long to be waited for. */
const longestPauses = { first: 400, later: 3_000 };
const first_ms = 10_000;

/**
 * The server is looked for after pauses that double, up to 0.4 s at first, later up to 3 s. The log is told once of each loss and of each
 * return.
 */
export const createOutages = (log: Log, { isBack, onLoss, onReturn }: OutageHandlers): Outages => {
  const closing = new AbortController();
  let outage: (Outage & { readonly ended: Promise<void> }) | null = null;

  const untilBack = async (since: number): Promise<void> => {
    const longest = (): number => (performance.now() - since < first_ms ? longestPauses.first : longestPauses.later);
    const pauses = backoff(shortestPause, longest);
    while (!closing.signal.aborted) {
      await pause(withJitter(pauses.next()), closing.signal);
      if (closing.signal.aborted || !(await isBack())) continue;
      outage = null;
      log.info('the connection to the event store is back', { away_ms: Math.round(performance.now() - since) });
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
      if (outage === null) return !closing.signal.aborted;
      const stop = new AbortController();
      const late = pause(Math.max(0, within_ms), AbortSignal.any([stop.signal, signal, closing.signal]));
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
