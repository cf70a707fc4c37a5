import type Database from 'libsql';
import type { ListedRun } from '../../projections/queries.js';
import { tables } from '../../projections/tables.js';
import { type Found, listNewest, listRows } from './found-rows.js';

const { matchRuns, lateArrivals } = tables;
const started = `(SELECT started FROM ${matchRuns.name} WHERE number = ?1)`;
const mostArrivals = 1_000;

/**
 * Lists the runs of a video after the one with a number (0: from the first), in the order in which they were queued. Each
 * has its late arrivals, of a great many the newest.
 */
export const listRuns = (db: Database.Database) => {
  const runs = listRows(db, matchRuns, {
    where: `video_id = ?3 AND (?1 = 0 OR started > ${started} OR (started IS ${started} AND number > ?1)
      OR (${started} IS NULL AND started IS NOT NULL))`,
    order: 'started, number',
  });
  const arrivals = listNewest(db, lateArrivals, 'run_id');
  return (video_id: string, after: number, limit: number): Found<ListedRun> => {
    const { rows, more } = runs(after, limit, video_id);
    return {
      more,
      rows: rows.map(({ number, row: { view } }) => {
        const found = arrivals(Number.MAX_SAFE_INTEGER, mostArrivals, view.run_id);
        const late_arrivals = found.rows.map(({ row }) => row.arrival).toReversed();
        return { number, row: { ...view, late_arrivals, ...(found.more ? { more_late_arrivals: true } : {}) } };
      }),
    };
  };
};
