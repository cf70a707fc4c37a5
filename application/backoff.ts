/** Exponential backoff: the pauses between retries, in milliseconds. */
export interface Backoff {
  /** The next pause: twice the previous one, up to the maximum. */
  readonly next: () => number;
  /** To be called after a success: the next pause is the shortest again. */
  readonly reset: () => void;
}

export const backoff = (min: number, max: number): Backoff => {
  let pause = min;
  return {
    next: () => {
      const now = pause;
      pause = Math.min(2 * pause, max);
      return now;
    },
    reset: () => {
      pause = min;
    },
  };
};
