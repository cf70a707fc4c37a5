import { setTimeout } from 'node:timers/promises';

/** What was not there in time. */
export class TooLate extends Error {}

/** What the work gives; rejects with `TooLate` when that takes longer. What comes later is nothing. */
export const inTime = async <A>(work: Promise<A>, within_ms: number): Promise<A> => {
  const stop = new AbortController();
  const late = setTimeout(within_ms, undefined, { signal: stop.signal }).then(() => {
    throw new TooLate(`no answer within ${Math.round(within_ms)} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
};
