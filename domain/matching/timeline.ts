import type { Interval } from '../kernel/interval.js';
import { type Presence, presenceOf, type TalkingScore } from './presence.js';
import { type Spans, spansOf } from './spans.js';
import { merged, type Stretches, totalSeconds } from './stretches.js';

/** When each speaker speaks and each face is visible, by index, in chronological order. */
export interface Timeline {
  readonly turns: Spans;
  readonly tracks: Spans;
  /** The turns of each speaker. */
  readonly heard: readonly Stretches[];
  readonly presences: readonly Presence[];
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
  const presences = faces.map((face) => presenceOf(face.tracks, face.talking));
  return {
    turns: spansOf(heard),
    tracks: spansOf(presences.map(({ visible }) => visible)),
    heard,
    presences,
    speaking: heard.map(totalSeconds),
  };
};
