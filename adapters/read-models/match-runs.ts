import type Database from 'libsql';
import type { RunId } from '../../domain/kernel/ids.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import type { ListedRun, RunTime } from '../../projections/queries.js';
import type { RunState } from '../../projections/run-status.js';
import { type MatchRunRow, tables } from '../../projections/tables.js';
import { type Found, listNewest, listRows } from './found-rows.js';
import type { StoredTables } from './session.js';

const { matchRuns, lateArrivals } = tables;
const started = `(SELECT started FROM ${matchRuns.name} WHERE number = ?1)`;
const maxArrivals = 1_000;

type Shown = (row: MatchRunRow) => ListedRun;

/** A run with its late arrivals; of very many, only the newest. */
const withArrivals = (db: Database.Database): Shown => {
  const arrivals = listNewest(db, lateArrivals, 'run_id');
  return ({ view }) => {
    const found = arrivals(Number.MAX_SAFE_INTEGER, maxArrivals, view.run_id);
    const late_arrivals = found.rows.map(({ row }) => row.arrival).toReversed();
    return { ...view, late_arrivals, ...(found.more ? { more_late_arrivals: true } : {}) };
  };
};

const show = (shown: Shown, { rows, more }: Found<MatchRunRow>): Found<ListedRun> => ({
  more,
  rows: rows.map(({ number, row }) => ({ number, row: shown(row) })),
});

/**
 * Lists the runs of a video after the one with the given number (0: from the first), in the order in which they were
 * queued.
 */
const runsOfVideo = (db: Database.Database, shown: Shown) => {
  const runs = listRows(db, matchRuns, {
    where: `video_id = ?3 AND (?1 = 0 OR started > ${started} OR (started IS ${started} AND number > ?1)
      OR (${started} IS NULL AND started IS NOT NULL))`,
    order: 'started, number',
  });
  return (video_id: string, after: number, limit: number): Found<ListedRun> =>
    show(shown, runs(after, limit, video_id));
};

/** Lists the runs of all videos, or those in a state at a time, oldest first. */
const runsOfAllVideos = (db: Database.Database, shown: Shown) => {
  const runs = listRows(db, matchRuns, { where: 'number > ?1', order: 'number' });
  // Few runs are open. The plus signs keep SQLite from scanning all runs in the order of their numbers.
  const openSince = listRows(db, matchRuns, { where: '+number > ?1 AND open_since >= ?3', order: '+number' });
  const openBefore = listRows(db, matchRuns, { where: '+number > ?1 AND open_since < ?3', order: '+number' });
  const ended = listRows(db, matchRuns, { where: 'number > ?1 AND ended_as = ?3', order: 'number' });
  const find = (state: RunState | null, { at, stale_seconds }: RunTime, after: number, limit: number) => {
    switch (state) {
      case null:
        return runs(after, limit);
      case 'in_flight':
        return openSince(after, limit, secondsAfter(at, -stale_seconds));
      case 'stale':
        return openBefore(after, limit, secondsAfter(at, -stale_seconds));
      case 'completed':
      case 'failed':
      case 'superseded':
      case 'erased':
        return ended(after, limit, state);
    }
  };
  return (state: RunState | null, now: RunTime, after: number, limit: number): Found<ListedRun> =>
    show(shown, find(state, now, after, limit));
};

/** The queries for match runs. */
export const readRuns = (db: Database.Database, rows: StoredTables) => {
  const shown = withArrivals(db);
  return {
    matchRuns: runsOfVideo(db, shown),
    allMatchRuns: runsOfAllVideos(db, shown),
    matchRun: (run_id: RunId): ListedRun | null => {
      const row = rows.matchRuns.committed(run_id);
      return row && shown(row);
    },
  };
};
