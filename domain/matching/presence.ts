import type { Interval } from '../kernel/interval.js';
import { forEachOverlap } from './overlap.js';
import { byStart, merged, ownedBy, type Span } from './spans.js';

export interface TalkingScore {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** When a face is in the picture, and how much each stretch of it counts as a sign that its person speaks. */
export interface Presence {
  readonly visible: readonly Interval[];
  readonly weighted: readonly Span[];
  /** Whether talking scores say something about this face. */
  readonly scored: boolean;
}

/** What a visible second with talking score 0 still counts: detectors miss, so silence is weak evidence. */
const silentWeight = 0.25;
const unknownScore = 0.5;
/** Seconds below which a gap between scores is an error of rounding. */
const shortest = 1e-6;

/** The weight of a visible second with a talking score: from 0.25 at score 0 to 1 at score 1. */
export const weightOf = (score: number): number => silentWeight + (1 - silentWeight) * Math.min(1, Math.max(0, score));

/** The talking score that gives a weight: the inverse of `weightOf`. */
export const scoreOf = (weight: number): number => (weight - silentWeight) / (1 - silentWeight);

/** Scores in order, cut so that none overlaps the one before. */
const disjoint = (talking: readonly TalkingScore[]): readonly TalkingScore[] => {
  const cut: TalkingScore[] = [];
  let covered = -Infinity;
  for (const { start, end, score } of [...talking].sort((a, b) => byStart(a, b) || a.score - b.score)) {
    const from = Math.max(start, covered);
    if (!(end > from) || !Number.isFinite(score)) continue;
    cut.push({ start: from, end, score });
    covered = end;
  }
  return cut;
};

/** Tracks cut where scores begin and end: the weight of each part with a score, and `rest` for the parts without. */
const weighed = (
  owner: number,
  tracks: readonly Interval[],
  scores: readonly TalkingScore[],
  rest: number,
): readonly Span[] => {
  const spans: Span[] = [];
  let track = -1;
  let covered = 0;
  const fill = (until: number): void => {
    if (until - covered > shortest) spans.push({ start: covered, end: until, owner, weight: rest });
    covered = until;
  };
  const moveOn = (): void => {
    const left = tracks[track];
    if (left !== undefined) fill(left.end);
    track += 1;
    covered = tracks[track]?.start ?? 0;
  };
  forEachOverlap(tracks, scores, (t, s, start, end) => {
    while (track < t) moveOn();
    fill(start);
    spans.push({ start, end, owner, weight: weightOf(scores[s]?.score ?? 0) });
    covered = end;
  });
  while (track < tracks.length) moveOn();
  return spans;
};

/** Whether the detector also reports silence; if not, visible time without a score means silence. */
export const reportsSilence = (talking: readonly TalkingScore[]): boolean => talking.some(({ score }) => score < 0.5);

/**
 * The presence of one face. `scoring` says what talking scores mean in this medium: `none` were given, only
 * `talking` stretches were, or silence is reported as well (`both`), so that time without a score is unknown.
 */
export const presenceOf = (
  owner: number,
  tracks: readonly Interval[],
  talking: readonly TalkingScore[],
  scoring: 'none' | 'talking' | 'both',
): Presence => {
  const visible = merged(tracks);
  const scored = scoring === 'talking' || talking.length > 0;
  if (!scored) return { visible, weighted: ownedBy(owner, visible), scored };
  const rest = weightOf(scoring === 'talking' ? 0 : unknownScore);
  return { visible, weighted: weighed(owner, visible, disjoint(talking), rest), scored };
};
