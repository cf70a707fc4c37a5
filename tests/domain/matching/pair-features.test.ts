import { expect } from 'chai';
import { coPresenceOf } from '../../../domain/matching/co-presence.js';
import { endsTogether, featuresOf } from '../../../domain/matching/pair-features.js';
import { at, tabulate } from '../../../domain/matching/matrix.js';
import { type Timeline, timelineOf } from '../../../domain/matching/timeline.js';
import { face, spans, speaker } from './cases.js';

const [ann, bob] = [0, 1];

/** Ann is heard in the first two tracks of the face, Bob in the third, nobody in the fourth. */
const timeline: Timeline = timelineOf(
  [speaker(7, spans([0, 4], [10, 14])), speaker(8, spans([20, 25], [29.95, 31]))],
  [face(1, spans([0, 4.5], [10, 15], [20, 22], [29, 30]))],
);

const allPossible = (of: Timeline) => tabulate(of.heard.length, of.presences.length, () => 1);

describe('matching: features of a pair', () => {
  it('counts the tracks of a face in which the speaker is heard, and those in which only others are', () => {
    const { tracksWithSpeaker, tracksWithOthers } = coPresenceOf(timeline);
    expect([at(tracksWithSpeaker, ann, 0), at(tracksWithOthers, ann, 0)]).to.deep.equal([2, 1]);
    expect([at(tracksWithSpeaker, bob, 0), at(tracksWithOthers, bob, 0)]).to.deep.equal([1, 2]);
  });

  it('ignores a twentieth of a second of speech in a track', () => {
    const { together, tracksWithSpeaker } = coPresenceOf(timeline);
    expect(at(together, bob, 0)).to.be.closeTo(2.05, 1e-9);
    expect(at(tracksWithSpeaker, bob, 0)).to.equal(1);
  });

  it('counts the tracks that end within 0.69 s of the end of a turn, each once', () => {
    expect(at(endsTogether(timeline), ann, 0)).to.equal(1);
    expect(at(endsTogether(timeline), bob, 0)).to.equal(0);
    const often = timelineOf([speaker(7, spans([0, 3.8], [3.9, 4.2], [4.3, 4.8]))], [face(1, spans([0, 4.5]))]);
    expect(at(endsTogether(often), 0, 0)).to.equal(1);
  });

  it('measures the share of a face’s visible time with speech of others', () => {
    const features = featuresOf(timeline, coPresenceOf(timeline), allPossible(timeline));
    expect(features(ann, 0).othersHeard).to.be.closeTo(2.05 / 12.5, 1e-9);
    expect(features(bob, 0).othersHeard).to.be.closeTo(8 / 12.5, 1e-9);
    expect(features(ann, 0).endTogether).to.equal(1 / 4);
  });

  it('measures how much the face talks while the speaker speaks, relative to 0.3 s', () => {
    const talking = [
      { start: 0, end: 10, score: 0 },
      { start: 10, end: 10.2, score: 1 },
      { start: 20, end: 22, score: 1 },
    ];
    const scored = timelineOf(
      [speaker(7, spans([0, 4], [10, 14])), speaker(8, spans([20, 25]))],
      [{ ...face(1, spans([0, 4.5], [10, 10.2], [20, 22])), talking }, face(2, spans([0, 4]))],
    );
    const features = featuresOf(scored, coPresenceOf(scored), allPossible(scored));
    expect(features(ann, 0).seenToTalk).to.be.closeTo(0.2 / 0.3, 1e-9);
    expect(features(bob, 0).seenToTalk).to.equal(1);
    expect([features(ann, 1).seenToTalk, features(bob, 1).seenToTalk], 'without scores').to.deep.equal([0, 0]);
  });
});
