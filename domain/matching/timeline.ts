import type { Interval } from '../kernel/interval.js';
import {
  columnsOf,
  type Intervals,
  shifted,
  merged,
  runningTotal,
  type Spans,
  spansOf,
  totalSeconds,
} from './intervals.js';

/** Who talks, by how an active-speaker detector sees a face: 0 to 1. */
export interface TalkingScore extends Interval {
  readonly score: number;
}

/** When a face is visible. */
interface FacePresence {
  readonly visible: Intervals;
  /** Whether there are talking scores for this face. */
  readonly scored: boolean;
  /** Seconds of a visible interval, weighted by how likely the person is talking. */
  readonly weigh: (start: number, end: number) => number;
}

/**
 * Weight of a visible second with score 0: detectors miss speech, so it is evidence of silence, not proof. A power of
 * two, so that sums are exact.
 */
const silentWeight = 1 / 16;
const unknownScore = 0.5;

/** Weight of a visible second: from 1/16 at score 0 to 1 at score 1. */
const weightOf = (score: number): number => silentWeight + (1 - silentWeight) * score;

/** The inverse of `weightOf`. */
export const scoreOf = (weight: number): number => (weight - silentWeight) / (1 - silentWeight);

/** Where scores overlap, the one that began first counts. */
const weighing = (talking: readonly TalkingScore[]): FacePresence['weigh'] => {
  const rest = weightOf(unknownScore);
  const scores = talking.toSorted((a, b) => a.start - b.start || a.end - b.end || a.score - b.score);
  const { starts, ends } = columnsOf(scores);
  starts.forEach((start, n) => {
    starts[n] = Math.max(start, ends[n - 1] ?? start);
    ends[n] = Math.max(ends[n] ?? 0, starts[n] ?? 0);
  });
  const beyondRest = runningTotal({ starts, ends }, (n) => weightOf(scores[n]?.score ?? 0) - rest);
  return (start, end) => rest * (end - start) + beyondRest(end) - beyondRest(start);
};

/**
 * The presence of one face. What has no talking score is unknown, not silent: a visible second without one counts as
 * half talking, and a face without any as in a medium without scores.
 */
export const presenceOf = ({ tracks, talking }: Seen): FacePresence => {
  const scored = talking.length > 0;
  return { visible: merged(tracks), scored, weigh: scored ? weighing(talking) : (start, end) => end - start };
};

/** When each speaker speaks and each face is visible, by index, in chronological order. */
export interface Timeline {
  readonly turns: Spans;
  readonly tracks: Spans;
  /** The turns of each speaker. */
  readonly heard: readonly Intervals[];
  readonly presences: readonly FacePresence[];
  /** Total seconds of speech of each speaker. */
  readonly speaking: readonly number[];
}

interface Seen {
  readonly tracks: readonly Interval[];
  readonly talking: readonly TalkingScore[];
}

interface Heard {
  readonly turns: readonly Interval[];
}

export const timelineOf = (speakers: readonly Heard[], faces: readonly Seen[]): Timeline => {
  const heard = speakers.map(({ turns }) => merged(turns));
  const presences = faces.map(presenceOf);
  return {
    turns: spansOf(heard),
    tracks: spansOf(presences.map(({ visible }) => visible)),
    heard,
    presences,
    speaking: heard.map(totalSeconds),
  };
};

/** Delays the sound, which has the same effect on overlaps as moving the picture forward. */
export const withLaterSound = (timeline: Timeline, seconds: number): Timeline => ({
  ...timeline,
  heard: timeline.heard.map((turns) => shifted(turns, seconds)),
  turns: { ...timeline.turns, ...shifted(timeline.turns, seconds) },
});
