import { expect } from 'chai';
import { coOccurrence, surplusOfFaces } from '../../../domain/matching/co-occurrence.js';
import { at, tabulate } from '../../../domain/matching/matrix.js';
import { publicClipsModel } from '../../../domain/matching/public-clips-model.js';
import { timelineOf } from '../../../domain/matching/timeline.js';
import { face, spans, speaker } from './cases.js';

describe('matching: surplus of faces', () => {
  const surplus = (...rows: readonly (readonly number[])[]) =>
    surplusOfFaces(tabulate(rows.length, rows[0]?.length ?? 0, (row, column) => rows[row]?.[column] ?? 0));

  it('is the logarithm of how many faces look like a speaker, for each speaker', () => {
    expect(surplus([50, 50, 50])).to.be.closeTo(Math.log(3.5 / 1.5), 1e-9);
    expect(surplus([50, 0], [0, -Infinity])).to.be.closeTo(0, 1e-9);
    expect(surplus([50, 50, 0, -Infinity])).to.be.closeTo(Math.log(3 / 1.5), 1e-9);
  });

  it('counts each face once, and is 0 if there are fewer faces than speakers', () => {
    expect(surplus([50], [50], [50])).to.equal(0);
    expect(surplus([50, -50], [-50, 50])).to.equal(0);
    expect(surplusOfFaces(tabulate(0, 0, () => 0))).to.equal(0);
    expect(surplusOfFaces(tabulate(2, 0, () => 0))).to.equal(0);
  });

  it('lowers accuracies as the model is cautious, but changes no link', () => {
    const turns = [spans([0, 4], [20, 24]), spans([10, 14], [30, 34])];
    const timeline = timelineOf(
      [speaker(7, turns.flat())],
      turns.map((own, id) => face(id, id === 0 ? own : own.slice(1))),
    );
    const [trusting, cautious] = [0, 3].map((caution) =>
      coOccurrence(
        timeline,
        tabulate(1, 2, () => 1),
        { ...publicClipsModel, seen: { ...publicClipsModel.seen, caution } },
      ),
    );
    expect(cautious?.links).to.deep.equal(trusting?.links);
    const accuracyOf = (found: typeof trusting) => (found === undefined ? 0 : at(found.accuracies, 0, 0));
    expect(accuracyOf(cautious)).to.be.within(0.5, accuracyOf(trusting) - 0.05);
  });
});
