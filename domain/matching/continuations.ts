import type { Continuation } from '../kernel/renumbering.js';
import { bestLinks } from './assignment.js';
import { type Intervals, type Spans, spansOf, totalSeconds } from './intervals.js';
import { at, type Matrix, zeros } from './matrix.js';

/** When the face is seen or the speaker heard: disjoint intervals in order. */
export interface Presence<Id extends number = number> {
  readonly id: Id;
  readonly present: Intervals;
}

/** Times are compared to the microsecond: then sums are exact, in whatever order. */
const microseconds = (seconds: number): number => Math.round(seconds * 1_000_000);
const inMicroseconds = ({ present: { starts, ends } }: Presence): Intervals => ({
  starts: starts.map(microseconds),
  ends: ends.map(microseconds),
});

/**
 * Adds the microseconds that each pair of owners shares. This is `forEachOverlap` without a call for each pair, of
 * which there may be hundreds of millions: the intervals that last lie side by side in memory, which halves the time.
 */
const addShared = ({ cells, columns }: Matrix, was: Spans, is: Spans): void => {
  const froms = new Float64Array(is.starts.length);
  const tos = new Float64Array(is.starts.length);
  const owners = new Uint32Array(is.starts.length);
  let count = 0;
  let next = 0;
  let firstEnd = Infinity;
  for (let a = 0; a < was.starts.length; a += 1) {
    const start = was.starts[a] ?? 0;
    const end = was.ends[a] ?? 0;
    const row = (was.owners[a] ?? 0) * columns;
    if (firstEnd <= start) {
      const before = count;
      count = 0;
      firstEnd = Infinity;
      for (let n = 0; n < before; n += 1) {
        const to = tos[n] ?? 0;
        if (to <= start) continue;
        froms[count] = froms[n] ?? 0;
        tos[count] = to;
        owners[count] = owners[n] ?? 0;
        count += 1;
        if (to < firstEnd) firstEnd = to;
      }
    }
    for (; next < is.starts.length && (is.starts[next] ?? 0) < end; next += 1) {
      const to = is.ends[next] ?? 0;
      if (to <= start) continue;
      froms[count] = is.starts[next] ?? 0;
      tos[count] = to;
      owners[count] = is.owners[next] ?? 0;
      count += 1;
      if (to < firstEnd) firstEnd = to;
    }
    // Some begin after this one's end: those share less than nothing.
    for (let n = 0; n < count; n += 1) {
      const both = Math.min(tos[n] ?? 0, end) - Math.max(froms[n] ?? 0, start);
      const cell = row + (owners[n] ?? 0);
      cells[cell] = (cells[cell] ?? 0) + Math.max(both, 0);
    }
  }
};

/** As many rows of a table as stay in the processor's cache while they are filled. */
const rowsAtOnce = 64;

const sharedBy = (was: ReadonlyArray<Intervals>, is: ReadonlyArray<Intervals>): Matrix => {
  const shared = zeros(was.length, is.length);
  const spans = spansOf(is);
  for (let row = 0; row < was.length; row += rowsAtOnce)
    addShared(shared, spansOf(was.slice(row, row + rowsAtOnce), row), spans);
  return shared;
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
  const [was, is] = [earlier.map(inMicroseconds), newer.map(inMicroseconds)];
  const [lengths, newLengths] = [was.map(totalSeconds), is.map(totalSeconds)];
  // Totals count first. A kept number counts less than one microsecond, however many are kept.
  const kept = Math.min(earlier.length, newer.length) + 1;
  const gains = sharedBy(was, is);
  const { cells, columns } = gains;
  // In place and without a call for each cell: there are millions.
  earlier.forEach(({ id }, row) => {
    const length = lengths[row] ?? 0;
    for (let column = 0, cell = row * columns; column < columns; column += 1, cell += 1) {
      const both = cells[cell] ?? 0;
      if (both === 0) continue;
      const isHalf = 2 * both >= Math.min(length, newLengths[column] ?? 0);
      cells[cell] = isHalf ? both * kept + (id === newer[column]?.id ? 1 : 0) : 0;
    }
  });
  const continued = bestLinks(gains).flatMap(({ row, column }): ReadonlyArray<Continuation<Id>> => {
    const [from, to] = [earlier[row]?.id, newer[column]?.id];
    const seconds = Math.floor(at(gains, row, column) / kept) / 1_000_000;
    return from === undefined || to === undefined ? [] : [{ from, to, seconds }];
  });
  const [goesOn, isTaken] = [new Set(continued.map(({ from }) => from)), new Set(continued.map(({ to }) => to))];
  const earlierLengths = new Map(earlier.map(({ id }, n) => [id, lengths[n] ?? 0]));
  const underOwnNumber = newer.flatMap(({ id }, n): ReadonlyArray<Continuation<Id>> => {
    const length = earlierLengths.get(id);
    const isSilent = length === 0 || newLengths[n] === 0;
    return length !== undefined && isSilent && !goesOn.has(id) && !isTaken.has(id)
      ? [{ from: id, to: id, seconds: 0 }]
      : [];
  });
  return [...continued, ...underOwnNumber].sort((one, other) => one.to - other.to);
};
