/** How many calls are under way at the same time; the rest wait, first come, first served. */
export interface CallLimit {
  /** Resolves with true once the call may be made, with false when its turn did not come in time. */
  readonly enter: (within_ms: number) => Promise<boolean>;
  /** The call is over; `busy` when the server refused it for having too much to do. */
  readonly leave: (busy: boolean) => void;
}

/** A server that writes what comes together at once is faster the more there is; what its connection does not take waits. */
const most = 500;
/** Refusals that come together count as one. */
const together_ms = 100;

/**
 * A server that is busy gets half as many calls at once, down to one, and then with each that it answers a little
 * more: so load that is too much for it does not become more by what it refuses.
 */
export const createCallLimit = (): CallLimit => {
  const waiting = new Set<() => void>();
  let limit = most;
  let running = 0;
  let halved_at = Number.NEGATIVE_INFINITY;
  const admit = (): void => {
    for (const start of waiting) {
      if (running >= Math.floor(limit)) return;
      waiting.delete(start);
      running += 1;
      start();
    }
  };
  return {
    enter: (within_ms) =>
      new Promise((resolve) => {
        const start = (): void => {
          clearTimeout(late);
          resolve(true);
        };
        const late = setTimeout(
          () => {
            waiting.delete(start);
            resolve(false);
          },
          Math.max(0, within_ms),
        );
        waiting.add(start);
        admit();
      }),
    leave: (busy) => {
      running -= 1;
      const now = performance.now();
      if (!busy) limit = Math.min(most, limit + 1 / limit);
      else if (now - halved_at >= together_ms) {
        limit = Math.max(1, limit / 2);
        halved_at = now;
      }
      admit();
    },
  };
};
