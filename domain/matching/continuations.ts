import type { Continuation } from '../kernel/renumbering.js';
import { bestLinks } from './assignment.js';
import { at, type Matrix, tabulate, zeros } from './matrix.js';
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
  const { cells, columns } = shared;
  const [was, is] = [spansOf(earlier.map(({ present }) => present)), spansOf(newer.map(({ present }) => present))];
  forEachOverlap(was, is, (a, b) => {
    const cell = (was.owners[a] ?? 0) * columns + (is.owners[b] ?? 0);
    cells[cell] = (cells[cell] ?? 0) + sharedSeconds(was, a, is, b);
  });
  const lengths = (all: ReadonlyArray<Presence>) =>
    Float64Array.from(all, ({ present }) => microseconds(totalSeconds(present)));
  const [ofRows, ofColumns] = [lengths(earlier), lengths(newer)];
  // In place and without a function for each cell: there are millions.
  for (let row = 0, cell = 0; row < shared.rows; row += 1)
    for (let column = 0; column < columns; column += 1, cell += 1) {
      const seconds = cells[cell] ?? 0;
      if (seconds === 0) continue;
      const both = microseconds(seconds);
      cells[cell] = 2 * both >= Math.min(ofRows[row] ?? 0, ofColumns[column] ?? 0) ? both : 0;
    }
  return shared;
};

/** Rows and columns that are connected by cells above 0. */
interface Component {
  readonly rows: ReadonlyArray<number>;
  readonly columns: ReadonlyArray<number>;
}

/** The columns of each row that are above 0. */
const columnsByRow = ({ cells, rows, columns }: Matrix): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: rows }, (_, row) => {
    const found: number[] = [];
    for (let column = 0, cell = row * columns; column < columns; column += 1, cell += 1)
      if ((cells[cell] ?? 0) > 0) found.push(column);
    return found;
  });

/** Splits a table into its components: most ids share seconds with one or two others. */
const componentsOf = (table: Matrix): ReadonlyArray<Component> => {
  const byRow = columnsByRow(table);
  const byColumn = Array.from({ length: table.columns }, (): number[] => []);
  byRow.forEach((columns, row) => columns.forEach((column) => byColumn[column]?.push(row)));
  const [seenRows, seenColumns] = [new Uint8Array(table.rows), new Uint8Array(table.columns)];
  const components: Component[] = [];
  for (let first = 0; first < table.rows; first += 1) {
    if (seenRows[first] === 1) continue;
    seenRows[first] = 1;
    const rows = [first];
    const columns: number[] = [];
    for (let r = 0; r < rows.length; r += 1)
      for (const column of byRow[rows[r] ?? 0] ?? []) {
        if (seenColumns[column] === 1) continue;
        seenColumns[column] = 1;
        columns.push(column);
        for (const row of byColumn[column] ?? []) {
          if (seenRows[row] === 1) continue;
          seenRows[row] = 1;
          rows.push(row);
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
  const pairOf = (row: number, column: number): ReadonlyArray<Continuation<Id>> => {
    const [from, to] = [was[row]?.id, is[column]?.id];
    return from === undefined || to === undefined ? [] : [{ from, to, seconds: at(shared, row, column) / 1_000_000 }];
  };
  const continued = componentsOf(shared).flatMap(({ rows, columns }) => {
    const [onlyRow, otherRow] = rows;
    const [onlyColumn, otherColumn] = columns;
    if (onlyRow !== undefined && onlyColumn !== undefined && otherRow === undefined && otherColumn === undefined)
      return pairOf(onlyRow, onlyColumn);
    // Totals count first. A kept number counts less than one microsecond, however many are kept.
    const gains = tabulate(rows.length, columns.length, (r, c) => {
      const [row, column] = [rows[r] ?? 0, columns[c] ?? 0];
      const both = at(shared, row, column);
      return both === 0 ? 0 : both * kept + (was[row]?.id === is[column]?.id ? 1 : 0);
    });
    return bestLinks(gains).flatMap(({ row, column }) => pairOf(rows[row] ?? 0, columns[column] ?? 0));
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
