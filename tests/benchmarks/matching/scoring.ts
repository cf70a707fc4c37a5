import type { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { Truth } from './truth.js';

export interface ScoredLink {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number;
}

export interface Score {
  readonly links: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** The share of never visible speakers that got no face. */
  readonly rejection: number;
  readonly brier: number;
  readonly sure: number;
  /** The precision of the links with an accuracy of at least 0.8; their number is `sure`. */
  readonly surePrecision: number;
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

export interface ProposedFor {
  readonly truth: Truth;
  readonly proposed: readonly ScoredLink[];
}

interface JudgedLink {
  readonly accuracy: number;
  readonly right: 0 | 1;
}

/** The proposed links for which the truth is known. */
const judgedLinks = (clips: readonly ProposedFor[]): readonly JudgedLink[] =>
  clips.flatMap(({ truth, proposed }) =>
    proposed.flatMap(({ face_id, speaker_id, accuracy }): readonly JudgedLink[] => {
      const verdict = truth.verdict(face_id, speaker_id);
      return verdict === 'left_out' ? [] : [{ accuracy, right: verdict === 'right' ? 1 : 0 }];
    }),
  );

/** The score of proposed links over all clips together. */
export const scoreOf = (clips: readonly ProposedFor[]): Score => {
  const judged = judgedLinks(clips);
  const rejected = clips.map(({ truth, proposed }) => {
    const matched = new Set(proposed.map(({ speaker_id }) => speaker_id));
    return [...truth.offscreen].filter((speaker) => !matched.has(speaker)).length;
  });
  const right = sum(judged.map((link) => link.right));
  const sure = judged.filter(({ accuracy }) => accuracy >= 0.8);
  const precision = ratio(right, judged.length);
  const recall = ratio(right, sum(clips.map(({ truth }) => truth.links)));
  return {
    links: judged.length,
    precision,
    recall,
    f1: ratio(2 * precision * recall, precision + recall),
    rejection: ratio(sum(rejected), sum(clips.map(({ truth }) => truth.offscreen.size))),
    brier: ratio(sum(judged.map((link) => (link.accuracy - link.right) ** 2)), judged.length),
    sure: sure.length,
    surePrecision: ratio(sum(sure.map((link) => link.right)), sure.length),
  };
};

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
