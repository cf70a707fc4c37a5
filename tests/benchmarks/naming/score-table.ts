import type { Score } from './scoring.js';

const ratio = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(3));

const lineOf = ([name = '', ...cells]: readonly string[]): string =>
  name.padEnd(28) + cells.map((cell) => cell.padStart(16)).join('');

export const scoreHeader = lineOf(['set', 'calls', 'precision', 'recall', 'uncontradicted', 'exact']);

/** Precision, recall, precision with what a label does not contradict, and the share of right names that are exact. */
export const scoreLine = (set: string, calls: number, score: Score): string => {
  const { findable, proposed, correct, exact, uncontradicted } = score;
  return lineOf([
    set,
    String(calls),
    ratio(correct, proposed),
    ratio(correct, findable),
    ratio(correct + uncontradicted, proposed),
    ratio(exact, correct),
  ]);
};
