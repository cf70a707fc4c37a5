import type { Continuation } from '../kernel/renumbering.js';
import { bestLinks } from './assignment.js';
import { at, type Matrix, tabulate, zeros } from './matrix.js';
import { type Spans, spansOf } from './spans.js';
import { type Stretches, totalSeconds } from './stretches.js';

/** When the face is seen or the speaker heard: disjoint intervals in order. */
export interface Presence<Id extends number = number> {
  readonly id: Id;
  readonly present: Stretches;
}

/** Ids that are present in the very same microseconds: they are compared like one. */
interface Group<Id extends number> {
  readonly ids: Id[];
  readonly present: Stretches;
  readonly length: number;
}

/** Times are compared to the microsecond: then sums are exact, in whatever order. */
const microseconds = (seconds: number): number => Math.round(seconds * 1_000_000);
const inMicroseconds = ({ starts, ends }: Stretches): Stretches => ({
  starts: starts.map(microseconds),
  ends: ends.map(microseconds),
});

const isSame = (one: Stretches, other: Stretches): boolean =>
  one.starts.length === other.starts.length &&
  one.starts.every((start, n) => start === other.starts[n] && one.ends[n] === other.ends[n]);

/** Groups the ids; those that are never present are left out. */
const groupsOf = <Id extends number>(all: ReadonlyArray<Presence<Id>>): ReadonlyArray<Group<Id>> => {
  const byLength = new Map<number, Group<Id>[]>();
  for (const { id, present: seconds } of all) {
    const present = inMicroseconds(seconds);
    const length = totalSeconds(present);
    if (length === 0) continue;
    const alike = byLength.get(length) ?? [];
    const group = alike.find((one) => isSame(one.present, present));
    if (group === undefined) alike.push({ ids: [id], present, length });
    else group.ids.push(id);
    byLength.set(length, alike);
  }
  return [...byLength.values()].flat();
};

/**
 * Adds the microseconds that intervals share to the cells of their owners; rows begin at `firstRow`. This is
 * `forEachOverlap` without a call for each pair, of which there are up to hundreds of millions. The intervals that last
 * are copied, so that they lie side by side in memory: that halves the time.
 */
const addShared = ({ cells, columns }: Matrix, firstRow: number, was: Spans, { starts, ends, owners }: Spans): void => {
  const froms = new Float64Array(starts.length);
  const tos = new Float64Array(starts.length);
  const columnsOf = new Int32Array(starts.length);
  let count = 0;
  let next = 0;
  let firstEnd = Infinity;
  for (let a = 0; a < was.starts.length; a += 1) {
    const start = was.starts[a] ?? 0;
    const end = was.ends[a] ?? 0;
    const row = (firstRow + (was.owners[a] ?? 0)) * columns;
    if (firstEnd <= start) {
      const before = count;
      count = 0;
      firstEnd = Infinity;
      for (let n = 0; n < before; n += 1) {
        const to = tos[n] ?? 0;
        if (to <= start) continue;
        froms[count] = froms[n] ?? 0;
        tos[count] = to;
        columnsOf[count] = columnsOf[n] ?? 0;
        count += 1;
        if (to < firstEnd) firstEnd = to;
      }
    }
    for (; next < starts.length && (starts[next] ?? 0) < end; next += 1) {
      const to = ends[next] ?? 0;
      if (to <= start) continue;
      froms[count] = starts[next] ?? 0;
      tos[count] = to;
      columnsOf[count] = owners[next] ?? 0;
      count += 1;
      if (to < firstEnd) firstEnd = to;
    }
    // Some begin after this one's end: those share less than nothing.
    for (let n = 0; n < count; n += 1) {
      const both = Math.min(tos[n] ?? 0, end) - Math.max(froms[n] ?? 0, start);
      const cell = row + (columnsOf[n] ?? 0);
      cells[cell] = (cells[cell] ?? 0) + Math.max(both, 0);
    }
  }
};

/** As many rows of a table as stay in the processor's cache while they are filled. */
const rowsAtOnce = 64;

/** The microseconds that each pair shares, 0 for pairs that share less than half of the shorter one's. */
const sharedByHalf = (earlier: ReadonlyArray<Group<number>>, newer: ReadonlyArray<Group<number>>): Matrix => {
  const shared = zeros(earlier.length, newer.length);
  const { cells, columns } = shared;
  const is = spansOf(newer.map(({ present }) => present));
  for (let row = 0; row < earlier.length; row += rowsAtOnce)
    addShared(shared, row, spansOf(earlier.slice(row, row + rowsAtOnce).map(({ present }) => present)), is);
  const lengths = Float64Array.from(newer, ({ length }) => length);
  // In place and without a call for each cell: there are millions.
  earlier.forEach(({ length }, row) => {
    for (let column = 0, cell = row * columns; column < columns; column += 1, cell += 1)
      if (2 * (cells[cell] ?? 0) < Math.min(length, lengths[column] ?? 0)) cells[cell] = 0;
  });
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

const idsOf = <Id extends number>(groups: ReadonlyArray<Group<Id>>): ReadonlySet<Id> =>
  new Set(groups.flatMap(({ ids }) => ids));

/** The ids of some groups, in order. */
const membersOf = <Id extends number>(groups: ReadonlyArray<Group<Id>>, of: ReadonlyArray<number>) =>
  of
    .flatMap((group) => (groups[group]?.ids ?? []).map((id) => ({ id, group })))
    .sort((one, other) => one.id - other.id);

/**
 * Which id of the newer analysis continues which earlier id, one to one: of all pairs that share at least half of the
 * shorter one's seconds, those with the largest total; of equal totals the one that keeps most numbers. An id without
 * seconds on one of the two sides continues under its own number, unless that number continues another.
 */
export const continuations = <Id extends number>(
  earlier: ReadonlyArray<Presence<Id>>,
  newer: ReadonlyArray<Presence<Id>>,
): ReadonlyArray<Continuation<Id>> => {
  const [was, is] = [groupsOf(earlier), groupsOf(newer)];
  const shared = sharedByHalf(was, is);
  const kept = Math.min(earlier.length, newer.length) + 1;
  const continued = componentsOf(shared).flatMap(({ rows, columns }) => {
    const [froms, tos] = [membersOf(was, rows), membersOf(is, columns)];
    const both = (r: number, c: number) => at(shared, froms[r]?.group ?? 0, tos[c]?.group ?? 0);
    // Totals count first. A kept number counts less than one microsecond, however many are kept.
    const gains = tabulate(froms.length, tos.length, (r, c) => {
      const shares = both(r, c);
      return shares === 0 ? 0 : shares * kept + (froms[r]?.id === tos[c]?.id ? 1 : 0);
    });
    return bestLinks(gains).flatMap(({ row, column }): ReadonlyArray<Continuation<Id>> => {
      const [from, to] = [froms[row]?.id, tos[column]?.id];
      return from === undefined || to === undefined ? [] : [{ from, to, seconds: both(row, column) / 1_000_000 }];
    });
  });
  const [goesOn, isTaken] = [new Set(continued.map(({ from }) => from)), new Set(continued.map(({ to }) => to))];
  const [timed, isTimed] = [idsOf(was), idsOf(is)];
  const earlierIds = new Set(earlier.map(({ id }) => id));
  const underOwnNumber = newer.flatMap(({ id }): ReadonlyArray<Continuation<Id>> =>
    earlierIds.has(id) && !goesOn.has(id) && !isTaken.has(id) && !(timed.has(id) && isTimed.has(id))
      ? [{ from: id, to: id, seconds: 0 }]
      : [],
  );
  return [...continued, ...underOwnNumber].sort((one, other) => one.to - other.to);
};
