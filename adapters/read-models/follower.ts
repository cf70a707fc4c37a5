import type { UnreadableEvent } from '../../application/failures.js';
import type { Log } from '../../application/ports/log.js';
import type { ReadModelsUnavailable } from '../../projections/queries.js';
import { backoff } from '../../application/backoff.js';
import { pause } from '../runtime/pause.js';
import { reasonOf, isDamage } from './damage.js';
import { UnreadableEventFound } from './projector.js';

/** Why the read models stand still: for good at an event that no codec reads, or until something comes back. */
export type ReadModelsFailure = UnreadableEvent | ReadModelsUnavailable;

/** What is wrong now; the operator's log is told once of each loss and recovery. */
interface Health {
  readonly failure: () => ReadModelsFailure | null;
  readonly recover: () => void;
  readonly lose: (cause: unknown) => void;
  readonly stop: (event: UnreadableEvent) => void;
}

/** `onLost` is told at each failure. */
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
  /** Takes back what is not committed. May throw. */
  readonly takeBack: () => void;
  /** Makes the file anew, empty. May throw. */
  readonly makeAnew: (reason: string) => Promise<void>;
  /** Nothing more will come. */
  readonly onStopped: () => void;
}

interface Follower {
  /** What follows the log well may say so: the next pause is a short one again. */
  readonly isWell: () => void;
  /** Starts over because of something that was found elsewhere. */
  readonly interrupt: (cause: unknown) => void;
  /** Resolves once nothing runs any more. */
  readonly close: () => Promise<void>;
}

const shortestPause = 100;
const longestPause = 5_000;

/** Follows the log again after every loss, after a pause that is longer each time. */
export const keepFollowing = ({ once, health, takeBack, makeAnew, onStopped }: FollowerSettings): Follower => {
  const closing = new AbortController();
  let attempt = new AbortController();
  const pauses = backoff(shortestPause, longestPause);

  const startOver = async (cause: unknown): Promise<void> => {
    try {
      if (isDamage(cause)) return await makeAnew(reasonOf(cause));
      takeBack();
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
      await startOver(cause);
      await pause(pauses.next(), closing.signal);
    }
    onStopped();
  };
  const ended = run();
  return {
    isWell: () => {
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
