/* Results for the conversation in `worked-example.test.ts`: recorded, not derived by hand. */

/** Seconds of each speaker that each face accounts for. */
export const credit = [
  [4.0518, 0, 0],
  [0.0002, 2.9724, 0],
  [0, 0.0001, 1.332],
];

/** The same when the first speaker cannot be the first face. */
export const creditWithoutOnePair = [
  [0, 0.2776, 0],
  [0.0385, 2.9635, 0],
  [0, 0.0001, 1.332],
];

/** The features of each speaker with each face, in the order of `PairFeatures`, without talking scores. */
export const featuresUnscored = [
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
export const featuresScored = [
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
export const matchedUnscored = {
  matches: [matched(1, 7, 2, first, 0.97), matched(2, 8, 1, second, 0.915), matched(3, 9, 2, third, 0.994)],
  unmatched_speakers: [],
  unmatched_faces: [],
};

/** The result with talking scores. */
export const matchedScored = {
  matches: [
    matched(1, 7, 2, first, 0.995, 0.673, 0.001),
    matched(2, 8, 1, second, 0.995, 0.69),
    matched(3, 9, 2, third, 0.994, null, 0.001),
  ],
  unmatched_speakers: [],
  unmatched_faces: [],
};
