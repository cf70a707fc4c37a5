import { expect } from 'chai';
import { coOccurrence, surplusOfFaces } from '../../../domain/matching/co-occurrence.js';
import { type MatchInput, matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { at, tabulate } from '../../../domain/matching/matrix.js';
import { publicClipsModel } from '../../../domain/matching/model.js';
import { presenceOf, type TalkingScore, timelineOf } from '../../../domain/matching/timeline.js';
import { face, spans, speaker } from './cases.js';

describe('matching: talking scores', () => {
  const scores = (...all: readonly (readonly [start: number, end: number, score: number])[]): readonly TalkingScore[] =>
    all.map(([start, end, score]) => ({ start, end, score }));
  /** The weight of a second with this score: 1/16 at 0, 1 at 1. */
  const weight = (score: number): number => (1 + 15 * score) / 16;
  const weigh = (talking: readonly TalkingScore[]) => presenceOf({ tracks: spans([0, 9]), talking }).weigh;

  it('weigh each second of a face from a sixteenth to one; without any every second counts fully', () => {
    const cases = [
      [scores([1, 2, 0.8]), [0.5, 0.8, 0.5]],
      [scores([2, 3, 0.25], [0, 1, 0], [1, 2, 1]), [0, 1, 0.25, 0.5]],
      [scores([0, 3, 0.2], [1, 4, 0.6], [2, 3, 1], [5, 5, 1]), [0.2, 0.2, 0.2, 0.6, 0.5, 0.5]],
      [scores([0, 1, 1], [0, 1, 0.25], [0, 2, 0.75]), [0.25, 0.75]],
      [scores([1e300, 2e300, 1], [0, 1, 0.9]), [0.9, 0.5]],
    ] as const;
    for (const [talking, expected] of cases)
      expected.forEach((score, second) =>
        expect(weigh(talking)(second, second + 1), `second ${second}`).to.be.closeTo(weight(score), 1e-12),
      );
    expect(weigh([])(3, 4)).to.equal(1);
    expect(weigh(scores([1, 3, 1]))(0.5, 1.5), 'parts of seconds').to.be.closeTo(0.5 * weight(0.5) + 0.5, 1e-12);
  });
});

describe('matching: surplus of faces', () => {
  const surplus = (...rows: readonly (readonly number[])[]) =>
    surplusOfFaces(tabulate(rows.length, rows[0]?.length ?? 0, (row, column) => rows[row]?.[column] ?? 0));

  it('is the logarithm of how many faces look like a speaker, for each speaker; 0 if there are fewer', () => {
    expect(surplus([50, 50, 50])).to.be.closeTo(Math.log(3.5 / 1.5), 1e-9);
    expect(surplus([50, 50, 0, -Infinity])).to.be.closeTo(Math.log(3 / 1.5), 1e-9);
    for (const none of [surplus([50], [50], [50]), surplus([50, -50], [-50, 50]), surplus(), surplus([], [])])
      expect(none).to.equal(0);
  });

  it('lowers accuracies as the model is cautious, but changes no link', () => {
    const turns = [spans([0, 4], [20, 24]), spans([10, 14], [30, 34])];
    const timeline = timelineOf(
      [speaker(7, turns.flat())],
      turns.map((own, id) => face(id, id === 0 ? own : own.slice(1))),
    );
    const possible = tabulate(1, 2, () => 1);
    const [trusting, cautious] = [0, 3].map((caution) => {
      const model = { ...publicClipsModel, seen: { ...publicClipsModel.seen, caution } };
      const { links, accuracies } = coOccurrence(timeline, possible, model);
      return { links, accuracy: at(accuracies, 0, 0) };
    });
    expect(cautious?.links).to.deep.equal(trusting?.links);
    expect(cautious?.accuracy).to.be.within(0.5, (trusting?.accuracy ?? 0) - 0.05);
  });
});

describe('matching: picture and sound out of step', () => {
  const rounds = Array.from({ length: 12 }, (_, n) => 10 * n);
  const turns = (start: number, end: number) => spans(...rounds.map((at): [number, number] => [at + start, at + end]));
  const found = (faces: MatchInput['faces'], speakers: MatchInput['speakers']) =>
    matchSpeakersToFaces({ faces, speakers, target_speaker_ids: null }).matches.map(({ evidence }) => [
      evidence['time_offset'],
      evidence['seconds_together'],
    ]);

  it('are aligned by the delay of the picture, up to half a second, and seconds together counted without it', () => {
    for (const tenths of [-9, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 9]) {
      const late = tenths / 10;
      const offset = Math.max(-0.5, Math.min(0.5, late));
      const faces = [face(1, turns(10 + late, 14 + late)), face(2, turns(15 + late, 19 + late))];
      const together = tenths === offset * 10 ? 48 : 43.2;
      expect(found(faces, [speaker(7, turns(10, 14)), speaker(8, turns(15, 19))]), String(late)).to.deep.equal([
        [offset, together],
        [offset, together],
      ]);
    }
  });

  it('keep the given times if the gain is small, or equal', () => {
    expect(found([face(1, spans([0, 8]))], [speaker(7, spans([1, 8.1]))])).to.deep.equal([[0, 7]]);
    expect(found([face(1, turns(9, 13))], [speaker(7, turns(10, 12))])).to.deep.equal([[0, 24]]);
  });
});
