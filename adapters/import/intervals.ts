import type { Interval, TalkingScore } from './format.js';
import { toMicrosecond } from './times.js';

/** Sorts by start, then by end. */
export const byTime = (a: Interval, b: Interval): number => a.start - b.start || a.end - b.end;

/** Summed length in seconds. */
export const totalSeconds = (intervals: Iterable<Interval>): number => {
  let sum = 0;
  for (const { start, end } of intervals) sum += end - start;
  return toMicrosecond(sum);
};

/** The union of intervals in ascending order; those that are at most `gap` seconds apart become one. */
const union = (intervals: ReadonlyArray<Interval>, gap = 0): ReadonlyArray<Interval> => {
  const merged: Interval[] = [];
  for (const { start, end } of intervals.toSorted(byTime)) {
    const last = merged.at(-1);
    if (last === undefined || start - last.end > gap) merged.push({ start, end });
    else if (end > last.end) merged[merged.length - 1] = { start: last.start, end };
  }
  return merged;
};

/** The time in the first list that is not in the second, all of which is in the first. */
const difference = (whole: ReadonlyArray<Interval>, taken: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const rest: Interval[] = [];
  const cuts = union(taken).values();
  let cut = cuts.next().value;
  for (const { start, end } of union(whole)) {
    let begin = start;
    for (; cut !== undefined && cut.start < end; cut = cuts.next().value) {
      if (cut.start > begin) rest.push({ start: begin, end: cut.start });
      begin = cut.end;
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

/** Collects points in time, in any order, as intervals. */
export class Sightings {
  readonly #spans: { readonly start: number; end: number }[] = [];
  readonly #gap: number;

  /** @param joinSeconds two points at most this far apart, with nothing between them, belong to one interval. */
  constructor(joinSeconds: number) {
    this.#gap = joinSeconds + 1e-6;
  }

  /** Points usually come in order: then only the intervals are kept, however many points there are. */
  add(at: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && at >= last.start && at - last.end <= this.#gap) last.end = Math.max(last.end, at);
    else this.#spans.push({ start: at, end: at });
  }

  /** The intervals in ascending order, extended by these seconds, limited to 0 and later. */
  intervals(before: number, after: number): ReadonlyArray<Interval> {
    return union(this.#spans, this.#gap).map(({ start, end }) => ({
      start: Math.max(0, toMicrosecond(start - before)),
      end: toMicrosecond(end + after),
    }));
  }

  /** The number of intervals that consist of one point. */
  singles(): number {
    return union(this.#spans, this.#gap).filter(({ start, end }) => start === end).length;
  }
}
