import { expect } from 'chai';
import { accuracyOf, calibrated, logit, logOddsOf, seenUnmatched } from '../../../domain/matching/likelihood.js';
import type { PairFeatures } from '../../../domain/matching/pair-features.js';
import { publicClipsModel } from '../../../domain/matching/public-clips-model.js';

const noFeatures: PairFeatures = {
  creditOfFace: 0,
  speaking: 0,
  turnsSeen: 0,
  tracksHeard: 0,
  conversation: 0,
  tracksWithSpeaker: 0,
  tracksWithOthers: 0,
  endTogether: 0,
  othersHeard: 0,
  seenToTalk: 0,
  faces: 0,
  visible: 0,
  trackLength: 0,
};

describe('matching: likelihood', () => {
  it('adds each feature, times its coefficient, to the constant', () => {
    const by = { ...publicClipsModel.seenTalking.pair };
    expect(logOddsOf(noFeatures, by)).to.equal(by.constant);
    const values = { ...noFeatures };
    let expected = by.constant;
    for (const [index, name] of Object.keys(noFeatures).entries()) {
      const feature = Object.keys(noFeatures).find((one): one is keyof PairFeatures => one === name);
      if (feature === undefined) throw new Error('no such feature');
      values[feature] = index + 2;
      expected += by[feature] * (index + 2);
      expect(logOddsOf({ ...noFeatures, [name]: 3 }, by), name).to.be.closeTo(by.constant + 3 * by[feature], 1e-9);
    }
    expect(logOddsOf(values, by)).to.be.closeTo(expected, 1e-9);
  });

  it('weighs the odds of a pair alone and among others', () => {
    expect(calibrated(3, 5, { constant: 1, alone: 0.5, among: 2 })).to.equal(12.5);
    expect(calibrated(-2, 4, { constant: 0, alone: 0.25, among: 0.5 })).to.equal(1.5);
  });

  it('converts probabilities to log odds and back, up to the maximum', () => {
    expect(logit(0.5)).to.equal(0);
    expect(logit(0.8)).to.be.closeTo(Math.log(4), 1e-9);
    expect(accuracyOf(0)).to.equal(0.5);
    expect(accuracyOf(Math.log(4))).to.be.closeTo(0.8, 1e-9);
    expect(accuracyOf(-Math.log(4))).to.be.closeTo(0.2, 1e-9);
    expect(accuracyOf(50)).to.equal(0.995);
  });

  it('predicts how likely a speaker without a link is visible', () => {
    const by = { constant: 1, anyFace: 2, bestLink: 3, speaking: 5, turns: 7 };
    const model = { ...publicClipsModel, seenUnmatched: by };
    const features = { anyFace: 0.1, bestLink: -0.2, speaking: 0.3, turns: -0.4 };
    expect(logit(seenUnmatched(features, model))).to.be.closeTo(1 + 0.2 - 0.6 + 1.5 - 2.8, 1e-9);
    const none = { anyFace: 0, bestLink: 0, speaking: 0, turns: 0 };
    expect(logit(seenUnmatched(none, model))).to.be.closeTo(1, 1e-9);
  });
});
