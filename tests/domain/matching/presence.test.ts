import { expect } from 'chai';
import { presenceOf, scoreOf, type TalkingScore } from '../../../domain/matching/presence.js';
import { spans } from './cases.js';

const scores = (...all: readonly (readonly [start: number, end: number, score: number])[]): readonly TalkingScore[] =>
  all.map(([start, end, score]) => ({ start, end, score }));

/** The weight of a second with this score: 1/16 at 0, 1 at 1. */
const weight = (score: number): number => (1 + 15 * score) / 16;

/** The weight of each of the first seconds. */
const weights = (talking: readonly TalkingScore[], seconds: number): readonly number[] => {
  const { weigh } = presenceOf(spans([0, seconds]), talking);
  return Array.from({ length: seconds }, (_, second) => weigh(second, second + 1));
};

const expectWeights = (talking: readonly TalkingScore[], ...expected: readonly number[]) => {
  const found = weights(talking, expected.length);
  expected.forEach((score, second) => expect(found[second], `second ${second}`).to.be.closeTo(weight(score), 1e-12));
};

describe('matching: meaning of talking scores', () => {
  it('a second without a score is unknown, and so is a face without any', () => {
    expect(presenceOf(spans([0, 2]), []).scored).to.equal(false);
    expect(weights([], 2)).to.deep.equal([1, 1]);
    expect(presenceOf(spans([0, 2]), scores([1, 2, 0.8])).scored).to.equal(true);
    expect(weights(scores([1, 2, 0.8]), 3)).to.deep.equal([weight(0.5), weight(0.8), weight(0.5)]);
    expect(weights(scores([1, 2, 0.2]), 3)).to.deep.equal([weight(0.5), weight(0.2), weight(0.5)]);
  });
});

describe('matching: weights by talking scores', () => {
  it('range from a sixteenth to one', () => {
    expectWeights(scores([0, 1, 0], [1, 2, 1], [2, 3, 0.25], [3, 4, 7], [4, 5, -7]), 0, 1, 0.25, 1, 0);
    expect([0, 0.5, 1].map((score) => scoreOf(weight(score)))).to.deep.equal([0, 0.5, 1]);
  });

  it('count parts of a second by their length', () => {
    const { weigh } = presenceOf(spans([0, 4]), scores([1, 3, 1]));
    expect(weigh(0.5, 1.5)).to.be.closeTo(0.5 * weight(0.5) + 0.5, 1e-12);
    expect(weigh(2.75, 3.25)).to.be.closeTo(0.25 + 0.25 * weight(0.5), 1e-12);
    expect(weigh(1, 3)).to.be.closeTo(2, 1e-12);
  });

  it('use the mean of overlapping scores, in any order', () => {
    const overlapping = scores([0, 3, 0.2], [1, 4, 0.6], [2, 3, 1]);
    expectWeights(overlapping, 0.2, 0.4, 0.6, 0.6, 0.5);
    expectWeights(overlapping.toReversed(), 0.2, 0.4, 0.6, 0.6, 0.5);
    expectWeights(scores([1, 2, 0.8], [0, 1, 0.2]), 0.2, 0.8, 0.5);
    expectWeights(scores([0, 2, 0.2], [0, 2, 0.4], [0, 1, 0.9]), 0.5, 0.3, 0.5);
    expectWeights(scores([0, 1, 0.2], [0, 2, 0.4], [3, 4, 1]), 0.3, 0.4, 0.5, 1);
  });

  it('ignore invalid scores and those without length', () => {
    expectWeights(scores([0, 2, Number.NaN], [1, 2, 0.9]), 0.5, 0.9);
    expectWeights(scores([0, 1, 0.9], [1, 1, 0], [2, 1, 0], [1, 2, Infinity]), 0.9, 0.5);
    expectWeights(scores([1e300, 2e300, 1], [0, 1, 0.9]), 0.9, 0.5);
  });
});
