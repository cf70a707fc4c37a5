import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { MatchInput, MatchResult } from '../../domain/matching/match-speakers-to-faces.js';

/** The computation broke off: out of time or memory, or a fault. */
export interface MatcherFailed {
  readonly _tag: 'MatcherFailed';
  readonly reason: string;
}

/** Computes a match without holding requests up. */
export interface Matcher {
  readonly match: (input: MatchInput) => TaskEither<MatcherFailed, MatchResult>;
}
