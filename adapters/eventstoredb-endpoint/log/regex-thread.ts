import * as t from 'io-ts';
import { threadPool } from '../../runtime/thread-pool.js';
import type { NamesToMatch } from './match-names.js';
import { compiledScript } from '../../runtime/package-files.js';

const pool = threadPool<NamesToMatch, ReadonlyArray<boolean>>({
  script: compiledScript('eventstoredb-endpoint/log/match-names.js'),
  result: t.readonlyArray(t.boolean),
  threads: 1,
  timeoutMs: 3_000,
  megabytes: 128,
});

/**
 * Tries names against a client's regular expression, in another thread: some expressions take years. One after the
 * other, each for 3 seconds at most; rejects when that is not enough.
 */
export const matchInThread = (task: NamesToMatch): Promise<ReadonlyArray<boolean>> => pool.run(task);
