import type { Interval } from '../kernel/interval.js';
import { type CoOccurrence, coOccurrence } from './co-occurrence.js';
import type { Model } from './likelihood.js';
import type { Matrix } from './matrix.js';
import type { TalkingScore } from './presence.js';
import { later } from './stretches.js';
import { timeOffset } from './time-offset.js';
import { type Timeline, timelineOf } from './timeline.js';

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
