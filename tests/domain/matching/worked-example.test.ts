import { expect } from 'chai';
import { coPresenceOf, featuresOf, type PairFeatures } from '../../../domain/matching/pair-features.js';
import { matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { tabulate } from '../../../domain/matching/matrix.js';
import { type Timeline, timelineOf } from '../../../domain/matching/timeline.js';
import { face, spans, speaker } from './cases.js';

/**
 * A conversation of three in which each face is also shown while others speak. The model's coefficients were fitted to features
 * that were calculated like this: other features would need other coefficients.
 */
const speakers = [
  speaker(7, spans([0, 4], [10, 14], [22, 23])),
  speaker(8, spans([4.5, 9], [15, 19], [13.5, 14.5])),
  speaker(9, spans([19.5, 21.5], [30, 30.75])),
];
const tracks = [
  spans([0, 4.25], [10.5, 13], [16, 17.5]),
  spans([5, 9.5], [14.25, 16], [20, 21], [1, 2]),
  spans([19, 22], [23.5, 29], [12, 12.05]),
];
const talking = [
  [
    { start: 0, end: 3, score: 0.875 },
    { start: 16, end: 17, score: 0.125 },
  ],
  [{ start: 5, end: 9, score: 0.75 }],
  [],
];
const unscored = tracks.map((times, n) => face(n + 1, times));
const scored = tracks.map((times, n) => face(n + 1, times, { talking: talking[n] ?? [] }));

/* The results: recorded, not derived by hand. */

/** The features of each speaker with each face, in the order of `PairFeatures`, without talking scores. */
const featuresUnscored = [
  [9.1009, 9, 5.5625, 6.2647, 7.75, 2, 1, 0.3333, 0.1818, 0, 3, 8.25, 2.75],
  [0.144, 9, 0.25, 1, 9, 1, 3, 0, 0.7576, 0, 3, 8.25, 2.0625],
  [0.2729, 9, 0.0006, 0.05, 3.55, 0, 1, 0, 0.2339, 0, 3, 8.55, 2.85],
  [0.1099, 9.5, 0.5625, 1.5, 7, 1, 2, 0, 0.7879, 0, 3, 8.25, 2.75],
  [6.9437, 9.5, 3.8681, 4.4484, 8, 2, 2, 0.25, 0.2424, 0, 3, 8.25, 2.0625],
  [0.2729, 9.5, 0, 0, 5.5, 0, 1, 0, 0.2398, 0, 3, 8.55, 2.85],
  [0.1098, 2.75, 0, 0, 2.5, 0, 3, 0, 0.9697, 0, 3, 8.25, 2.75],
  [0.144, 2.75, 0.5, 1, 3.5, 1, 3, 0.25, 0.7576, 0, 3, 8.25, 2.0625],
  [3.6639, 2.75, 2, 1.3333, 3.5, 1, 0, 0.3333, 0.0058, 0, 3, 8.55, 2.85],
];

/** The same with talking scores. */
const featuresScored = [
  [5.9552, 9, 2.9686, 6.2647, 7.75, 2, 1, 0.3333, 0.1818, 1, 3, 0.5, 0.5],
  [0.2083, 9, 0.0706, 1, 9, 1, 3, 0, 0.7576, 1, 3, 0.5, 0.5],
  [0.2729, 9, 0.0006, 0.05, 3.55, 0, 1, 0, 0.2339, 0, 3, 8.55, 2.85],
  [0.1679, 9.5, 0.0496, 1.5, 7, 1, 2, 0, 0.7879, 1, 3, 0.5, 0.5],
  [4.8001, 9.5, 2.1724, 4.4484, 8, 2, 2, 0.25, 0.2424, 1, 3, 0.5, 0.5],
  [0.2729, 9.5, 0, 0, 5.5, 0, 1, 0, 0.2398, 0, 3, 8.55, 2.85],
  [0.1679, 2.75, 0, 0, 2.5, 0, 3, 0, 0.9697, 0, 3, 0.5, 0.5],
  [0.2083, 2.75, 0.1411, 1, 3.5, 1, 3, 0.25, 0.7576, 1, 3, 0.5, 0.5],
  [3.6642, 2.75, 2, 1.3333, 3.5, 1, 0, 0.3333, 0.0058, 0, 3, 8.55, 2.85],
];

interface Together {
  readonly together: number;
  readonly apart: number;
  readonly speaking: number;
  readonly visible: number;
}

/** A match by co-occurrence, with the second choice for the speaker. */
const matched = (
  face_id: number,
  speaker_id: number,
  second_choice: number,
  { together, apart, speaking, visible }: Together,
  accuracy: number,
  talking_agreement: number | null = null,
  runner_up = 0,
) => ({
  face_id,
  speaker_id,
  accuracy,
  channel: 'co_occurrence',
  evidence: {
    seconds_together: together,
    seconds_apart: apart,
    seconds_speaking: speaking,
    seconds_visible: visible,
    talking_agreement,
    time_offset: 0,
    runner_up: { face_id: second_choice, accuracy: runner_up },
  },
});

const first = { together: 6.5, apart: 2.5, speaking: 9, visible: 8.25 };
const second = { together: 5.25, apart: 4.25, speaking: 9.5, visible: 8.25 };
const third = { together: 2, apart: 0.75, speaking: 2.75, visible: 8.55 };

/** The result without talking scores. */
const matchedUnscored = {
  matches: [matched(1, 7, 2, first, 0.97), matched(2, 8, 1, second, 0.915), matched(3, 9, 2, third, 0.994)],
  unmatched_speakers: [],
  unmatched_faces: [],
};

/** The result with talking scores. */
const matchedScored = {
  matches: [
    matched(1, 7, 2, first, 0.995, 0.673, 0.001),
    matched(2, 8, 1, second, 0.995, 0.69),
    matched(3, 9, 2, third, 0.994, null, 0.001),
  ],
  unmatched_speakers: [],
  unmatched_faces: [],
};

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0;

describe('matching: features of a conversation', () => {
  const features = (faces: typeof unscored): readonly (readonly number[])[] => {
    const timeline: Timeline = timelineOf(speakers, faces);
    const of = featuresOf(
      timeline,
      coPresenceOf(timeline),
      tabulate(3, 3, () => 1),
    );
    /* Compare the arguments of the logarithms. */
    const amount = (logarithm: number) => Math.exp(logarithm) - 0.5;
    const row = (one: PairFeatures) => [
      Math.exp(one.creditOfFace),
      amount(one.speaking),
      amount(one.turnsSeen),
      amount(one.tracksHeard),
      amount(one.conversation),
      amount(one.tracksWithSpeaker),
      amount(one.tracksWithOthers),
      one.endTogether,
      one.othersHeard,
      one.seenToTalk,
      Math.exp(one.faces),
      amount(one.visible),
      amount(one.trackLength),
    ];
    return [0, 1, 2].flatMap((s) => [0, 1, 2].map((f) => row(of(s, f)).map(rounded)));
  };

  it('without talking scores', () => expect(features(unscored)).to.deep.equal(featuresUnscored));
  it('with talking scores', () => expect(features(scored)).to.deep.equal(featuresScored));
});

describe('matching: a conversation', () => {
  const result = (faces: typeof unscored) => matchSpeakersToFaces({ faces, speakers, target_speaker_ids: null });

  it('is matched without talking scores', () => expect(result(unscored)).to.deep.equal(matchedUnscored));
  it('is matched with talking scores', () => expect(result(scored)).to.deep.equal(matchedScored));
});
