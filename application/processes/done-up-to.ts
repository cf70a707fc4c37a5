import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Checkpoints } from '../ports/checkpoints.js';
import type { StoreUnavailable } from '../ports/event-store.js';

/** The names of processes in stored checkpoints. */
export const processNames = {
  followUps: 'follow-ups',
  matchWorker: 'match-worker',
  overdueInferences: 'overdue-inferences',
} as const;

/** The checkpoint name of a process's sweep. */
export const sweepNameOf = (process: string): string => `sweep-${process}`;

/**
 * The position up to which a process, or its sweep, has handled all events; null where nothing is stored.
 */
export const doneUpTo = ({ load }: Checkpoints, process: string): TE.TaskEither<StoreUnavailable, Position | null> =>
  pipe(
    TE.Do,
    TE.apS('swept', load(sweepNameOf(process))),
    TE.apS('handled', load(process)),
    TE.map(({ swept, handled }) => ((swept ?? '') > (handled ?? '') ? swept : handled)),
  );
