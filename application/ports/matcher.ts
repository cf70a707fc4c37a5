import type { Tagged } from '../../domain/kernel/decider.js';
import type { Task } from 'fp-ts/lib/Task.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Continuation } from '../../domain/kernel/renumbering.js';
import type { Presence } from '../../domain/matching/continuations.js';
import type { MatchInput, MatchResult } from '../../domain/matching/match-speakers-to-faces.js';

/** The computation failed: out of time or memory, or an internal error. */
export type MatcherFailed = Tagged<'MatcherFailed', { reason: string }>;

/** Computes matches without blocking requests. */
export interface Matcher {
  readonly match: (input: MatchInput) => TaskEither<MatcherFailed, MatchResult>;
}

/** Computes `continuations` without blocking requests. */
export type Compare = <Id extends number>(
  earlier: ReadonlyArray<Presence<Id>>,
  newer: ReadonlyArray<Presence<Id>>,
) => Task<ReadonlyArray<Continuation<Id>>>;
