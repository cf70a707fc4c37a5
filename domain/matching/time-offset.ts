import type { CoOccurrence } from './co-occurrence.js';
import { at } from './matrix.js';
import { forEachOverlap } from './overlap.js';
import type { Timeline } from './timeline.js';

/** Beyond half a second, in tenths, it is not the same recording. */
const farthest = 5;
const offsets = Array.from({ length: 2 * farthest + 1 }, (_, n) => (n - farthest) / 10);

/**
 * What an offset of one second must gain, in seconds together; half a second a fourth of it. Editors cut beside the
 * changes of speakers, not at them, so that small gains are chance.
 */
const price = 10;

/** Of offsets that gain the same, the smaller one. */
const best = (gains: Float64Array): number => {
  const netGain = (n: number): number => (gains[n] ?? 0) - price * (offsets[n] ?? 0) ** 2;
  const smallestFirst = offsets.map((_, n) => n).sort((a, b) => Math.abs(a - farthest) - Math.abs(b - farthest));
  const chosen = smallestFirst.reduce((one, other) => (netGain(other) > netGain(one) + 1e-9 ? other : one));
  return offsets[chosen] ?? 0;
};

/**
 * By how many seconds, from -0.5 to 0.5 in tenths, the picture comes late against the sound: the offset at which the
 * linked pairs are together (and seen talking) the longest, each weighted by its accuracy.
 */
export const timeOffset = ({ heard, presences }: Timeline, { links, accuracies }: CoOccurrence): number => {
  const reach = farthest / 10;
  const gains = new Float64Array(offsets.length);
  for (const { row, column } of links) {
    const [turns, presence] = [heard[row], presences[column]];
    if (turns === undefined || presence === undefined) continue;
    const { visible, weigh } = presence;
    const accuracy = at(accuracies, row, column);
    const wide = { starts: visible.starts.map((start) => start - reach), ends: visible.ends.map((end) => end + reach) };
    forEachOverlap(turns, wide, (turn, track) =>
      offsets.forEach((offset, n) => {
        const start = Math.max((turns.starts[turn] ?? 0) + offset, visible.starts[track] ?? 0);
        const end = Math.min((turns.ends[turn] ?? 0) + offset, visible.ends[track] ?? 0);
        if (end > start) gains[n] = (gains[n] ?? 0) + accuracy * weigh(start, end);
      }),
    );
  }
  return best(gains);
};
