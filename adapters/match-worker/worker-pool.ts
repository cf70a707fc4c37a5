import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Matcher, MatcherFailed } from '../../application/ports/matcher.js';
import type { PackedMatchInput } from '../../application/evidence/packed-match.js';
import type { MatchResult } from '../../domain/matching/match-speakers-to-faces.js';
import { threadPool } from '../runtime/thread-pool.js';

export interface WorkerPool extends Matcher {
  /** Ends the threads; matches under way are broken off. */
  readonly close: () => Promise<void>;
}

/** Computes matches in worker threads, which start with the first match and end when idle. */
export const workerPool = (): WorkerPool => {
  const pool = threadPool<PackedMatchInput, MatchResult>({
    script: new URL('./compute-match.js', import.meta.url),
    threads: Math.max(1, availableParallelism() - 1),
    longest: 120_000,
    megabytes: 2_048,
  });
  return {
    pause: () => setImmediate(),
    match: (input) =>
      TE.tryCatch(
        () => pool.run(input),
        (error): MatcherFailed => ({
          _tag: 'MatcherFailed',
          reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        }),
      ),
    close: pool.close,
  };
};
