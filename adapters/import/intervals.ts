import type { Interval, TalkingInterval } from './imported.js';
import { toMicrosecond } from './fields.js';

/** Sorts by start, then by end. */
export const byTime = (a: Interval, b: Interval): number => a.start - b.start || a.end - b.end;

/** Summed length in seconds. */
export const totalSeconds = (intervals: Iterable<Interval>): number => {
  let sum = 0;
  for (const { start, end } of intervals) sum += end - start;
  return toMicrosecond(sum);
};

/** The union of intervals, without overlaps and in ascending order. */
const union = (intervals: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const merged: Interval[] = [];
  for (const interval of intervals.toSorted(byTime)) {
    const last = merged.at(-1);
    if (last === undefined || interval.start > last.end) merged.push(interval);
    else if (interval.end > last.end) merged[merged.length - 1] = { start: last.start, end: interval.end };
  }
  return merged;
};

/** The time in the first list that is not in the second. */
const difference = (from: ReadonlyArray<Interval>, accepted: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const rest: Interval[] = [];
  const cuts = union(accepted);
  let next = 0;
  for (const { start, end } of union(from)) {
    let begin = start;
    while ((cuts[next]?.end ?? Infinity) <= start) next += 1;
    for (let at = next; (cuts[at]?.start ?? Infinity) < end; at += 1) {
      const cut = cuts[at];
      if (cut === undefined) break;
      if (cut.start > begin) rest.push({ start: begin, end: cut.start });
      begin = Math.max(begin, cut.end);
    }
    if (begin < end) rest.push({ start: begin, end });
  }
  return rest;
};

/** Score 1 while the face is heard, score 0 during the rest of its visible time. */
export const talkingScores = (
  visible: ReadonlyArray<Interval>,
  audible: ReadonlyArray<Interval>,
): ReadonlyArray<TalkingInterval> =>
  [
    ...audible.map(({ start, end }) => ({ start, end, score: 1 })),
    ...difference(visible, audible).map(({ start, end }) => ({ start, end, score: 0 })),
  ].sort(byTime);
