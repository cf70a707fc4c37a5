import type { UnreadableEvent } from '../../application/failures.js';
import type { Log } from '../../application/ports/log.js';
import type { ReadModelsUnavailable } from '../../projections/queries.js';
import { backoff } from '../../application/backoff.js';
import { pause } from '../runtime/clock.js';
import { reasonOf, isDamage } from './damage.js';
import { UnreadableEventFound } from './projector.js';

/**
 * Why the read models do not advance: permanently at an event that no codec reads, or until something becomes available
 * again.
 */
export type ReadModelsFailure = UnreadableEvent | ReadModelsUnavailable;

/** The current failure. Each loss and recovery is logged once. */
interface Health {
  readonly failure: () => ReadModelsFailure | null;
  readonly recover: () => void;
  readonly lose: (cause: unknown) => void;
  readonly stop: (event: UnreadableEvent) => void;
}

/** `onLost` is called at each failure. */
export const createHealth = (log: Log | undefined, onLost: (reason: string) => void): Health => {
  let failure: ReadModelsFailure | null = null;
  return {
    failure: () => failure,
    recover: () => {
      if (failure !== null) log?.info('the read models follow the log again');
      failure = null;
    },
    lose: (cause) => {
      const reason = reasonOf(cause);
      if (failure === null) log?.warn('the read models cannot follow the log', { reason });
      failure = { _tag: 'ReadModelsUnavailable', reason };
      onLost(reason);
    },
    stop: (event) => {
      const { position, stream, revision, reason } = event;
      log?.error('the read models stop at an event that no codec reads', { position, stream, revision, reason });
      failure = event;
      onLost(reason);
    },
  };
};

interface FollowerSettings {
  /** Follows the log until the signal is aborted or something fails; resolves with the cause. */
  readonly once: (signal: AbortSignal) => Promise<unknown>;
  readonly health: Health;
  /** Discards what is not committed. May throw. */
  readonly discard: () => void;
  /** Replaces the file by an empty one. May throw. */
  readonly rebuild: (reason: string) => Promise<void>;
  /** Called when the follower has stopped for good. */
  readonly onStopped: () => void;
}

interface Follower {
  /** Call this when following works: it resets the backoff. */
  readonly recovered: () => void;
  /** Starts over because of a fault that was found elsewhere. */
  readonly interrupt: (cause: unknown) => void;
  /** Resolves once nothing is running. */
  readonly close: () => Promise<void>;
}

const minPauseMs = 100;
const maxPauseMs = 5_000;

/** Follows the log, and again after every failure, with a backoff. */
export const keepFollowing = ({ once, health, discard, rebuild, onStopped }: FollowerSettings): Follower => {
  const closing = new AbortController();
  let attempt = new AbortController();
  const pauses = backoff(minPauseMs, maxPauseMs);

  const recoverFrom = async (cause: unknown): Promise<void> => {
    try {
      if (isDamage(cause)) return await rebuild(reasonOf(cause));
      discard();
      health.lose(cause);
    } catch (worse) {
      health.lose(worse);
    }
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      attempt = new AbortController();
      const cause = await once(AbortSignal.any([attempt.signal, closing.signal]));
      if (closing.signal.aborted) break;
      if (cause instanceof UnreadableEventFound) {
        health.stop(cause.event);
        break;
      }
      await recoverFrom(cause);
      await pause(pauses.next(), closing.signal);
    }
    onStopped();
  };
  const ended = run();
  return {
    recovered: () => {
      pauses.reset();
      health.recover();
    },
    interrupt: (cause) => attempt.abort(cause),
    close: () => {
      closing.abort();
      return ended;
    },
  };
};
