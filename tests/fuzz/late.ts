import { Late, longestAnswer } from './judge.js';
import type { WireRequest } from './requests.js';

interface Kept {
  readonly index: number;
  readonly request: WireRequest;
  readonly late: Late;
}

/** Each is asked so often. */
const attempts = 3;

/**
 * Keeps requests that were answered late although the service was hardly at work meanwhile, until each can be asked again
 * alone. `ask` answers the milliseconds that it took.
 */
export const lateRequests = (ask: (request: WireRequest) => Promise<number>) => {
  const kept: Kept[] = [];
  return {
    /** The fault in words that is to be counted now; null where there is none, or it is kept. */
    sort: (index: number, request: WireRequest, fault: Late | string | null): string | null => {
      if (!(fault instanceof Late)) return fault;
      if (fault.isOwn || request.waits) return fault.message;
      kept.push({ index, request, late: fault });
      return null;
    },
    /** Asks for each again, while nothing else is asked; `note` is told of those that are late again. */
    askAgain: async (note: (fault: string) => void): Promise<string> => {
      for (const { index, request, late } of kept) {
        const times: number[] = [];
        for (let attempt = 0; attempt < attempts; attempt += 1) times.push(await ask(request));
        if (Math.min(...times) > longestAnswer)
          note(`--at=${index} ${request.label}: ${late.message}, and alone again`);
      }
      const longest = kept.map(({ index, late }) => `${late.message} (${index})`).slice(0, 5);
      return `late while the service was hardly at work, and in time when asked again: ${[kept.length, ...longest].join('; ')}`;
    },
  };
};
