import { distance } from 'fastest-levenshtein';
import type { ResultRow } from '../../../domain/grounding/result-row.js';
import type { Conversation, Truth } from './read-sets.js';

export interface Score {
  readonly findable: number;
  readonly proposed: number;
  readonly correct: number;
  readonly exact: number;
  /** Names that count as wrong although the label does not contradict them. */
  readonly uncontradicted: number;
}

const titles = new Set(['mr', 'mrs', 'ms', 'dr', 'hon', 'am', 'rt']);

const tokensOf = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}'’]+/u)
    .filter((token) => token !== '');

const similarity = (one: string, other: string): number =>
  1 - distance(one, other) / Math.max(one.length, other.length, 1);

/** Whether each of the proposed name's tokens matches one of the true name's, or two of them do. */
const isCorrect = (proposed: string, gold: string): boolean => {
  const tokens = tokensOf(proposed);
  const matching = tokens.filter((token) => tokensOf(gold).some((other) => similarity(token, other) >= 0.75));
  return matching.length > 0 && (matching.length === tokens.length || matching.length >= 2);
};

/**
 * Labels are cut short (`Richie C.`) or say of a name that is never said what a blank too few hides (`Mr.Fox`). Such a
 * label does not contradict a name that has all its words, or that is its last word.
 */
const isUncontradicted = (proposed: string, gold: string): boolean => {
  const [tokens, wanted] = [tokensOf(proposed), tokensOf(gold)];
  const isShort = wanted.every((word) =>
    tokens.some((token) => token === word || (word.length === 1 && token.startsWith(word))),
  );
  return isShort || (tokens.length > 0 && tokens.every((token) => wanted.includes(token)));
};

const plain = (name: string): string =>
  tokensOf(name)
    .filter((token) => !titles.has(token))
    .join(' ');

export const total = (scores: readonly Score[]): Score => {
  const sum = (name: keyof Score): number => scores.reduce((all, score) => all + score[name], 0);
  return {
    findable: sum('findable'),
    proposed: sum('proposed'),
    correct: sum('correct'),
    exact: sum('exact'),
    uncontradicted: sum('uncontradicted'),
  };
};

const scoreOne = ({ name, spoken }: Truth, row: ResultRow | undefined): Score => {
  const isFindable = spoken === 'full' || spoken === 'partial';
  const hasName = isFindable || spoken === 'not_spoken';
  const correct = isFindable && row?.name !== undefined && isCorrect(row.name, name);
  return {
    findable: Number(isFindable),
    proposed: Number(hasName && row?.name !== undefined),
    correct: Number(correct),
    exact: Number(correct && plain(row?.name ?? '') === plain(name)),
    uncontradicted: Number(hasName && !correct && row?.name !== undefined && isUncontradicted(row.name, name)),
  };
};

/** The score of one conversation's rows. */
export const scoreOf = ({ truth }: Conversation, rows: readonly ResultRow[]): Score => {
  const rowOf = new Map(rows.map((row) => [row.speaker_id, row]));
  return total([...truth].map(([id, one]) => scoreOne(one, rowOf.get(id))));
};

const ratio = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(3));

/** A line of the table: with what a label does not contradict, and with the share of right names that are exact. */
export const scoreRow = (set: string, calls: number, score: Score) => {
  const { findable, proposed, correct, exact, uncontradicted } = score;
  return {
    set,
    calls,
    precision: ratio(correct, proposed),
    recall: ratio(correct, findable),
    uncontradicted: ratio(correct + uncontradicted, proposed),
    exact: ratio(exact, correct),
  };
};
