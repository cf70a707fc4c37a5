import { Piscina } from 'piscina';
import type { NamesToMatch } from './match-names.js';

const longest = 3_000;
const idleThread = 30_000;

const pool = new Piscina<NamesToMatch, ReadonlyArray<boolean>>({
  filename: new URL('./match-names.js', import.meta.url).href,
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: idleThread,
});

let last: Promise<unknown> = Promise.resolve();

/**
 * Tries names against a client's regular expression, in another thread: some expressions take years. One after the
 * other, each for 3 seconds at most; rejects when that is not enough.
 */
export const matchInThread = (task: NamesToMatch): Promise<ReadonlyArray<boolean>> => {
  const answer = last.then(() => pool.run(task, { signal: AbortSignal.timeout(longest) }));
  last = answer.catch(() => undefined);
  return answer;
};
