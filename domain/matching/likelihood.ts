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
  /** From the log odds of a pair, by itself and among all other pairs, to those of a link that the assignment chose. */
  readonly calibration: { readonly constant: number; readonly alone: number; readonly among: number };
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
  by.conversation * features.conversation +
  by.longestTogether * features.longestTogether +
  by.silentlySeen * features.silentlySeen +
  by.faces * features.faces;

export const logit = (probability: number): number => Math.log(probability / (1 - probability));

/** The log odds of a link, from those of its pair by itself and among all others. */
export const calibrated = (alone: number, among: number, { calibration }: Model): number =>
  calibration.constant + calibration.alone * alone + calibration.among * among;

/** No more certainty than some thousand links with known answers can show: a few of the surest were wrong. */
export const surest = 0.995;

/** The probability that a link with these log odds is right. */
export const accuracyOf = (logOdds: number): number => Math.min(surest, 1 / (1 + Math.exp(-logOdds)));
