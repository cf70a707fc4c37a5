import type { Interval } from '../kernel/interval.js';

/** A stretch of media time of a face or of a speaker, by index. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly owner: number;
}

export const byStart = (a: Interval, b: Interval): number => a.start - b.start || a.end - b.end;

/** The same stretches of time in order and disjoint; those without length, or without finite times, are dropped. */
export const merged = (intervals: readonly Interval[]): readonly Interval[] => {
  const out: { start: number; end: number }[] = [];
  for (const { start, end } of intervals
    .filter((i) => i.end - i.start > 0 && i.end - i.start < Infinity)
    .sort(byStart)) {
    const last = out.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else out.push({ start, end });
  }
  return out;
};

/** Every moment at most `seconds` away from one of the intervals. */
export const widened = (intervals: readonly Interval[], seconds: number): readonly Interval[] =>
  merged(intervals.map(({ start, end }) => ({ start: start - seconds, end: end + seconds })));

export const length = ({ start, end }: Interval): number => end - start;

export const totalSeconds = (disjoint: readonly Interval[]): number =>
  disjoint.reduce((sum, interval) => sum + length(interval), 0);

/** The intervals as spans of one owner. */
export const ownedBy = (owner: number, intervals: readonly Interval[]): readonly Span[] =>
  intervals.map(({ start, end }) => ({ start, end, owner }));
