import type { CoOccurrence } from './co-occurrence.js';
import { at } from './matrix.js';
import { forEachOverlap } from './overlap.js';
import type { Presence } from './presence.js';
import type { Span } from './spans.js';
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

const neverSeen: Pick<Presence, 'visible' | 'weigh'> = { visible: [], weigh: () => 0 };

/**
 * By how many seconds, from -0.5 to 0.5 in tenths, the picture comes late against the sound: the offset at which the
 * linked pairs are together (and seen talking) the longest, each weighted by its accuracy.
 */
export const timeOffset = ({ turns, presences }: Timeline, { links, accuracies }: CoOccurrence): number => {
  const reach = farthest / 10;
  const gains = new Float64Array(offsets.length);
  const turnsOf = new Map(links.map(({ row }) => [row, new Array<Span>()]));
  for (const turn of turns) turnsOf.get(turn.owner)?.push(turn);
  for (const { row, column } of links) {
    const { visible, weigh } = presences[column] ?? neverSeen;
    const accuracy = at(accuracies, row, column);
    const wide = visible.map(({ start, end }) => ({ start: start - reach, end: end + reach }));
    forEachOverlap(turnsOf.get(row) ?? [], wide, (turn, track) =>
      offsets.forEach((offset, n) => {
        const start = Math.max(turn.start + offset, track.start + reach);
        const end = Math.min(turn.end + offset, track.end - reach);
        if (end > start) gains[n] = (gains[n] ?? 0) + accuracy * weigh(start, end);
      }),
    );
  }
  return best(gains);
};
