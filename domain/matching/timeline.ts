import type { Interval } from '../kernel/interval.js';
import { presenceOf, type Presence, reportsSilence, type TalkingScore } from './presence.js';
import { byStart, merged, ownedBy, type Span, totalSeconds } from './spans.js';

/** Who speaks and who is seen when, by index, with every list in order of time. */
export interface Timeline {
  readonly turns: readonly Span[];
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

const scoringOf = (faces: readonly Seen[]): 'none' | 'talking' | 'both' => {
  if (faces.every(({ talking }) => talking.length === 0)) return 'none';
  return faces.some(({ talking }) => reportsSilence(talking)) ? 'both' : 'talking';
};

export const timelineOf = (speakers: readonly Heard[], faces: readonly Seen[]): Timeline => {
  const scoring = scoringOf(faces);
  const turns = speakers.map((speaker) => merged(speaker.turns));
  return {
    turns: turns.flatMap((intervals, index) => ownedBy(index, intervals)).sort(byStart),
    presences: faces.map((face, index) => presenceOf(index, face.tracks, face.talking, scoring)),
    speaking: turns.map(totalSeconds),
  };
};
