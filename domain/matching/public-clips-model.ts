import type { Model } from './likelihood.js';

/**
 * Fitted on public clips with known answers (AVA-AVD train and ASW dev; with talking scores: of 20 and 40 % misses;
 * without: whole, cut into windows, with speakers split or merged, and with the turns of a diarisation that errs) by
 * `tests/benchmarks/matching-fit.ts`, which prints these numbers, how well they do on films that they were not fitted
 * on, and how little the accepted accuracy matters: from 0.35 to 0.55 the F1 on films moves by 0.008, while the share of
 * rightly rejected speakers who are never seen rises from 0.74 to 0.91. `caution` is chosen by hand from the table that
 * it prints: the least whole number at which 95 % of the links with an accuracy of 0.8 or more are right if the
 * diarisation errs.
 *
 * The signs: long tracks that speech merely passes through, and cutaways to a listener inside a turn, have more
 * `tracksHeard` than `turnsSeen`; a pair that stays together although others talk has more `conversation`. A speaker is
 * heard in most of the tracks of its face, and others alone in most of the tracks of a face that listens; the longer the
 * tracks, the less the number of tracks says, and a face that is shown much is rather a speaker's.
 */
export const publicClipsModel: Model = {
  seen: {
    pair: {
      constant: -1.68,
      creditOfFace: 0.91,
      speaking: -0.58,
      turnsSeen: 1.83,
      tracksHeard: -1.16,
      conversation: 0.48,
      tracksWithSpeaker: 0.69,
      tracksWithOthers: -2.11,
      endTogether: 0.58,
      othersHeard: -1.15,
      seenToTalk: 0,
      faces: -0.38,
      visible: 2.72,
      trackLength: -2.73,
    },
    calibration: { constant: 0.21, alone: 0.06, among: 0.98 },
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
      visible: 0,
      trackLength: 0,
    },
    calibration: { constant: 0.22, alone: 0.25, among: 0.8 },
  },
  seenUnmatched: { constant: 0.12, anyFace: 0.6, bestLink: 0.22, speaking: -0.11, turns: -0.01 },
  caution: 3,
  acceptedFrom: 0.5,
};
