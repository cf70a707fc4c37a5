import type { Interval } from '../kernel/interval.js';
import { runningTotal } from './running-total.js';
import { columnsOf, merged, type Stretches, withinReach } from './stretches.js';

export interface TalkingScore {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** When a face is visible. */
export interface Presence {
  readonly visible: Stretches;
  /** Whether there are talking scores for this face. */
  readonly scored: boolean;
  /** Seconds of a visible interval, weighted by how likely the person is talking. */
  readonly weigh: (start: number, end: number) => number;
}

/** How to interpret talking scores in a medium: none exist, they only mark talking, or they also mark silence. */
export type Scoring = 'none' | 'talking' | 'both';

/**
 * Weight of a visible second with score 0: detectors miss speech, so it is evidence of silence, not proof. A power of
 * two, so that sums are exact.
 */
const silentWeight = 1 / 16;
const unknownScore = 0.5;

/** Weight of a visible second: from 1/16 at score 0 to 1 at score 1. */
const weightOf = (score: number): number => silentWeight + (1 - silentWeight) * Math.min(1, Math.max(0, score));

/** The inverse of `weightOf`. */
export const scoreOf = (weight: number): number => (weight - silentWeight) / (1 - silentWeight);

export const scoringOf = (faces: readonly { readonly talking: readonly TalkingScore[] }[]): Scoring => {
  if (faces.every(({ talking }) => talking.length === 0)) return 'none';
  return faces.some(({ talking }) => talking.some(({ score }) => score < unknownScore)) ? 'both' : 'talking';
};

const isDisjoint = (talking: readonly TalkingScore[]): boolean => {
  let covered = -Infinity;
  for (const { start, end, score } of talking) {
    if (!(start >= covered && end > start && Number.isFinite(score))) return false;
    covered = end;
  }
  return true;
};

/**
 * Orders scores and replaces overlapping ones by their mean. Detectors usually deliver them ordered and disjoint, which
 * costs nothing here.
 */
const disjoint = (talking: readonly TalkingScore[]): readonly TalkingScore[] => {
  if (isDisjoint(talking)) return talking;
  const beginning = talking
    .filter(({ start, end, score }) => end > start && Number.isFinite(score))
    .sort((a, b) => a.start - b.start || a.score - b.score);
  const means: TalkingScore[] = [];
  let [count, sum, since, next] = [0, 0, 0, 0];
  const upTo = (end: number): void => {
    if (count > 0 && end > since) means.push({ start: since, end, score: sum / count });
    since = end;
  };
  for (const ending of beginning.toSorted((a, b) => a.end - b.end || a.score - b.score)) {
    for (let one = beginning[next]; one !== undefined && one.start < ending.end; one = beginning[++next]) {
      upTo(one.start);
      count += 1;
      sum += one.score;
    }
    upTo(ending.end);
    count -= 1;
    sum = count === 0 ? 0 : sum - ending.score;
  }
  return means;
};

const weighing = (talking: readonly TalkingScore[], rest: number): Presence['weigh'] => {
  const scores = disjoint(talking.map(withinReach).filter(({ start, end }) => end > start));
  const beyondRest = runningTotal(columnsOf(scores), (n) => weightOf(scores[n]?.score ?? 0) - rest);
  return (start, end) => rest * (end - start) + beyondRest(end) - beyondRest(start);
};

/**
 * The presence of one face. If the medium's scores only mark talking, time without a score counts as silence. If they
 * also mark silence, it is unknown, and a face without scores is treated like one in a medium without scores.
 */
export const presenceOf = (
  tracks: readonly Interval[],
  talking: readonly TalkingScore[],
  scoring: Scoring,
): Presence => {
  const visible = merged(tracks);
  const scored = scoring === 'talking' || talking.length > 0;
  if (!scored) return { visible, scored, weigh: (start, end) => end - start };
  return { visible, scored, weigh: weighing(talking, weightOf(scoring === 'talking' ? 0 : unknownScore)) };
};
