import { expect } from 'chai';
import { coOccurrence, type CoOccurrence } from '../../../domain/matching/co-occurrence.js';
import { logit, seenUnmatched } from '../../../domain/matching/likelihood.js';
import { tabulate } from '../../../domain/matching/matrix.js';
import { publicClipsModel } from '../../../domain/matching/public-clips-model.js';
import { timeOffset } from '../../../domain/matching/synchronised.js';
import { timelineOf } from '../../../domain/matching/timeline.js';
import { unmatchedFeatures, whyUnmatched } from '../../../domain/matching/unmatched-reason.js';
import { face, spans, speaker } from './cases.js';

const row = (cells: readonly number[]) => tabulate(1, cells.length, (_, column) => cells[column] ?? 0);

/** One speaker, with these log odds of each face alone and these accuracies of a link to it. */
const question = (seconds: number, alone: readonly number[], accuracies: readonly number[] = alone.map(() => 0)) => {
  const faces = alone.map((_, id) => face(id, []));
  const timeline = timelineOf([speaker(7, spans([0, seconds / 2], [50, 50 + seconds / 2]))], faces);
  const found: CoOccurrence = {
    ...coOccurrence(
      timeline,
      tabulate(1, faces.length, () => 1),
    ),
    alone: row(alone),
    accuracies: row(accuracies),
  };
  return { timeline, found, offset: 0 };
};

describe('matching: features of a speaker without a face', () => {
  it('are the probability of any face and of the best link, and the amount of speech and turns', () => {
    const features = unmatchedFeatures(0, question(6, [0, Math.log(3)], [0.2, 0.4]));
    expect(features.anyFace).to.be.closeTo(logit(4 / 5), 1e-9);
    expect(features.bestLink).to.be.closeTo(logit(0.4), 1e-9);
    expect(features.speaking).to.be.closeTo(Math.log(7), 1e-9);
    expect(features.turns).to.be.closeTo(Math.log(2), 1e-9);
    expect(unmatchedFeatures(0, question(6, [0], [0.2])).bestLink).to.be.closeTo(logit(0.2), 1e-9);
  });

  it('are limited to probabilities of one in a thousand', () => {
    const sure = unmatchedFeatures(0, question(6, [500, 1], [1, 0]));
    const unsure = unmatchedFeatures(0, question(0, [-Infinity], [0]));
    for (const name of ['anyFace', 'bestLink'] as const) {
      expect(sure[name]).to.be.closeTo(logit(0.999), 1e-9);
      expect(unsure[name]).to.be.closeTo(logit(0.001), 1e-9);
    }
    expect([unsure.speaking, unsure.turns]).to.deep.equal([0, 0]);
  });
});

describe('matching: why a speaker has no face', () => {
  const why = (...given: Parameters<typeof question>) => whyUnmatched(0, question(...given), publicClipsModel);
  const oddsOf = (chance: number) => Math.log(chance / (1 - chance));

  it('is too little speech below a second', () => {
    expect(why(0.99, [3])).to.deep.include({ reason: 'too_little_speech', rivals: [] });
    expect(why(1, [3]).reason).to.equal('ambiguous');
  });

  it('is off screen below a quarter', () => {
    expect(why(9, [oddsOf(0.24)])).to.deep.include({ reason: 'off_screen', rivals: [] });
    expect(why(9, []).reason).to.equal('off_screen');
    expect(why(9, [oddsOf(0.26)]).reason).to.equal('ambiguous');
    expect(why(9, [oddsOf(0.2), oddsOf(0.2)]).reason).to.equal('ambiguous');
  });

  it('is ambiguous otherwise, with the five likeliest possible faces, ties in order', () => {
    const log = [1, 2, 4, 2, 8, 3, 5].map(Math.log);
    const { rivals } = why(9, [...log, -Infinity]);
    expect(rivals.map(({ column }) => column)).to.deep.equal([4, 6, 2, 5, 1]);
    expect(rivals.map(({ chance }) => Math.round(chance * 26))).to.deep.equal([8, 5, 4, 3, 2]);
    expect(why(9, [-Infinity, 2, -Infinity]).rivals.map(({ column }) => column)).to.deep.equal([1]);
  });

  it('has the probability that no face is the speaker’s', () => {
    const given = question(6, [0, 1], [0.2, 0.4]);
    const { nobody } = whyUnmatched(0, given, publicClipsModel);
    expect(nobody).to.be.closeTo(1 - seenUnmatched(unmatchedFeatures(0, given), publicClipsModel), 1e-12);
    expect(why(600, [-Infinity]).nobody).to.equal(0.995);
  });
});

describe('matching: delay of the picture', () => {
  const rounds = Array.from({ length: 10 }, (_, n) => 10 * n + 10);
  const moved = (start: number, end: number) => spans(...rounds.map((at): [number, number] => [at + start, at + end]));

  /** The offset that is found for one pair with this accuracy. */
  const offset = (turn: readonly [number, number], track: readonly [number, number], accuracy = 1): number => {
    const timeline = timelineOf([speaker(7, moved(...turn))], [face(1, moved(...track))]);
    const found = coOccurrence(timeline, row([1]));
    return timeOffset(timeline, { ...found, links: [{ row: 0, column: 0 }], accuracies: row([accuracy]) });
  };

  it('maximizes the time that pairs are together', () => {
    expect(offset([0, 2], [0, 2])).to.equal(0);
    expect(offset([0, 2], [0.3, 2.3])).to.equal(0.3);
    expect(offset([0, 2], [-0.4, 1.6])).to.equal(-0.4);
    expect(offset([0, 2], [0.3, 9])).to.equal(0.3);
    expect(offset([0, 2], [2.2, 4])).to.equal(0.5);
    expect(offset([0, 2], [-5, -0.2])).to.equal(-0.5);
  });

  it('is the smallest of equal ones, and zero for small gains', () => {
    expect(offset([0, 2], [-1, 3])).to.equal(0);
    expect(offset([0, 2], [0.3, 2.3], 0.2)).to.equal(0.1);
    expect(offset([0, 2], [0.3, 2.3], 0.05)).to.equal(0);
  });

  it('is zero without links', () => {
    const timeline = timelineOf([speaker(7, moved(0, 2))], [face(1, moved(0.3, 2.3))]);
    expect(timeOffset(timeline, { ...coOccurrence(timeline, row([1])), links: [] })).to.equal(0);
  });
});
