import type { Tagged } from '../../domain/kernel/decider.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { MatchInput, MatchResult } from '../../domain/matching/match-speakers-to-faces.js';

/** The computation failed: out of time or memory, or an internal error. */
export type MatcherFailed = Tagged<'MatcherFailed', { reason: string }>;

/** Computes matches without blocking requests. */
export interface Matcher {
  readonly match: (input: MatchInput) => TaskEither<MatcherFailed, MatchResult>;
}
