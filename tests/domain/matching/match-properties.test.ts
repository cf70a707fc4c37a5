import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import { isRealName } from '../../../domain/kernel/names.js';
import { type MatchInput, matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { anyInput, face, speaker } from './cases.js';

const shifted = <Part extends Interval>(parts: readonly Part[], by: number): readonly Part[] =>
  parts.map((part) => ({ ...part, start: part.start + by, end: part.end + by }));

const later = (input: MatchInput, by: number): MatchInput => ({
  ...input,
  faces: input.faces.map((f) => ({ ...f, tracks: shifted(f.tracks, by), talking: shifted(f.talking, by) })),
  speakers: input.speakers.map((s) => ({ ...s, turns: shifted(s.turns, by) })),
});

const reordered = (input: MatchInput): MatchInput => ({
  ...input,
  faces: input.faces
    .toReversed()
    .map((f) => ({ ...f, tracks: f.tracks.toReversed(), talking: f.talking.toReversed() })),
  speakers: input.speakers.toReversed().map((s) => ({ ...s, turns: s.turns.toReversed() })),
});

/** Every track and turn split in the middle. */
const inHalves = <Part extends Interval>(parts: readonly Part[]): readonly Part[] =>
  parts.flatMap((part) => {
    const middle = (part.start + part.end) / 2;
    return [
      { ...part, end: middle },
      { ...part, start: middle },
    ];
  });

const cut = (input: MatchInput): MatchInput => ({
  ...input,
  faces: input.faces.map((f) => ({ ...f, tracks: inHalves(f.tracks) })),
  speakers: input.speakers.map((s) => ({ ...s, turns: inHalves(s.turns) })),
});

const holds = (law: (input: MatchInput) => void): void => fc.assert(fc.property(anyInput, law));

describe('matching: laws', () => {
  it('every target and every face is either matched, once, or unmatched, and nobody else is mentioned', () =>
    holds((input) => {
      const { matches, unmatched_speakers, unmatched_faces } = matchSpeakersToFaces(input);
      const targets = input.target_speaker_ids ?? input.speakers.map(({ speaker_id }) => speaker_id);
      const speakers = [...matches, ...unmatched_speakers].map(({ speaker_id }) => speaker_id);
      expect(speakers).to.have.members([...targets]);
      const faces = [...matches.map(({ face_id }) => face_id), ...unmatched_faces];
      expect(faces).to.have.members(input.faces.map(({ face_id }) => face_id));
    }));

  it('the order of the input does not matter', () =>
    holds((input) => {
      expect(matchSpeakersToFaces(reordered(input))).to.deep.equal(matchSpeakersToFaces(input));
    }));

  it('a shift in time does not matter', () =>
    holds((input) => {
      expect(matchSpeakersToFaces(later(input, 512))).to.deep.equal(matchSpeakersToFaces(input));
    }));

  it('splitting an interval does not matter', () =>
    holds((input) => {
      expect(matchSpeakersToFaces(cut(input))).to.deep.equal(matchSpeakersToFaces(input));
    }));

  it('a placeholder is never a name', () =>
    holds((input) => {
      const names = new Map(input.faces.map(({ face_id, name }) => [face_id, name]));
      const byName = matchSpeakersToFaces(input).matches.filter(({ channel }) => channel === 'name');
      byName.forEach(({ face_id }) => expect(isRealName(names.get(face_id) ?? null)).to.equal(true));
    }));

  it('an accuracy is a probability', () =>
    holds((input) =>
      [
        ...matchSpeakersToFaces(input).matches,
        ...matchSpeakersToFaces(input).unmatched_speakers.flatMap(({ candidates }) => candidates ?? []),
      ].forEach(({ accuracy }) => expect(accuracy).to.be.within(0, 1)),
    ));

  it('all results can be stored unchanged, for any times', () => {
    const anyTime = fc.constantFrom(0, 1, 3, 10, 1e9, 1e16, 1e300, 9e307, 1.7e308, 5e-324);
    const anySpan = fc.tuple(anyTime, anyTime).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
    const spans = fc.array(anySpan, { minLength: 1, maxLength: 3 });
    const talking = fc.array(
      fc.record({ at: anySpan, score: fc.constantFrom(0, 0.5, 1) }).map(({ at, score }) => ({ ...at, score })),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ tracks: spans, talking }), { minLength: 1, maxLength: 3 }),
        fc.array(spans, { minLength: 1, maxLength: 3 }),
        (seen, turnsOfSpeakers) => {
          const result = matchSpeakersToFaces({
            faces: seen.map((times, id) => face(id, times.tracks, times)),
            speakers: turnsOfSpeakers.map((turns, id) => speaker(id, turns)),
            target_speaker_ids: null,
          });
          expect(JSON.parse(JSON.stringify(result))).to.deep.equal(result);
        },
      ),
    );
  });
});
