import type { Model } from './likelihood.js';

/**
 * Fitted on public clips with known answers (AVA-AVD train and ASW dev; with talking scores: of 20 and 40 % misses) by
 * `tests/benchmarks/matching-fit.ts`, which prints these numbers, how well they do on films that they were not fitted
 * on, and how little the accepted accuracy matters: from 0.35 to 0.6 the F1 on films moves by 0.005, while the share of
 * rightly rejected speakers who are never seen rises from 0.74 to 0.91.
 *
 * The signs: long tracks that speech merely passes through, and cutaways to a listener inside a turn, have more
 * `tracksHeard` than `turnsSeen`; a pair that stays together although others talk has more `conversation`. A speaker is
 * heard in most of the tracks of its face, and others alone in most of the tracks of a face that listens.
 */
export const publicClipsModel: Model = {
  seen: {
    constant: -3.49,
    creditOfFace: 1.01,
    speaking: -0.54,
    turnsSeen: 1.98,
    tracksHeard: -1.45,
    conversation: 0.63,
    tracksWithSpeaker: 4.51,
    tracksWithOthers: -3.19,
    endTogether: 0.73,
    othersHeard: -1.36,
    faces: -0.55,
  },
  seenTalking: {
    constant: -1.27,
    creditOfFace: 3.51,
    speaking: -0.65,
    turnsSeen: 1.33,
    tracksHeard: -0.81,
    conversation: 0.72,
    tracksWithSpeaker: 4.62,
    tracksWithOthers: -2.15,
    endTogether: 0.81,
    othersHeard: -1.4,
    faces: -0.67,
  },
  calibration: { constant: 0.22, alone: 0.18, among: 0.91 },
  seenUnmatched: { constant: 0.34, anyFace: 0.45, bestLink: 0.46, speaking: -0.57, turns: 0.45 },
  acceptedFrom: 0.5,
};
