import type { PairFeatures } from './pair-features.js';

export interface Coefficients extends PairFeatures {
  readonly constant: number;
}

/** Features of a speaker without a link. */
export interface UnmatchedFeatures {
  /** Log odds that any face is the speaker's, ignoring competition. */
  readonly anyFace: number;
  /** Log odds of the speaker's best possible link, given the others. */
  readonly bestLink: number;
  /** Logarithms of the seconds of speech plus 1, and of the number of turns. */
  readonly speaking: number;
  readonly turns: number;
}

/** Maps the log odds of a pair, alone and among all pairs, to those of a chosen link. */
export interface Calibration {
  readonly constant: number;
  readonly alone: number;
  readonly among: number;
}

/** Model of pairs with one kind of face. */
export interface PairModel {
  readonly pair: Coefficients;
  readonly calibration: Calibration;
  /** How much surplus faces lower the log odds of links to faces that are seen during little of the speech. */
  readonly caution: number;
}

/** The parameters that turn features into accuracies. */
export interface Model {
  /** For faces without talking scores. */
  readonly seen: PairModel;
  /** For faces with talking scores. */
  readonly seenTalking: PairModel;
  /** Predicts whether a speaker without a link is visible after all. */
  readonly seenUnmatched: UnmatchedFeatures & { readonly constant: number };
  /** Minimum accuracy of a link. */
  readonly acceptedFrom: number;
}

/** Log odds that a pair belongs together, ignoring all other pairs. */
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
  by.faces * features.faces +
  by.visible * features.visible +
  by.trackLength * features.trackLength;

export const logit = (probability: number): number => Math.log(probability / (1 - probability));

/** The log odds of a link, from those of its pair alone and among all pairs. */
export const calibrated = (alone: number, among: number, by: Calibration): number =>
  by.constant + by.alone * alone + by.among * among;

/** Probability that a speaker without a link is visible after all. */
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

/** Maximum probability: some thousand links with known answers cannot show more certainty. */
export const surest = 0.995;

/** Probability that a link is right. */
export const accuracyOf = (logOdds: number): number => Math.min(surest, 1 / (1 + Math.exp(-logOdds)));
