import { expect } from 'chai';
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

const seconds = (one: { readonly start: number; readonly end: number }, other: typeof one): number =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));

/** The same, by comparing all pairs. */
const summed = (of: (turn: (typeof tracks)[number][number], track: (typeof tracks)[number][number]) => number) =>
  speakers.map(({ turns }) =>
    tracks.map((seen) =>
      rounded(turns.flatMap((turn) => seen.map((track) => of(turn, track))).reduce((a, b) => a + b, 0)),
    ),
  );

describe('matching: statistics of a conversation', () => {
  const timeline = timelineOf(speakers, unscored);
  const counts = coPresenceOf(timeline);
  const counted = (name: Exclude<keyof CoPresence, 'facesIn'>) => rowsOf(counts[name]);

  it('the seconds that a speaker and a face are together; without talking scores all count fully', () => {
    expect(counted('together')).to.deep.equal(summed(seconds));
    expect(counted('talking')).to.deep.equal(summed(seconds));
  });

  it('those seconds, weighted by the share that they are of the turn or of the track', () => {
    const ofTurn = speakers.map(({ turns }) =>
      tracks.map((seen) =>
        rounded(
          turns
            .map((turn) => seen.reduce((sum, track) => sum + seconds(turn, track), 0) ** 2 / (turn.end - turn.start))
            .reduce((a, b) => a + b, 0),
        ),
      ),
    );
    const ofTrack = speakers.map(({ turns }) =>
      tracks.map((seen) =>
        rounded(
          seen
            .map((track) => turns.reduce((sum, turn) => sum + seconds(turn, track), 0) ** 2 / (track.end - track.start))
            .reduce((a, b) => a + b, 0),
        ),
      ),
    );
    expect(counted('turnsSeen')).to.deep.equal(ofTurn);
    expect(counted('tracksHeard')).to.deep.equal(ofTrack);
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
