import { expect } from 'chai';
import type { Interval } from '../../../domain/kernel/interval.js';
import {
  type CoPresence,
  coPresenceOf,
  featuresOf,
  type PairFeatures,
  speechCredit,
} from '../../../domain/matching/pair-features.js';
import { matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { at, type Matrix, tabulate } from '../../../domain/matching/matrix.js';
import { type Timeline, timelineOf } from '../../../domain/matching/timeline.js';
import { face, spans, speaker } from './cases.js';
import {
  credit,
  creditWithoutOnePair,
  featuresUnscored,
  featuresScored,
  matchedUnscored,
  matchedScored,
} from './worked-example.js';

/**
 * A conversation of three in which each face is also shown while others speak. The model's coefficients were fitted to features
 * that were calculated like this: other features would need other coefficients.
 */
const speakers = [
  speaker(7, spans([0, 4], [10, 14], [22, 23])),
  speaker(8, spans([4.5, 9], [15, 19], [13.5, 14.5])),
  speaker(9, spans([19.5, 21.5], [30, 30.75])),
];
const tracks = [
  spans([0, 4.25], [10.5, 13], [16, 17.5]),
  spans([5, 9.5], [14.25, 16], [20, 21], [1, 2]),
  spans([19, 22], [23.5, 29], [12, 12.05]),
];
const talking = [
  [
    { start: 0, end: 3, score: 0.875 },
    { start: 16, end: 17, score: 0.125 },
  ],
  [{ start: 5, end: 9, score: 0.75 }],
  [],
];
const unscored = tracks.map((times, n) => face(n + 1, times));
const scored = tracks.map((times, n) => face(n + 1, times, { talking: talking[n] ?? [] }));

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0;

const rowsOf = (matrix: Matrix): readonly (readonly number[])[] =>
  Array.from({ length: matrix.rows }, (_, row) =>
    Array.from({ length: matrix.columns }, (__, column) => rounded(at(matrix, row, column))),
  );

const seconds = (one: Interval, other: Interval): number =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));

/** A number for each speaker and face, by comparing all turns with all tracks. */
const ofAll = (of: (turns: readonly Interval[], seen: readonly Interval[]) => number) =>
  speakers.map(({ turns }) => tracks.map((seen) => rounded(of(turns, seen))));
const shared = (part: Interval, others: readonly Interval[]): number =>
  others.reduce((sum, other) => sum + seconds(part, other), 0);
const sumOf = (parts: readonly Interval[], of: (part: Interval) => number): number =>
  parts.reduce((sum, part) => sum + of(part), 0);
/** The seconds of each part with others, times the share that they are of it. */
const weighted = (parts: readonly Interval[], others: readonly Interval[]): number =>
  sumOf(parts, (part) => shared(part, others) ** 2 / (part.end - part.start));

describe('matching: statistics of a conversation', () => {
  const timeline = timelineOf(speakers, unscored);
  const counts = coPresenceOf(timeline);
  const counted = (name: Exclude<keyof CoPresence, 'facesIn'>) => rowsOf(counts[name]);

  it('the seconds that a speaker and a face are together; without talking scores all count fully', () => {
    const together = ofAll((turns, seen) => sumOf(turns, (turn) => shared(turn, seen)));
    expect(counted('together')).to.deep.equal(together);
    expect(counted('talking')).to.deep.equal(together);
  });

  it('those seconds, weighted by the share that they are of the turn or of the track', () => {
    expect(counted('turnsSeen')).to.deep.equal(ofAll((turns, seen) => weighted(turns, seen)));
    expect(counted('tracksHeard')).to.deep.equal(ofAll((turns, seen) => weighted(seen, turns)));
  });

  it('the seconds of speech that each face accounts for', () => {
    const all = tabulate(3, 3, () => 1);
    expect(rowsOf(speechCredit(timeline, counts.facesIn, all))).to.deep.equal(credit);
    const some = tabulate(3, 3, (row, column) => (row === 0 && column === 0 ? 0 : 1));
    expect(rowsOf(speechCredit(timeline, counts.facesIn, some))).to.deep.equal(creditWithoutOnePair);
  });
});

describe('matching: features of a conversation', () => {
  const features = (faces: typeof unscored): readonly (readonly number[])[] => {
    const timeline: Timeline = timelineOf(speakers, faces);
    const of = featuresOf(
      timeline,
      coPresenceOf(timeline),
      tabulate(3, 3, () => 1),
    );
    /* Compare the arguments of the logarithms. */
    const amount = (logarithm: number) => Math.exp(logarithm) - 0.5;
    const row = (one: PairFeatures) => [
      Math.exp(one.creditOfFace),
      amount(one.speaking),
      amount(one.turnsSeen),
      amount(one.tracksHeard),
      amount(one.conversation),
      amount(one.tracksWithSpeaker),
      amount(one.tracksWithOthers),
      one.endTogether,
      one.othersHeard,
      one.seenToTalk,
      Math.exp(one.faces),
      amount(one.visible),
      amount(one.trackLength),
    ];
    return [0, 1, 2].flatMap((s) => [0, 1, 2].map((f) => row(of(s, f)).map(rounded)));
  };

  it('without talking scores', () => expect(features(unscored)).to.deep.equal(featuresUnscored));
  it('with talking scores', () => expect(features(scored)).to.deep.equal(featuresScored));
});

describe('matching: a conversation', () => {
  const result = (faces: typeof unscored) => matchSpeakersToFaces({ faces, speakers, target_speaker_ids: null });

  it('is matched without talking scores', () => expect(result(unscored)).to.deep.equal(matchedUnscored));
  it('is matched with talking scores', () => expect(result(scored)).to.deep.equal(matchedScored));
});
