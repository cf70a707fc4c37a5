import type { Continuation } from '../kernel/renumbering.js';
import { bestLinks } from './assignment.js';
import { type Intervals, type Spans, spansOf, sweep, totalSeconds } from './intervals.js';
import { at, type Matrix, tabulate, zeros } from './matrix.js';

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

/** The microseconds that each pair of owners shares. Without a call for each overlap: there are hundreds of millions. */
const sharedBy = (rows: number, columns: number, was: Spans, is: Spans): Matrix => {
  const shared = zeros(rows, columns);
  const { cells } = shared;
  sweep(was, is, (a, overlapping, count) => {
    const [start, end, row] = [was.starts[a] ?? 0, was.ends[a] ?? 0, (was.owners[a] ?? 0) * columns];
    for (let n = 0; n < count; n += 1) {
      const b = overlapping[n] ?? 0;
      const cell = row + (is.owners[b] ?? 0);
      cells[cell] = (cells[cell] ?? 0) + Math.min(is.ends[b] ?? 0, end) - Math.max(is.starts[b] ?? 0, start);
    }
  });
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
  const shared = sharedBy(earlier.length, newer.length, spansOf(was), spansOf(is));
  // Totals count first. A kept number counts less than one microsecond, however many are kept.
  const kept = Math.min(earlier.length, newer.length) + 1;
  const gains = tabulate(earlier.length, newer.length, (row, column) => {
    const both = at(shared, row, column);
    if (both === 0 || 2 * both < Math.min(lengths[row] ?? 0, newLengths[column] ?? 0)) return 0;
    return both * kept + (earlier[row]?.id === newer[column]?.id ? 1 : 0);
  });
  const continued = bestLinks(gains).flatMap(({ row, column }): ReadonlyArray<Continuation<Id>> => {
    const [from, to] = [earlier[row]?.id, newer[column]?.id];
    return from === undefined || to === undefined ? [] : [{ from, to, seconds: at(shared, row, column) / 1_000_000 }];
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
