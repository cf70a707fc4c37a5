import type { Task } from 'fp-ts/lib/Task.js';
import type { Continuation } from '../../domain/kernel/renumbering.js';
import type { Presence } from '../../domain/matching/continuations.js';

/** Computes `continuations` without blocking requests. */
export type Compare = <Id extends number>(
  earlier: ReadonlyArray<Presence<Id>>,
  newer: ReadonlyArray<Presence<Id>>,
) => Task<ReadonlyArray<Continuation<Id>>>;
