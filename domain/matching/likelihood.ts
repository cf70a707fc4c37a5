import type { PairFeatures } from './pair-features.js';

export interface Coefficients extends PairFeatures {
  readonly constant: number;
}

/** Of a speaker without a link. */
export interface UnmatchedFeatures {
  /** The log odds that one of the faces is theirs, whoever else may want it. */
  readonly anyFace: number;
  /** The log odds of the best link that the speaker could have, given the others. */
  readonly bestLink: number;
  /** Logarithms of the seconds of speech and of the number of turns, 1 added to the seconds. */
  readonly speaking: number;
  readonly turns: number;
}

/** From the log odds of a pair, by itself and among all other pairs, to those of a link that the assignment chose. */
export interface Calibration {
  readonly constant: number;
  readonly alone: number;
  readonly among: number;
}

/** Of pairs with one kind of face. */
export interface PairModel {
  readonly pair: Coefficients;
  readonly calibration: Calibration;
}

/** What turns features into accuracies. */
export interface Model {
  /** For faces without talking scores. */
  readonly seen: PairModel;
  /** For faces with talking scores. */
  readonly seenTalking: PairModel;
  /** The odds that a speaker without a link is to be seen after all. */
  readonly seenUnmatched: UnmatchedFeatures & { readonly constant: number };
  /** The accuracy from which a link is better than none. */
  readonly acceptedFrom: number;
}

/** The logarithm of the odds that a pair belongs together, before any other pair is looked at. */
export const logOddsOf = (features: PairFeatures, by: Coefficients): number =>
  by.constant +
  by.creditOfFace * features.creditOfFace +
  by.speaking * features.speaking +
  by.turnsSeen * features.turnsSeen +
  by.tracksHeard * features.tracksHeard +
  by.conversation * features.conversation +
  by.tracksWithSpeaker * features.tracksWithSpeaker +
  by.tracksWithOthers * features.tracksWithOthers +
  by.endTogether * features.endTogether +
  by.othersHeard * features.othersHeard +
  by.seenToTalk * features.seenToTalk +
  by.faces * features.faces;

export const logit = (probability: number): number => Math.log(probability / (1 - probability));

/** The log odds of a link, from those of its pair by itself and among all others. */
export const calibrated = (alone: number, among: number, by: Calibration): number =>
  by.constant + by.alone * alone + by.among * among;

/** The probability that a speaker without a link is to be seen after all. */
export const seenUnmatched = (features: UnmatchedFeatures, { seenUnmatched: by }: Model): number =>
  1 /
  (1 +
    Math.exp(
      -by.constant -
        by.anyFace * features.anyFace -
        by.bestLink * features.bestLink -
        by.speaking * features.speaking -
        by.turns * features.turns,
    ));

/** No more certainty than some thousand links with known answers can show: a few of the surest were wrong. */
export const surest = 0.995;

/** The probability that a link with these log odds is right. */
export const accuracyOf = (logOdds: number): number => Math.min(surest, 1 / (1 + Math.exp(-logOdds)));
