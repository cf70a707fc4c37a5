import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { MatchResult } from '../../domain/matching/match-speakers-to-faces.js';
import type { PackedMatchInput } from '../evidence/packed-match.js';

/** The computation broke off: out of time or memory, or a fault. */
export interface MatcherFailed {
  readonly _tag: 'MatcherFailed';
  readonly reason: string;
}

/** Computes a match without holding requests up. */
export interface Matcher {
  /** Resolves once other work has had its turn. */
  readonly pause: () => Promise<void>;
  /** The input is handed over: who gave it cannot use it any more. */
  readonly match: (input: PackedMatchInput) => TaskEither<MatcherFailed, MatchResult>;
}
