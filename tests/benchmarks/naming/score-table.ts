import type { Score } from './scoring.js';

const ratio = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(3));

const columns = [28, 6, 9, 10, 8, 7, 16, 7, 7, 9] as const;
const lineOf = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(columns[0]) : cell.padStart(columns[at] ?? 0))).join('');

export const scoreHeader = lineOf([
  'set',
  'calls',
  'findable',
  'precision',
  'recall',
  'F1',
  'uncontradicted',
  'exact',
  'roles',
  'unnamed',
]);

/** Precision, recall, F1, precision with what a label does not contradict, the share of right names that are exact, of roles that are right, and names on the nameless. */
export const scoreLine = (set: string, calls: number, score: Score): string => {
  const { findable, proposed, correct, exact, uncontradicted, roles, rolesCorrect, onUnnamed } = score;
  return lineOf([
    set,
    String(calls),
    String(findable),
    ratio(correct, proposed),
    ratio(correct, findable),
    ratio(2 * correct, proposed + findable),
    ratio(correct + uncontradicted, proposed),
    ratio(exact, correct),
    ratio(rolesCorrect, roles),
    String(onUnnamed),
  ]);
};
