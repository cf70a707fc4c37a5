import type { Interval } from '../kernel/interval.js';
import { type CoOccurrence, coOccurrence } from './co-occurrence.js';
import type { Model } from './likelihood.js';
import { type Matrix, at } from './matrix.js';
import type { TalkingScore } from './presence.js';
import { later, forEachOverlap } from './stretches.js';
import { type Timeline, timelineOf } from './timeline.js';

/** Largest offset in tenths of a second; a larger one means different recordings. */
const farthest = 5;
const offsets = Array.from({ length: 2 * farthest + 1 }, (_, n) => (n - farthest) / 10);

/**
 * Penalty of an offset, in seconds together per squared second: small gains are chance, because editors do not cut
 * exactly at changes of speakers.
 */
const price = 10;

/** The offset with the best net gain; the smaller one if equal. */
const best = (gains: Float64Array): number => {
  const netGain = (n: number): number => (gains[n] ?? 0) - price * (offsets[n] ?? 0) ** 2;
  const smallestFirst = offsets.map((_, n) => n).sort((a, b) => Math.abs(a - farthest) - Math.abs(b - farthest));
  const chosen = smallestFirst.reduce((one, other) => (netGain(other) > netGain(one) + 1e-9 ? other : one));
  return offsets[chosen] ?? 0;
};

/**
 * The delay of the picture against the sound, from -0.5 to 0.5 seconds in tenths: the offset at which linked pairs are
 * together (and visibly talking) the longest, weighted by accuracy.
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
  /** With the sound aligned to the picture. */
  readonly timeline: Timeline;
  readonly found: CoOccurrence;
  /** The delay of the picture in seconds. */
  readonly offset: number;
}

/** Delays the sound, which has the same effect on overlaps as moving the picture forward. */
const withLaterSound = (timeline: Timeline, seconds: number): Timeline => ({
  ...timeline,
  heard: timeline.heard.map((turns) => later(turns, seconds)),
  turns: { ...timeline.turns, ...later(timeline.turns, seconds) },
});

/** Matches speakers and faces after aligning the sound to the picture. `possible` is 1 or 0 per pair. */
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
