import type { Score } from './scoring.js';

const widths = [14, 11, 7, 6, 7, 7, 7, 11, 7, 16];

const line = (cells: readonly string[]): string => cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' ');

export const scoreHeader = line([
  'set',
  'condition',
  'method',
  'links',
  'prec.',
  'recall',
  'F1',
  'off-screen',
  'Brier',
  'P at >=0.8',
]);

export const scoreLine = (set: string, condition: string, method: string, score: Score): string =>
  line([
    set,
    condition,
    method,
    String(score.links),
    ...[score.precision, score.recall, score.f1, score.rejection, score.brier].map((value) => value.toFixed(3)),
    `${score.surePrecision.toFixed(3)} (${score.sure})`,
  ]);
