import type { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { Truth } from './trials.js';

export interface ScoredLink {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number;
}

interface Score {
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

interface ProposedFor {
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

const rounded = (value: number): string => value.toFixed(3);

/** A line of the table of scores. */
export const scoreRow = (set: string, condition: string, method: string, score: Score) => ({
  set,
  condition,
  method,
  links: score.links,
  precision: rounded(score.precision),
  recall: rounded(score.recall),
  F1: rounded(score.f1),
  'off-screen': rounded(score.rejection),
  Brier: rounded(score.brier),
  'precision at >=0.8': `${rounded(score.surePrecision)} (${score.sure})`,
});
