import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore, StoreUnavailable, StoredEvent } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { DamagedFile, type Statements, columnsOf, textOf } from './sqlite.js';

/** How far the rows are, and of which log. */
export interface Progress {
  /** All events up to this position are in the rows; null before the first. */
  readonly position: Position | null;
  /** The id of the first event of the log; null before there was one. */
  readonly log_id: string | null;
  /** The last event that was read, used to recognise the log; null before there was one. */
  readonly last: Pick<StoredEvent, 'position' | 'id'> | null;
  /**
   * Events that are in no row because their key is missing: the first of each stream, for at most a hundred streams.
   */
  readonly unopened: ReadonlyArray<Pick<StoredEvent, 'stream' | 'revision'>>;
}

/** Before the first event. */
export const noProgress: Progress = { position: null, log_id: null, last: null, unopened: [] };

const Details = t.type({
  log_id: t.union([t.string, t.null]),
  last: t.union([t.type({ position: t.string, id: t.string }), t.null]),
  unopened: t.array(t.type({ stream: t.string, revision: t.number })),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Reads the progress; throws `DamagedFile` when it is not as it was written. */
export const readProgress = (statements: Statements): Progress => {
  const row = statements('SELECT CAST(position AS BLOB), CAST(details AS BLOB) FROM progress').get();
  const [position = null, details] = columnsOf(row).map(textOf);
  const known = parsed(details ?? '');
  if (!Details.is(known)) throw new DamagedFile('the progress of the read models is damaged');
  return { position, ...known };
};

/** What is stored besides the position. */
export const progressDetails = ({ log_id, last, unopened }: Progress): string =>
  JSON.stringify({ log_id, last, unopened });

/** Writes the progress that follows a position. Throws if another process has written meanwhile. */
export const writeProgress = (statements: Statements, progress: Progress, before: Position | null): void => {
  const { changes } = statements('UPDATE progress SET position = ?, details = ? WHERE position IS ?').run([
    progress.position,
    progressDetails(progress),
    before,
  ]);
  if (changes === 0) throw new Error('another process writes the same read models');
};

const maxUnopened = 100;

/** The progress after an event. */
export const advanced = (progress: Progress, { position, id, stream, revision, withheld }: StoredEvent): Progress => {
  const { log_id, unopened } = progress;
  const isListed =
    withheld !== 'key_missing' || unopened.length === maxUnopened || unopened.some((one) => one.stream === stream);
  return {
    position,
    log_id: log_id ?? id,
    last: { position, id },
    unopened: isListed ? unopened : [...unopened, { stream, revision }],
  };
};

/** Whether an event that could not be opened before can be opened now. */
export const canBeOpened = async (
  store: Pick<EventStore, 'read'>,
  unopened: Progress['unopened'],
): Promise<boolean> => {
  for (const { stream, revision } of unopened) {
    const read = await store.read(stream, revision - 1, 1)();
    if (E.isRight(read) && read.right.some(({ withheld }) => withheld === undefined)) return true;
  }
  return false;
};

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
export const checkLog = (store: EventStore, progress: Progress): TE.TaskEither<StoreUnavailable, CheckedLog> =>
  pipe(
    TE.Do,
    TE.bind('head', () => store.head()),
    TE.bind('page', () => store.readAll(null, {}, 1)),
    TE.bind('holdsLast', () => (progress.last === null ? TE.right(null) : store.holds(progress.last))),
    TE.map(({ head, page, holdsLast }) => ({
      head,
      mismatch: mismatchOf(progress, { head, first: page.events[0], holdsLast }),
    })),
  );
