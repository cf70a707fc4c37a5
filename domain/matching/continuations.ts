import type { Continuation } from '../kernel/renumbering.js';
import { bestLinks } from './assignment.js';
import { add, at, type Matrix, tabulate, zeros } from './matrix.js';
import { spansOf } from './spans.js';
import { forEachOverlap, sharedSeconds, type Stretches, totalSeconds } from './stretches.js';

/** When the face is seen or the speaker heard: disjoint intervals in order. */
export interface Presence<Id extends number = number> {
  readonly id: Id;
  readonly present: Stretches;
}

/** Times are compared to the microsecond: sums of the same seconds in another order differ by less. */
const microseconds = (seconds: number): number => Math.round(seconds * 1_000_000);

const byId = (one: Presence, other: Presence): number => one.id - other.id;

/** The microseconds that each pair shares, 0 for pairs that share less than half of the shorter one's. */
const sharedByHalf = (earlier: ReadonlyArray<Presence>, newer: ReadonlyArray<Presence>): Matrix => {
  const shared = zeros(earlier.length, newer.length);
  const [was, is] = [spansOf(earlier.map(({ present }) => present)), spansOf(newer.map(({ present }) => present))];
  forEachOverlap(was, is, (a, b) => add(shared, was.owners[a] ?? 0, is.owners[b] ?? 0, sharedSeconds(was, a, is, b)));
  const lengths = (all: ReadonlyArray<Presence>) => all.map(({ present }) => microseconds(totalSeconds(present)));
  const [rows, columns] = [lengths(earlier), lengths(newer)];
  return tabulate(shared.rows, shared.columns, (row, column) => {
    const both = microseconds(at(shared, row, column));
    return 2 * both >= Math.min(rows[row] ?? 0, columns[column] ?? 0) ? both : 0;
  });
};

/** Rows and columns that are connected by cells above 0. */
interface Component {
  readonly rows: ReadonlyArray<number>;
  readonly columns: ReadonlyArray<number>;
}

const indexes = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, n) => n);

/** Splits a table into its components: most ids share seconds with one or two others. */
const componentsOf = (table: Matrix): ReadonlyArray<Component> => {
  const [rowsLeft, columnsLeft] = [new Set(indexes(table.rows)), new Set(indexes(table.columns))];
  const components: Component[] = [];
  for (const first of indexes(table.rows)) {
    if (!rowsLeft.delete(first)) continue;
    const rows = [first];
    const columns: number[] = [];
    for (let row = rows[0], r = 0; row !== undefined; r += 1, row = rows[r])
      for (const column of columnsLeft) {
        if (at(table, row, column) === 0) continue;
        columnsLeft.delete(column);
        columns.push(column);
        for (const other of rowsLeft)
          if (at(table, other, column) > 0) {
            rowsLeft.delete(other);
            rows.push(other);
          }
      }
    if (columns.length > 0) components.push({ rows, columns });
  }
  return components;
};

/**
 * Which id of the newer analysis continues which earlier id, one to one: of all pairs that share at least half of the
 * shorter one's seconds, those with the largest total; of equal totals the one that keeps most numbers. An id without
 * seconds on one of the two sides continues under its own number, unless that number continues another.
 */
export const continuations = <Id extends number>(
  earlier: ReadonlyArray<Presence<Id>>,
  newer: ReadonlyArray<Presence<Id>>,
): ReadonlyArray<Continuation<Id>> => {
  const withSeconds = (all: ReadonlyArray<Presence<Id>>) =>
    all.filter(({ present }) => microseconds(totalSeconds(present)) > 0).sort(byId);
  const [was, is] = [withSeconds(earlier), withSeconds(newer)];
  const shared = sharedByHalf(was, is);
  const kept = Math.min(was.length, is.length) + 1;
  const continued = componentsOf(shared).flatMap(({ rows, columns }) => {
    // Totals count first. A kept number counts less than one microsecond, however many are kept.
    const gains = tabulate(rows.length, columns.length, (r, c) => {
      const [row, column] = [rows[r] ?? 0, columns[c] ?? 0];
      const both = at(shared, row, column);
      return both === 0 ? 0 : both * kept + (was[row]?.id === is[column]?.id ? 1 : 0);
    });
    return bestLinks(gains).flatMap(({ row, column }): ReadonlyArray<Continuation<Id>> => {
      const [r, c] = [rows[row] ?? 0, columns[column] ?? 0];
      const [from, to] = [was[r]?.id, is[c]?.id];
      return from === undefined || to === undefined ? [] : [{ from, to, seconds: at(shared, r, c) / 1_000_000 }];
    });
  });
  const [goesOn, isTaken] = [new Set(continued.map(({ from }) => from)), new Set(continued.map(({ to }) => to))];
  const [timed, isTimed] = [new Set(was.map(({ id }) => id)), new Set(is.map(({ id }) => id))];
  const earlierIds = new Set(earlier.map(({ id }) => id));
  const underOwnNumber = newer.flatMap(({ id }): ReadonlyArray<Continuation<Id>> =>
    earlierIds.has(id) && !goesOn.has(id) && !isTaken.has(id) && !(timed.has(id) && isTimed.has(id))
      ? [{ from: id, to: id, seconds: 0 }]
      : [],
  );
  return [...continued, ...underOwnNumber].sort((one, other) => one.to - other.to);
};
