import type { PairFeatures } from './pair-features.js';

export interface Coefficients extends PairFeatures {
  readonly constant: number;
}

/** What turns features into accuracies. */
export interface Model {
  /** For faces without talking scores. */
  readonly seen: Coefficients;
  /** For faces with talking scores. */
  readonly seenTalking: Coefficients;
  /** From the log odds of a pair by itself to those of a link that the assignment chose. */
  readonly calibration: { readonly shift: number; readonly slope: number };
  /** The accuracy from which a link is better than none. */
  readonly acceptedFrom: number;
}

/** The logarithm of the odds that a pair belongs together, before any other pair is looked at. */
export const logOddsOf = (features: PairFeatures, by: Coefficients): number =>
  by.constant +
  by.creditOfSpeech * features.creditOfSpeech +
  by.creditOfFace * features.creditOfFace +
  by.speaking * features.speaking +
  by.turnsSeen * features.turnsSeen +
  by.tracksHeard * features.tracksHeard +
  by.conversation * features.conversation;

/** No more certainty than some thousand links with known answers can show: a few of the surest were wrong. */
const surest = 0.995;

/** The probability that a link with these log odds is right. */
export const accuracyOf = (logOdds: number, { calibration }: Model): number =>
  Math.min(surest, 1 / (1 + Math.exp(-(calibration.shift + calibration.slope * logOdds))));

/** The log odds of a link whose accuracy is the one given, below the surest: the inverse of `accuracyOf`. */
export const logOddsAt = (accuracy: number, { calibration }: Model): number =>
  (Math.log(accuracy / (1 - accuracy)) - calibration.shift) / calibration.slope;
