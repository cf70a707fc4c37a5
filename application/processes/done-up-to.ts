import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Checkpoints } from '../ports/checkpoints.js';
import type { StoreUnavailable } from '../ports/event-store.js';

/** The names under which it is kept how far the log was dealt with. */
export const processNames = {
  followUps: 'follow-ups',
  matchWorker: 'match-worker',
  overdueInferences: 'overdue-inferences',
} as const;

/** The name of the sweep that goes after a process. */
export const sweepNameOf = (process: string): string => `sweep-${process}`;

/**
 * The position up to which all is done that a process has to do: by the process, where it handles events in order, and
 * by its sweep. Null where nothing is known.
 */
export const doneUpTo = ({ load }: Checkpoints, process: string): TE.TaskEither<StoreUnavailable, Position | null> =>
  pipe(
    TE.Do,
    TE.apS('swept', load(sweepNameOf(process))),
    TE.apS('handled', load(process)),
    TE.map(({ swept, handled }) => ((swept ?? '') > (handled ?? '') ? swept : handled)),
  );
