import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore, EventFilter, StoreUnavailable, StoredEvent } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { pause } from '../runtime/clock.js';
import { DamagedFile } from './damage.js';
import type { Progress } from './progress-row.js';

type Reading = Pick<EventStore, 'read'>;

/** The reason for a rebuild if an event that could not be opened before can be opened now; else null. */
export const openedSince = async (store: Reading, unopened: Progress['unopened']): Promise<DamagedFile | null> => {
  for (const { stream, revision } of unopened) {
    const read = await store.read(stream, revision - 1, 1)();
    if (E.isRight(read) && read.right.some(({ withheld }) => withheld === undefined))
      return new DamagedFile('a key that was missing is there again');
  }
  return null;
};

/** Checks that every `pause_ms`, until it is the case or the signal is aborted. */
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

/**
 * The log does not contain the events that the read models were made from: it was emptied, is an older copy, or is
 * another log.
 */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch';
}

interface CheckedLog {
  readonly head: Position | null;
  /** Why the rows cannot belong to this log; null when they do. */
  readonly mismatch: string | null;
}

/** What the log contains of what the rows were made from. */
interface Found {
  readonly head: Position | null;
  readonly first: StoredEvent | undefined;
  /** Whether the log contains the last event the rows were made from; null when they were made from none. */
  readonly holdsLast: boolean | null;
}

/**
 * Decided by what the log contains. Its head position alone says nothing, because the last event may not be one of this
 * service.
 */
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

/** Checks whether the rows belong to the log, without scanning it. An unreachable log is not a mismatch. */
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
