import { availableParallelism } from 'node:os';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Matcher, MatcherFailed } from '../../application/ports/matcher.js';
import { type PackedMatchInput, memoryOf } from '../../application/evidence/packed-match.js';
import type { MatchResult } from '../../domain/matching/match-speakers-to-faces.js';
import { threadPool } from '../runtime/thread-pool.js';
import { MatchAnswer } from './match-answer.js';
import { compiledScript } from '../runtime/package-files.js';

export interface WorkerPool extends Matcher {
  /** Ends the threads and aborts running matches. */
  readonly close: () => Promise<void>;
}

/** More pairs of a face and a speaker than this would take minutes and gigabytes. */
const mostPairs = 500_000;
/** Matches with up to this many pairs or intervals take less than a second. */
const fewPairs = 50_000;
const fewNumbers = 200_000;

const failed = (reason: string): MatcherFailed => ({ _tag: 'MatcherFailed', reason });

const pairsOf = ({ faces, speakers }: PackedMatchInput): number => faces.length * speakers.length;

const tooMany = ({ faces, speakers }: PackedMatchInput): string =>
  `too many pairs: ${faces.length} faces with ${speakers.length} speakers, ${mostPairs.toLocaleString('en')} at most`;

const isSmall = (input: PackedMatchInput): boolean => {
  const seen = input.faces.reduce((sum, { tracks, talking }) => sum + tracks.length + talking.length, 0);
  const heard = input.speakers.reduce((sum, { turns }) => sum + turns.length, 0);
  return pairsOf(input) <= fewPairs && seen + heard <= fewNumbers;
};

const poolOf = (threads: number) =>
  threadPool<PackedMatchInput, MatchResult>({
    script: compiledScript('match-worker/compute-match.js'),
    result: MatchAnswer,
    threads,
    timeoutMs: 120_000,
    megabytes: 2_048,
  });

/**
 * Computes matches in worker threads, which start with the first match and end when idle. Small matches have a thread
 * of their own, so that they do not wait for large ones. A match of more than 500,000 pairs fails at once.
 */
export const workerPool = (): WorkerPool => {
  const [large, small] = [poolOf(Math.max(1, availableParallelism() - 1)), poolOf(1)];
  return {
    match: (input) =>
      pairsOf(input) > mostPairs
        ? TE.left(failed(tooMany(input)))
        : TE.tryCatch(
            () => (isSmall(input) ? small : large).run(input, memoryOf(input)),
            (error) => failed(error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
          ),
    close: async () => {
      await Promise.all([large.close(), small.close()]);
    },
  };
};
