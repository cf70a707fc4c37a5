import type { Model } from './likelihood.js';

/**
 * Fitted on public clips with known answers (AVA-AVD train and ASW dev; with talking scores: of 20 and 40 % misses) by
 * `tests/benchmarks/matching-fit.ts`, which prints these numbers, how well they do on films that they were not fitted
 * on, and how little the accepted accuracy matters: from 0.35 to 0.6 the F1 on films moves by 0.006, while the share of
 * rightly rejected speakers who are never seen rises from 0.75 to 0.91.
 *
 * The signs: long tracks that speech merely passes through, and cutaways to a listener inside a turn, have more
 * `tracksHeard` than `turnsSeen`; a pair that stays together although others talk has more `conversation`. A speaker is
 * heard in most of the tracks of its face, and others alone in most of the tracks of a face that listens.
 */
export const publicClipsModel: Model = {
  seen: {
    pair: {
      constant: -3.48,
      creditOfFace: 1.01,
      speaking: -0.54,
      turnsSeen: 1.98,
      tracksHeard: -1.44,
      conversation: 0.63,
      tracksWithSpeaker: 4.51,
      tracksWithOthers: -3.19,
      endTogether: 0.71,
      othersHeard: -1.36,
      seenToTalk: 0,
      faces: -0.54,
    },
    calibration: { constant: 0.2, alone: 0.19, among: 0.9 },
  },
  seenTalking: {
    pair: {
      constant: -1.63,
      creditOfFace: 3.25,
      speaking: -0.66,
      turnsSeen: 0.93,
      tracksHeard: -0.82,
      conversation: 0.71,
      tracksWithSpeaker: 4.54,
      tracksWithOthers: -2.16,
      endTogether: 0.8,
      othersHeard: -1.39,
      seenToTalk: 0.69,
      faces: -0.67,
    },
    calibration: { constant: 0.22, alone: 0.25, among: 0.8 },
  },
  seenUnmatched: { constant: 0.31, anyFace: 0.51, bestLink: 0.36, speaking: -0.65, turns: 0.5 },
  acceptedFrom: 0.5,
};
