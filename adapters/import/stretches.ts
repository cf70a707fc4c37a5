import type { Stretch, TalkingStretch } from './imported.js';
import { toMicrosecond } from './fields.js';

/** Earlier start first, then earlier end. */
export const byTime = (a: Stretch, b: Stretch): number => a.start - b.start || a.end - b.end;

/** Summed length in seconds. */
export const totalSeconds = (stretches: Iterable<Stretch>): number => {
  let sum = 0;
  for (const { start, end } of stretches) sum += end - start;
  return toMicrosecond(sum);
};

/** The same time without overlaps, in ascending order. */
const union = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const merged: Stretch[] = [];
  for (const stretch of stretches.toSorted(byTime)) {
    const last = merged.at(-1);
    if (last === undefined || stretch.start > last.end) merged.push(stretch);
    else if (stretch.end > last.end) merged[merged.length - 1] = { start: last.start, end: stretch.end };
  }
  return merged;
};

/** The time of the first that is not in the second. */
const difference = (from: ReadonlyArray<Stretch>, taken: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const rest: Stretch[] = [];
  const cuts = union(taken);
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

/** Score 1 where the face is heard, score 0 in the rest of the time in which it is visible. */
export const scored = (
  visible: ReadonlyArray<Stretch>,
  audible: ReadonlyArray<Stretch>,
): ReadonlyArray<TalkingStretch> =>
  [
    ...audible.map(({ start, end }) => ({ start, end, score: 1 })),
    ...difference(visible, audible).map(({ start, end }) => ({ start, end, score: 0 })),
  ].sort(byTime);
