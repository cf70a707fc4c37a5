import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore, EventFilter, StoreUnavailable, StoredEvent } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { pause } from '../runtime/pause.js';
import { DamagedFile } from './damage.js';
import type { Progress } from './progress-row.js';

type Reading = Pick<EventStore, 'read'>;

/** Why rows are made anew, where an event that is in none of them can be opened by now; else null. */
export const openedSince = async (store: Reading, unopened: Progress['unopened']): Promise<DamagedFile | null> => {
  for (const { stream, revision } of unopened) {
    const read = await store.read(stream, revision - 1, 1)();
    if (E.isRight(read) && read.right.some(({ withheld }) => withheld === undefined))
      return new DamagedFile('a key that was missing is there again');
  }
  return null;
};

/** Looks for that every `pause_ms` until it is so or the signal is aborted. */
export const untilOpened = async (
  store: Reading,
  unopened: () => Progress['unopened'],
  pause_ms: number,
  signal: AbortSignal,
): Promise<DamagedFile | null> => {
  for (let found: DamagedFile | null = null; ; found = await openedSince(store, unopened())) {
    if (found !== null || signal.aborted) return found;
    await pause(pause_ms, signal);
  }
};

/** The log does not hold what the read models were made from: it was emptied, is an older copy, or another one. */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch';
}

interface CheckedLog {
  readonly head: Position | null;
  /** Why the rows cannot be of this log; null when they are. */
  readonly mismatch: string | null;
}

/** What the log says of how far the rows are. */
interface Found {
  readonly head: Position | null;
  readonly first: StoredEvent | undefined;
  /** Whether the log has the last event that the rows were made of; null when they were made of none. */
  readonly holdsLast: boolean | null;
}

/** Decided by what the log holds: where it ends tells nothing, for its end may be an event that is not of this service. */
const mismatchOf = ({ log_id, last }: Progress, { head, first, holdsLast }: Found): string | null => {
  if (last === null || holdsLast === null) return null;
  if (head !== null && first?.id === log_id && holdsLast) return null;
  const expected = `they have seen the events up to position ${last.position}, the last of them ${last.id}`;
  if (head === null) return `${expected}, but the log is empty`;
  if (first?.id !== log_id) return `${expected}, but the log is another one, which ends at position ${head}`;
  return head < last.position
    ? `${expected}, but the log ends at position ${head}`
    : `${expected}, but the log has another event there`;
};

/** Compares the rows with the log, without a scan of it. A log that cannot be reached is no mismatch. */
export const checkLog = (
  store: EventStore,
  filter: EventFilter,
  progress: Progress,
): TE.TaskEither<StoreUnavailable, CheckedLog> =>
  pipe(
    TE.Do,
    TE.bind('head', () => store.head()),
    TE.bind('page', () => store.readAll(null, filter, 1)),
    TE.bind('holdsLast', () => (progress.last === null ? TE.right(null) : store.holds(progress.last))),
    TE.map(({ head, page, holdsLast }) => ({
      head,
      mismatch: mismatchOf(progress, { head, first: page.events[0], holdsLast }),
    })),
  );
