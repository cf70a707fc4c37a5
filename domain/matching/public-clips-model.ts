import type { Model } from './likelihood.js';

/**
 * Fitted on public clips with known answers (AVA-AVD train and ASW dev; with talking scores: of 20 and 40 % misses) by
 * `tests/benchmarks/matching-fit.ts`, which prints these numbers, how well they do on films that they were not fitted
 * on, and how little the accepted accuracy matters: from 0.35 to 0.6 the F1 on films moves by 0.011, while the share of
 * rightly rejected speakers who are never seen rises from 0.76 to 0.88.
 *
 * The signs: long tracks that speech merely passes through, and cutaways to a listener inside a turn, have more
 * `tracksHeard` than `turnsSeen`; a pair that stays together although others talk has more `conversation`.
 */
export const publicClipsModel: Model = {
  seen: {
    constant: 0.685,
    creditOfSpeech: -0.09,
    creditOfFace: 1.63,
    speaking: -0.49,
    turnsSeen: 2.36,
    tracksHeard: -0.22,
    conversation: 0.89,
    longestTogether: -2.21,
    silentlySeen: 0.21,
    faces: -0.55,
  },
  seenTalking: {
    constant: 1.52,
    creditOfSpeech: 0.28,
    creditOfFace: 3.52,
    speaking: -0.45,
    turnsSeen: 1.73,
    tracksHeard: 0.19,
    conversation: 0.77,
    longestTogether: -2.13,
    silentlySeen: 0.48,
    faces: -0.49,
  },
  calibration: { constant: 0.18, alone: 0.16, among: 0.87 },
  seenUnmatched: { constant: 0.25, anyFace: 0.5, bestLink: 0.34, speaking: -0.53, turns: 0.35 },
  acceptedFrom: 0.5,
};
