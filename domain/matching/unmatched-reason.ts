import { type Model, type UnmatchedFeatures, logit, seenUnmatched, surest } from './likelihood.js';
import { at, type Matrix } from './matrix.js';
import type { Synchronised } from './synchronised.js';

/**
 * Why a speaker got no face. `too_little_speech`: less than a second of speech. `ambiguous`: the probability that one
 * of the faces is theirs is at least a quarter, but no face is likely enough, or a better pair took it, as happens to
 * the second half of a speaker split by the diarisation. `off_screen`: probably never visible.
 */
export type UnmatchedReason = 'off_screen' | 'ambiguous' | 'too_little_speech';

/** A candidate face (column) of an unmatched speaker. */
export interface Rival {
  readonly column: number;
  readonly chance: number;
}

export interface Unmatched {
  readonly reason: UnmatchedReason;
  /** Probability that no face is the speaker's, given the links of the others. */
  readonly nobody: number;
  /** The most likely faces of an ambiguous speaker, in descending order. */
  readonly rivals: readonly Rival[];
}

const enoughSpeech = 1;
const fairChance = 0.25;
const maxRivals = 5;

/** The probability of each face, ignoring competition. */
const chancesOf = (row: number, alone: Matrix): readonly number[] => {
  const odds = Array.from({ length: alone.columns }, (_, column) => Math.exp(Math.min(100, at(alone, row, column))));
  const total = odds.reduce((sum, own) => sum + own, 1);
  return odds.map((own) => own / total);
};

const sumOf = (chances: readonly number[]): number => chances.reduce((sum, chance) => sum + chance, 0);

/** Log odds, clamped to a range in which they are meaningful. */
const bounded = (probability: number): number => logit(Math.min(0.999, Math.max(0.001, probability)));

/** The features that predict whether a speaker without a link is visible. */
export const unmatchedFeatures = (
  row: number,
  { timeline, found }: Pick<Synchronised, 'timeline' | 'found'>,
): UnmatchedFeatures => {
  let best = 0;
  for (let column = 0; column < found.accuracies.columns; column += 1)
    best = Math.max(best, at(found.accuracies, row, column));
  return {
    anyFace: bounded(sumOf(chancesOf(row, found.alone))),
    bestLink: bounded(best),
    speaking: Math.log(1 + (timeline.speaking[row] ?? 0)),
    turns: Math.log(Math.max(1, timeline.heard[row]?.starts.length ?? 0)),
  };
};

/** Explains why a speaker has no link. */
export const whyUnmatched = (row: number, { timeline, found }: Synchronised, model: Model): Unmatched => {
  const nobody = Math.min(surest, 1 - seenUnmatched(unmatchedFeatures(row, { timeline, found }), model));
  if ((timeline.speaking[row] ?? 0) < enoughSpeech) return { reason: 'too_little_speech', nobody, rivals: [] };
  const chances = chancesOf(row, found.alone);
  if (sumOf(chances) < fairChance) return { reason: 'off_screen', nobody, rivals: [] };
  const rivals = chances
    .map((chance, column) => ({ column, chance }))
    .filter(({ chance }) => chance > 0)
    .sort((a, b) => b.chance - a.chance || a.column - b.column);
  return { reason: 'ambiguous', nobody, rivals: rivals.slice(0, maxRivals) };
};
