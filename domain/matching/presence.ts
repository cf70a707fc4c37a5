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

const weighing = (talking: readonly TalkingScore[]): Presence['weigh'] => {
  const rest = weightOf(unknownScore);
  const scores = disjoint(talking.map(withinReach).filter(({ start, end }) => end > start));
  const beyondRest = runningTotal(columnsOf(scores), (n) => weightOf(scores[n]?.score ?? 0) - rest);
  return (start, end) => rest * (end - start) + beyondRest(end) - beyondRest(start);
};

/**
 * The presence of one face. What has no talking score is unknown, not silent: a visible second without one counts as
 * half talking, and a face without any as in a medium without scores.
 */
export const presenceOf = (tracks: readonly Interval[], talking: readonly TalkingScore[]): Presence => {
  const visible = merged(tracks);
  const scored = talking.length > 0;
  return { visible, scored, weigh: scored ? weighing(talking) : (start, end) => end - start };
};
