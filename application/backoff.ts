/** The pauses between tries, in milliseconds. */
export interface Backoff {
  /** The next pause: twice as long as the one before, up to the longest. */
  readonly next: () => number;
  /** Something succeeded: the next pause is the shortest again. */
  readonly reset: () => void;
}

export const backoff = (shortest: number, longest: number | (() => number)): Backoff => {
  let pause = shortest;
  return {
    next: () => {
      const now = pause;
      pause = Math.min(2 * pause, typeof longest === 'number' ? longest : longest());
      return now;
    },
    reset: () => {
      pause = shortest;
    },
  };
};
