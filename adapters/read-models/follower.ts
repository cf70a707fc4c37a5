import { backoff } from '../../application/backoff.js';
import { pause } from '../runtime/pause.js';
import { isDamage, reasonOf } from './damage.js';
import type { Health } from './health.js';
import { UnreadableEventFound } from './projector.js';

export interface FollowerSettings {
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

export interface Follower {
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
