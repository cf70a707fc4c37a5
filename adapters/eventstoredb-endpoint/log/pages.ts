import type { EventRow } from '../../event-store/sqlite/event-row.js';
import { type Rows, tombstoneRevision } from './rows.js';
import { type StreamLimits, firstVisible, streamState } from './stream-state.js';
import { fromStored } from './stored-payload.js';

/** Rows in the requested order, and where the next page starts; null if there are no more. */
export interface RowPage {
  readonly rows: ReadonlyArray<EventRow>;
  readonly next: number | null;
}

const maxRowsPerPage = 250;

const notExpired = (rows: ReadonlyArray<EventRow>, { maxAge }: StreamLimits): ReadonlyArray<EventRow> => {
  if (maxAge === null) return rows;
  const oldest = Date.now() - maxAge * 1_000;
  return rows.filter((row) => fromStored({ data: row[5], metadata: row[6] }).created >= oldest);
};

/** Forwards from a revision, inclusive. Truncated, surplus and expired events are left out. */
export const streamPageForwards = (rows: Rows, stream: string, from: number, maxRows: number): RowPage => {
  const state = streamState(rows, stream);
  const limit = Math.min(maxRowsPerPage, maxRows);
  const found = rows.streamForwards(stream, Math.max(from, firstVisible(state)), limit);
  const last = found.at(-1);
  return {
    rows: notExpired(found, state.limits),
    next: last === undefined || found.length < limit ? null : last[2] + 1,
  };
};

/** Backwards from a revision, inclusive. */
export const streamPageBackwards = (rows: Rows, stream: string, from: number, maxRows: number): RowPage => {
  const state = streamState(rows, stream);
  const least = firstVisible(state);
  const limit = Math.min(maxRowsPerPage, maxRows);
  const found = rows.streamBackwards(stream, Math.min(from, tombstoneRevision - 1), limit);
  const last = found.at(-1);
  const ended = last === undefined || found.length < limit || last[2] <= least;
  const seen = found.filter((row) => row[2] >= least);
  return { rows: notExpired(seen, state.limits), next: ended ? null : last[2] - 1 };
};

/** Forwards from a row of the log, inclusive. */
export const allPageForwards = (rows: Rows, from: number, maxRows: number): RowPage => {
  const limit = Math.min(maxRowsPerPage, maxRows);
  const found = rows.allForwards(from, limit);
  const last = found.at(-1);
  return { rows: found, next: last === undefined || found.length < limit ? null : last[0] + 1 };
};

/** Backwards from a row of the log, exclusive. */
export const allPageBackwards = (rows: Rows, before: number, maxRows: number): RowPage => {
  const limit = Math.min(maxRowsPerPage, maxRows);
  const found = rows.allBackwards(before, limit);
  const last = found.at(-1);
  return { rows: found, next: last === undefined || found.length < limit ? null : last[0] };
};
