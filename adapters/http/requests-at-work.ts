/** One account has the maximum of requests in progress. */
export interface TooManyRequests {
  readonly _tag: 'TooManyRequests';
  readonly most: number;
}

/** Counts the requests in progress of each account. */
export interface RequestsAtWork {
  /** Admits a request, and returns a function to be called once when it has ended. Waiting requests are counted apart. */
  readonly enter: (account_id: string, waits: boolean) => (() => void) | TooManyRequests;
}

/** Requests with `wait=` of one account. */
const mostWaiting = 1_000;

export const requestsAtWork = (most: number): RequestsAtWork => {
  const counts = new Map<string, number>();
  return {
    enter: (account_id, waits) => {
      const key = `${waits ? 'waiting' : 'working'} ${account_id}`;
      const limit = waits ? mostWaiting : most;
      const count = counts.get(key) ?? 0;
      if (count >= limit) return { _tag: 'TooManyRequests', most: limit };
      counts.set(key, count + 1);
      return () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      };
    },
  };
};
