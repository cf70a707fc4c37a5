import type { Interval, TalkingScore } from './format.js';
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
): ReadonlyArray<TalkingScore> =>
  [
    ...audible.map(({ start, end }) => ({ start, end, score: 1 })),
    ...difference(visible, audible).map(({ start, end }) => ({ start, end, score: 0 })),
  ].sort(byTime);

/** Collects points in time as intervals. The order in which points are added does not matter. */
export class Sightings {
  /** First and last point of each interval, in ascending order. */
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  readonly #joined: number;

  /** @param joinSeconds two points at most this far apart, with nothing between them, belong to one interval. */
  constructor(joinSeconds: number) {
    this.#joined = joinSeconds + 1e-6;
  }

  add(at: number): void {
    const after = this.#countStartingUpTo(at);
    const joinsLeft = after > 0 && at - (this.#lasts[after - 1] ?? 0) <= this.#joined;
    const joinsRight = after < this.#firsts.length && (this.#firsts[after] ?? 0) - at <= this.#joined;
    if (joinsLeft && joinsRight) {
      this.#firsts.splice(after, 1);
      this.#lasts.splice(after - 1, 1);
    } else if (joinsLeft) {
      this.#lasts[after - 1] = Math.max(this.#lasts[after - 1] ?? at, at);
    } else if (joinsRight) {
      this.#firsts[after] = at;
    } else {
      this.#firsts.splice(after, 0, at);
      this.#lasts.splice(after, 0, at);
    }
  }

  /** The intervals in ascending order, extended by these seconds, limited to 0 and later. */
  intervals(before: number, after: number): ReadonlyArray<Interval> {
    return this.#firsts.map((first, index) => ({
      start: Math.max(0, toMicrosecond(first - before)),
      end: toMicrosecond((this.#lasts[index] ?? first) + after),
    }));
  }

  /** The number of intervals that consist of one point. */
  singles(): number {
    return this.#firsts.filter((first, index) => first === this.#lasts[index]).length;
  }

  #countStartingUpTo(at: number): number {
    const { length } = this.#firsts;
    if (length === 0 || (this.#firsts[length - 1] ?? 0) <= at) return length;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#firsts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
