import { Late, longestAnswer } from './judge.js';
import type { WireRequest } from './requests.js';

interface Kept {
  readonly index: number;
  readonly request: WireRequest;
  readonly late: Late;
}

/** How often each request is repeated. */
const attempts = 3;

/**
 * Collects requests that were answered late although the service was idle most of that time, and repeats each of them alone
 * at the end. `ask` returns the response time in milliseconds.
 */
export const lateRequests = (ask: (request: WireRequest) => Promise<number>) => {
  const kept: Kept[] = [];
  return {
    /** Returns the fault to count now; null if there is none or the request is kept for a repetition. */
    sort: (index: number, request: WireRequest, fault: Late | string | null): string | null => {
      if (!(fault instanceof Late)) return fault;
      if (fault.isOwn || request.waits) return fault.message;
      kept.push({ index, request, late: fault });
      return null;
    },
    /** Repeats the kept requests one at a time. `note` receives those that are late again. */
    askAgain: async (note: (fault: string) => void): Promise<string> => {
      for (const { index, request, late } of kept) {
        const times: number[] = [];
        for (let attempt = 0; attempt < attempts; attempt += 1) times.push(await ask(request));
        if (Math.min(...times) > longestAnswer)
          note(`--at=${index} ${request.label}: ${late.message}, and again when repeated alone`);
      }
      const longest = kept.map(({ index, late }) => `${late.message} (${index})`).slice(0, 5);
      return `late while the service was mostly idle, and in time when repeated: ${[kept.length, ...longest].join('; ')}`;
    },
  };
};
