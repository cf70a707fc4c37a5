import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import { type MatchInput, matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { face, spans, speaker } from './cases.js';

const rounds = Array.from({ length: 12 }, (_, n) => 10 * n);
const annTurns = rounds.map((start) => ({ start, end: start + 4 }));
const bobTurns = rounds.map((start) => ({ start: start + 5, end: start + 9 }));

const late = (parts: readonly Interval[], by: number) =>
  parts.map(({ start, end }) => ({ start: start + by, end: end + by }));

const dialogue = (pictureLate: number): MatchInput => ({
  faces: [face(1, late(annTurns, pictureLate)), face(2, late(bobTurns, pictureLate))],
  speakers: [speaker(7, annTurns), speaker(8, bobTurns)],
  target_speaker_ids: null,
});

const offsetsFound = (input: MatchInput) =>
  matchSpeakersToFaces(input).matches.map(({ evidence }) => evidence['time_offset']);

describe('matching: picture and sound out of step', () => {
  it('finds the offset of the picture, and counts seconds together without it', () =>
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 5 }), (tenths) => {
        const { matches } = matchSpeakersToFaces(dialogue(tenths / 10));
        expect(matches.map(({ evidence }) => evidence['time_offset'])).to.deep.equal([tenths / 10, tenths / 10]);
        expect(matches.map(({ evidence }) => evidence['seconds_together'])).to.deep.equal([48, 48]);
      }),
    ));

  it('does not correct more than half a second', () => {
    expect(offsetsFound(dialogue(0.9))).to.deep.equal([0.5, 0.5]);
  });

  it('given a small gain only, it keeps the given times', () => {
    const input = {
      faces: [face(1, spans([0, 8]))],
      speakers: [speaker(7, spans([1, 8.1]))],
      target_speaker_ids: null,
    };
    expect(offsetsFound(input)).to.deep.equal([0]);
  });
});
