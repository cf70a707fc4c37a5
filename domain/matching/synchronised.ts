import type { Interval } from '../kernel/interval.js';
import { type CoOccurrence, coOccurrence } from './co-occurrence.js';
import type { Model } from './likelihood.js';
import { type Matrix, at } from './matrix.js';
import type { TalkingScore } from './presence.js';
import { later, forEachOverlap } from './stretches.js';
import { type Timeline, timelineOf } from './timeline.js';

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

interface Seen {
  readonly tracks: readonly Interval[];
  readonly talking: readonly TalkingScore[];
}

export interface Synchronised {
  /** With the sound moved to the picture. */
  readonly timeline: Timeline;
  readonly found: CoOccurrence;
  /** By how many seconds the picture came late. */
  readonly offset: number;
}

/** The timeline with the sound moved to a late picture: to what they share it is the same as moving the picture. */
const withLaterSound = (timeline: Timeline, seconds: number): Timeline => ({
  ...timeline,
  heard: timeline.heard.map((turns) => later(turns, seconds)),
  turns: { ...timeline.turns, ...later(timeline.turns, seconds) },
});

/** Who belongs together, once the sound is moved to where it fits the picture best. `possible` is 1 or 0 per pair. */
export const coOccurrenceInSync = (
  speakers: readonly { readonly turns: readonly Interval[] }[],
  faces: readonly Seen[],
  possible: Matrix,
  model: Model,
): Synchronised => {
  const asGiven = timelineOf(speakers, faces);
  const first = coOccurrence(asGiven, possible, model);
  const offset = timeOffset(asGiven, first);
  if (offset === 0) return { timeline: asGiven, found: first, offset };
  const timeline = withLaterSound(asGiven, offset);
  return { timeline, found: coOccurrence(timeline, possible, model), offset };
};
