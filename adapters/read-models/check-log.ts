import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventFilter, EventStore, StoreUnavailable } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Progress } from './session.js';

export interface CheckedLog {
  readonly head: Position | null;
  /** Why the rows cannot be of this log; null when they are. */
  readonly mismatch: string | null;
}

const mismatchOf = (
  { position, log_id }: Progress,
  head: Position | null,
  first: { readonly id: string; readonly position: Position } | undefined,
): string | null => {
  if (position === null) return null;
  if (head === null || head < position) return 'the log ends before the read models do';
  const known = first !== undefined && first.position <= position ? first.id : null;
  return known === log_id ? null : 'the read models are of another log';
};

/** Compares how far the rows are with the log, without a scan of it. */
export const checkLog = (
  store: EventStore,
  filter: EventFilter,
  progress: Progress,
): TE.TaskEither<StoreUnavailable, CheckedLog> =>
  pipe(
    TE.Do,
    TE.bind('head', () => store.head()),
    TE.bind('page', () => store.readAll(null, filter, 1)),
    TE.map(({ head, page }) => ({ head, mismatch: mismatchOf(progress, head, page.events[0]) })),
  );
