import { surest } from './likelihood.js';
import { at, type Matrix } from './matrix.js';
import type { Synchronised } from './synchronised.js';

/**
 * Why a speaker got no face. `too_little_speech`: there is less than a second of speech to go by. `ambiguous`: the
 * chance that one of the faces is theirs is a fourth at least, but no face is likely enough, or a better pair took
 * it, as happens to the second half of a speaker that the diarisation split. `off_screen`: likely never seen.
 */
export type UnmatchedReason = 'off_screen' | 'ambiguous' | 'too_little_speech';

/** A face, by index, that may be an unmatched speaker's. */
export interface Rival {
  readonly column: number;
  readonly chance: number;
}

export interface Unmatched {
  readonly reason: UnmatchedReason;
  /** The chance that none of the faces is the speaker's, given whom the others chose. */
  readonly nobody: number;
  /** The likeliest faces of an ambiguous speaker, the likeliest first. */
  readonly rivals: readonly Rival[];
}

const enoughSpeech = 1;
const fairChance = 0.25;
const mostRivals = 5;

/** The chance that each face is the speaker's, or nobody in the picture is, whoever else may want it. */
const chancesOf = (row: number, alone: Matrix): readonly number[] => {
  const odds = Array.from({ length: alone.columns }, (_, column) => Math.exp(Math.min(100, at(alone, row, column))));
  const total = odds.reduce((sum, own) => sum + own, 1);
  return odds.map((own) => own / total);
};

/** What the accuracies that links of a row would have leave to nobody. */
const leftByAll = (row: number, { accuracies }: Synchronised['found']): number => {
  let left = 1;
  for (let column = 0; column < accuracies.columns; column += 1) left -= at(accuracies, row, column);
  return Math.min(surest, Math.max(0, left));
};

/** Why the speaker of a row without link got none. */
export const whyUnmatched = (row: number, { timeline, found }: Synchronised): Unmatched => {
  const nobody = leftByAll(row, found);
  if ((timeline.speaking[row] ?? 0) < enoughSpeech) return { reason: 'too_little_speech', nobody, rivals: [] };
  const chances = chancesOf(row, found.alone);
  if (chances.reduce((sum, chance) => sum + chance, 0) < fairChance)
    return { reason: 'off_screen', nobody, rivals: [] };
  const rivals = chances
    .map((chance, column) => ({ column, chance }))
    .filter(({ chance }) => chance > 0)
    .sort((a, b) => b.chance - a.chance || a.column - b.column);
  return { reason: 'ambiguous', nobody, rivals: rivals.slice(0, mostRivals) };
};
