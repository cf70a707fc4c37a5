import type { Interval } from '../kernel/interval.js';
import { type Presence, presenceOf, scoringOf, type TalkingScore } from './presence.js';
import { byStart, merged, ownedBy, type Span, totalSeconds } from './spans.js';

/** Who speaks and who is seen when, by index, with every list in order of time. */
export interface Timeline {
  readonly turns: readonly Span[];
  readonly tracks: readonly Span[];
  readonly presences: readonly Presence[];
  /** Seconds that each speaker speaks. */
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
  const scoring = scoringOf(faces);
  const turns = speakers.map((speaker) => merged(speaker.turns));
  const presences = faces.map((face) => presenceOf(face.tracks, face.talking, scoring));
  return {
    turns: turns.flatMap((intervals, speaker) => ownedBy(speaker, intervals)).sort(byStart),
    tracks: presences.flatMap(({ visible }, face) => ownedBy(face, visible)).sort(byStart),
    presences,
    speaking: turns.map(totalSeconds),
  };
};
