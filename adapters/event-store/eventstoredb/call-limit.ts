/** Limits the number of concurrent calls; the others wait in order. */
export interface CallLimit {
  /** Resolves with true once the call may be made, with false if it was not admitted in time. */
  readonly enter: (within_ms: number) => Promise<boolean>;
  /** Call this when the call has ended; `busy` if the server refused it because of overload. */
  readonly leave: (busy: boolean) => void;
}

/** Higher concurrency makes servers that group writes faster; what exceeds the connection's capacity waits. */
const maxCalls = 500;
/** Refusals within this time count as one. */
const sameOverloadMs = 100;

/**
 * Halves the limit when the server reports overload, down to one, and raises it slightly with each answered call
 * (additive increase, multiplicative decrease), so that refused calls do not add to the overload.
 */
export const createCallLimit = (): CallLimit => {
  const waiting = new Set<() => void>();
  let limit = maxCalls;
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
      if (!busy) limit = Math.min(maxCalls, limit + 1 / limit);
      else if (now - halved_at >= sameOverloadMs) {
        limit = Math.max(1, limit / 2);
        halved_at = now;
      }
      admit();
    },
  };
};
