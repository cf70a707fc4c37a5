import { bestLinks, type Link } from './assignment.js';
import { type CoPresence, coPresenceOf } from './co-presence.js';
import { accuracyOf, logOddsAt, logOddsOf, type Model } from './likelihood.js';
import { at, type Matrix, tabulate } from './matrix.js';
import { featuresOf } from './pair-features.js';
import { publicClipsModel } from './public-clips-model.js';
import type { Timeline } from './timeline.js';

export interface CoOccurrence {
  readonly counts: CoPresence;
  /** The accuracy that a link of each pair would have. */
  readonly accuracies: Matrix;
  readonly links: readonly Link[];
}

/** Seconds together below which a pair is no candidate: a frame or two at a cut says nothing. */
export const leastTogether = 0.3;

/** Who belongs together by when they speak and are seen. `possible` is 1 for pairs that may, 0 for the others. */
export const coOccurrence = (timeline: Timeline, possible: Matrix, model: Model = publicClipsModel): CoOccurrence => {
  const counts = coPresenceOf(timeline);
  const features = featuresOf(timeline, counts, possible);
  const logOdds = tabulate(possible.rows, possible.columns, (speaker, face) => {
    if (at(possible, speaker, face) === 0 || at(counts.together, speaker, face) < leastTogether) return -Infinity;
    const coefficients = timeline.presences[face]?.scored === true ? model.seenTalking : model.seen;
    return logOddsOf(features(speaker, face), coefficients);
  });
  const least = logOddsAt(model.acceptedFrom, model);
  const { rows, columns } = possible;
  return {
    counts,
    accuracies: tabulate(rows, columns, (i, j) => accuracyOf(at(logOdds, i, j), model)),
    links: bestLinks(tabulate(rows, columns, (i, j) => at(logOdds, i, j) - least)),
  };
};
