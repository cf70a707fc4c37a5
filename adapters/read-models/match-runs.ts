import type { RunId } from '../../domain/kernel/ids.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import type { ListedRun, Listing, RunTime } from '../../projections/queries.js';
import type { RunState } from '../../projections/run-status.js';
import { type MatchRunRow, tables } from '../../projections/tables.js';
import type { Statements } from './sqlite.js';
import { type StoredTables, listRows } from './stored-table.js';

const { matchRuns, lateArrivals } = tables;
const started = `(SELECT started FROM ${matchRuns.name} WHERE number = ?1)`;
const maxArrivals = 1_000;

/** The queries for match runs, which are shown with their late arrivals; of very many, only the newest. */
export const readRuns = (statements: Statements, rows: Pick<StoredTables, 'matchRuns'>) => {
  const list = (where: string, order = 'number') => listRows(statements, matchRuns, { where, order });
  const arrivals = listRows(statements, lateArrivals, { where: 'run_id = ?3 AND number < ?1', order: 'number DESC' });
  const shown = ({ view }: MatchRunRow): ListedRun => {
    const { items, next_cursor } = arrivals(Number.MAX_SAFE_INTEGER, maxArrivals, view.run_id);
    const late_arrivals = items.map(({ arrival }) => arrival).toReversed();
    return { ...view, late_arrivals, ...(next_cursor === null ? {} : { more_late_arrivals: true }) };
  };
  const show = ({ items, next_cursor }: Listing<MatchRunRow>): Listing<ListedRun> => ({
    items: items.map(shown),
    next_cursor,
  });
  const ofVideo = list(
    `video_id = ?3 AND (?1 = 0 OR started > ${started} OR (started IS ${started} AND number > ?1)
      OR (${started} IS NULL AND started IS NOT NULL))`,
    'started, number',
  );
  const all = list('number > ?1');
  // Few runs are open. The plus signs keep SQLite from scanning all runs in the order of their numbers.
  const openSince = list('+number > ?1 AND open_since >= ?3', '+number');
  const openBefore = list('+number > ?1 AND open_since < ?3', '+number');
  const ended = list('number > ?1 AND ended_as = ?3');
  const find = (state: RunState | null, { at, stale_seconds }: RunTime, after: number, limit: number) => {
    if (state === null) return all(after, limit);
    if (state !== 'in_flight' && state !== 'stale') return ended(after, limit, state);
    const open = state === 'stale' ? openBefore : openSince;
    return open(after, limit, secondsAfter(at, -stale_seconds));
  };
  return {
    /** The runs of a video after the one with the given number (0: from the first), in the order of queueing. */
    matchRuns: (video_id: string, after: number, limit: number): Listing<ListedRun> =>
      show(ofVideo(after, limit, video_id)),
    /** The runs of all videos, or those in a state at a time, oldest first. */
    allMatchRuns: (state: RunState | null, now: RunTime, after: number, limit: number): Listing<ListedRun> =>
      show(find(state, now, after, limit)),
    matchRun: (run_id: RunId): ListedRun | null => {
      const row = rows.matchRuns.get(run_id);
      return row === undefined ? null : shown(row);
    },
  };
};
