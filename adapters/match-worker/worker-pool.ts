import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { Piscina } from 'piscina';
import type { Matcher, MatcherFailed } from '../../application/ports/matcher.js';
import type { PackedMatchInput } from '../../application/evidence/packed-match.js';
import type { MatchResult } from '../../domain/matching/match-speakers-to-faces.js';

export interface WorkerPool extends Matcher {
  /** Ends the threads; matches under way are broken off. */
  readonly close: () => Promise<void>;
}

const longestMatch = 120_000;
const idleThread = 30_000;

/** Computes matches in worker threads, which start with the first match and end when idle. */
export const workerPool = (): WorkerPool => {
  const pool = new Piscina<PackedMatchInput, MatchResult>({
    filename: new URL('./compute-match.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: idleThread,
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  return {
    pause: () => setImmediate(),
    match: (input) =>
      TE.tryCatch(
        () => pool.run(input, { signal: AbortSignal.timeout(longestMatch) }),
        (error): MatcherFailed => ({
          _tag: 'MatcherFailed',
          reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        }),
      ),
    close: () => pool.destroy(),
  };
};
