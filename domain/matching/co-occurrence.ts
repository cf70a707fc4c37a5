import { bestLinks, jointLogOdds, type Link } from './assignment.js';
import { forEachOverlap } from './intervals.js';
import { at, type Matrix, tabulate } from './matrix.js';
import { accuracyOf, calibrated, logit, logOddsOf, type Model, type PairModel } from './model.js';
import { type CoPresence, coPresenceOf, featuresOf, minSecondsTogether, secondsSeen } from './pair-features.js';
import { type Timeline, timelineOf, withLaterSound } from './timeline.js';

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
export const surplusOfFaces = ({ rows, columns, cells }: Matrix): number => {
  const best = new Float64Array(columns).fill(-Infinity);
  cells.forEach((odds, n) => (best[n % columns] = Math.max(best[n % columns] ?? 0, odds)));
  const looked = best.reduce((sum, odds) => sum + 1 / (1 + Math.exp(-odds)), 0);
  return Math.max(0, Math.log((looked + 0.5) / (rows + 0.5)));
};

/** Matches speakers and faces by when they speak and are visible. `possible` is 1 for allowed pairs, else 0. */
export const coOccurrence = (timeline: Timeline, possible: Matrix, model: Model): CoOccurrence => {
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

/** Tested delays of the picture in seconds, the smallest first; a larger one means different recordings. */
const offsets = [0, ...[1, 2, 3, 4, 5].flatMap((tenths) => [-tenths / 10, tenths / 10])];
const largestOffset = 0.5;

/**
 * Penalty of an offset, in seconds together per squared second: small gains are chance, because editors do not cut
 * exactly at changes of speakers.
 */
const price = 10;

/**
 * The delay of the picture against the sound, from -0.5 to 0.5 seconds in tenths: the offset at which linked pairs are
 * together (and visibly talking) the longest, weighted by accuracy; the smaller one if equal.
 */
export const timeOffset = ({ heard, presences }: Timeline, { links, accuracies }: CoOccurrence): number => {
  const gains = Float64Array.from(offsets, (offset) => -price * offset ** 2);
  for (const { row, column } of links) {
    const [turns, presence] = [heard[row], presences[column]];
    if (turns === undefined || presence === undefined) continue;
    const { visible, weigh } = presence;
    const accuracy = at(accuracies, row, column);
    const wide = {
      starts: visible.starts.map((start) => start - largestOffset),
      ends: visible.ends.map((end) => end + largestOffset),
    };
    forEachOverlap(turns, wide, (turn, track) =>
      offsets.forEach((offset, n) => {
        const start = Math.max((turns.starts[turn] ?? 0) + offset, visible.starts[track] ?? 0);
        const end = Math.min((turns.ends[turn] ?? 0) + offset, visible.ends[track] ?? 0);
        if (end > start) gains[n] = (gains[n] ?? 0) + accuracy * weigh(start, end);
      }),
    );
  }
  const best = [...offsets.keys()].reduce((one, other) =>
    (gains[other] ?? 0) > (gains[one] ?? 0) + 1e-9 ? other : one,
  );
  return offsets[best] ?? 0;
};

export interface Synchronised {
  /** With the sound aligned to the picture. */
  readonly timeline: Timeline;
  readonly found: CoOccurrence;
  /** The delay of the picture in seconds. */
  readonly offset: number;
}

/** Matches speakers and faces after aligning the sound to the picture. `possible` is 1 or 0 per pair. */
export const coOccurrenceInSync = (
  speakers: Parameters<typeof timelineOf>[0],
  faces: Parameters<typeof timelineOf>[1],
  possible: Matrix,
  model: Model,
): Synchronised => {
  const asGiven = timelineOf(speakers, faces);
  const first = coOccurrence(asGiven, possible, model);
  const offset = timeOffset(asGiven, first);
  if (offset === 0) return { timeline: asGiven, found: first, offset };
  const timeline = withLaterSound(asGiven, offset);
  return { timeline, found: coOccurrence(timeline, possible, model), offset };
};
