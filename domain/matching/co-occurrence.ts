import { bestLinks, type Link } from './assignment.js';
import { type CoPresence, coPresenceOf, minSecondsTogether, secondsSeen } from './co-presence.js';
import { jointLogOdds } from './joint-odds.js';
import { accuracyOf, calibrated, logit, logOddsOf, type Model, type PairModel } from './likelihood.js';
import { at, type Matrix, tabulate } from './matrix.js';
import { featuresOf } from './pair-features.js';
import { publicClipsModel } from './public-clips-model.js';
import type { Timeline } from './timeline.js';

export interface CoOccurrence {
  readonly counts: CoPresence;
  /** The log odds of each pair by itself; `-Infinity` for those that are no candidates. */
  readonly alone: Matrix;
  /** The accuracy of each pair if it is linked. */
  readonly accuracies: Matrix;
  readonly links: readonly Link[];
}

/** The part of the model for a face: with or without talking scores. */
const modelOf = ({ presences }: Timeline, face: number, model: Model): PairModel =>
  presences[face]?.scored === true ? model.seenTalking : model.seen;

/** The log odds of every pair considered alone; `-Infinity` for pairs that are no candidates. */
export const pairLogOdds = (timeline: Timeline, counts: CoPresence, possible: Matrix, model: Model): Matrix => {
  const features = featuresOf(timeline, counts, possible);
  return tabulate(possible.rows, possible.columns, (speaker, face) => {
    if (at(possible, speaker, face) === 0 || at(counts.together, speaker, face) < minSecondsTogether) return -Infinity;
    return logOddsOf(features(speaker, face), modelOf(timeline, face, model).pair);
  });
};

/** Differences of log odds below this are rounding errors. */
const rounding = 1e-9;

/** Whether another pair of the same speaker or face has the same log odds. */
const isTied = (logOdds: Matrix, { row, column }: Link): boolean => {
  const own = at(logOdds, row, column);
  const isAlike = (i: number, j: number): boolean => Math.abs(at(logOdds, i, j) - own) < rounding;
  for (let other = 0; other < logOdds.columns; other += 1) if (other !== column && isAlike(row, other)) return true;
  for (let other = 0; other < logOdds.rows; other += 1) if (other !== row && isAlike(other, column)) return true;
  return false;
};

/**
 * How many more faces look like a speaker's than there are speakers, as a logarithm; 0 if not more. A diarisation that
 * mixes people up leaves such faces over.
 */
export const surplusOfFaces = (alone: Matrix): number => {
  const best = new Float64Array(alone.columns).fill(-Infinity);
  alone.cells.forEach((odds, n) => (best[n % alone.columns] = Math.max(best[n % alone.columns] ?? 0, odds)));
  const looked = best.reduce((sum, odds) => sum + 1 / (1 + Math.exp(-odds)), 0);
  return Math.max(0, Math.log((looked + 0.5) / (alone.rows + 0.5)));
};

/** Matches speakers and faces by when they speak and are visible. `possible` is 1 for allowed pairs, else 0. */
export const coOccurrence = (timeline: Timeline, possible: Matrix, model: Model = publicClipsModel): CoOccurrence => {
  const counts = coPresenceOf(timeline);
  const alone = pairLogOdds(timeline, counts, possible, model);
  const among = jointLogOdds(alone);
  const { rows, columns } = possible;
  const surplus = surplusOfFaces(alone);
  const logOdds = tabulate(rows, columns, (i, j) =>
    calibrated(at(alone, i, j), at(among, i, j), modelOf(timeline, j, model).calibration),
  );
  // If the diarisation mixes people up, what the face is not seen to say may be somebody else's, who then is the speaker.
  const unseen = (i: number, j: number): number =>
    Math.log(((timeline.speaking[i] ?? 0) + 0.5) / (secondsSeen(timeline, counts, i, j) + 0.5));
  const tempered = (i: number, j: number): number =>
    at(logOdds, i, j) / (1 + (surplus && modelOf(timeline, j, model).caution * surplus * unseen(i, j)));
  const least = logit(model.acceptedFrom);
  return {
    counts,
    alone,
    accuracies: tabulate(rows, columns, (i, j) => accuracyOf(tempered(i, j))),
    links: bestLinks(tabulate(rows, columns, (i, j) => at(logOdds, i, j) - least)).filter(
      (link) => !isTied(logOdds, link),
    ),
  };
};
