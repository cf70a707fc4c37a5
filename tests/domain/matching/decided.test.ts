import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Decided, decidedPairs, nothingDecided, possiblePairs } from '../../../domain/matching/decided.js';
import { type MatchInput, matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { faceId, speakerId } from '../../support/values.js';
import { anyInput, face, spans, speaker } from './cases.js';

const pair = (face_id: number, speaker_id: number) => ({ face_id: faceId(face_id), speaker_id: speakerId(speaker_id) });

/** Decisions about the input, with confirmed links one to one. */
const anyDecided = (input: MatchInput): fc.Arbitrary<Decided> => {
  const faces = input.faces.map(({ face_id }) => face_id);
  const speakers = input.speakers.map(({ speaker_id }) => speaker_id);
  return fc
    .record({
      faces: fc.shuffledSubarray(faces),
      speakers: fc.shuffledSubarray(speakers),
      count: fc.nat(3),
      unseen: fc.subarray(speakers),
      refused: fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 6 }),
    })
    .map(({ faces: some, speakers: others, count, unseen, refused }) => {
      const confirmed = others.slice(0, count).flatMap((speaker_id, index) => {
        const face_id = some[index];
        return face_id === undefined ? [] : [{ face_id, speaker_id }];
      });
      const linked = new Set(confirmed.map(({ speaker_id }) => speaker_id));
      const isConfirmed = ({ face_id, speaker_id }: (typeof confirmed)[number]) =>
        confirmed.some((one) => one.face_id === face_id && one.speaker_id === speaker_id);
      return {
        confirmed,
        unseen: unseen.filter((speaker_id) => !linked.has(speaker_id)),
        rejected: refused
          .flatMap(([row, column]) => {
            const [face_id, speaker_id] = [faces[column], speakers[row]];
            return face_id === undefined || speaker_id === undefined ? [] : [{ face_id, speaker_id }];
          })
          .filter((one) => !isConfirmed(one)),
      };
    });
};

const decidedInput = anyInput
  .map((input) => ({ ...input, target_speaker_ids: null }))
  .chain((input) => anyDecided(input).map((decided) => ({ ...input, decided })));

describe('matching: pairs that may belong together', () => {
  const speakers = [7, 8, 9].map((id) => speaker(id, []));
  const faces = [1, 2, 3, 4].map((id) => face(id, []));

  it('follow from what people decided and from names', () => {
    const cases: readonly (readonly [about: Partial<Decided>, named: readonly [number, number][], string])[] = [
      [{}, [], '1111 1111 1111'],
      [{ confirmed: [pair(3, 8)] }, [], '1101 0010 1101'],
      [{ rejected: [pair(1, 9), pair(4, 8)] }, [], '1111 1110 0111'],
      [{ unseen: [speakerId(8)] }, [], '1111 0000 1111'],
      [{ confirmed: [pair(1, 7)] }, [[2, 3]], '1000 0110 0001'],
      [
        { confirmed: [pair(1, 99), pair(99, 7)], unseen: [speakerId(99)], rejected: [pair(99, 99)] },
        [],
        '1111 1111 1111',
      ],
    ];
    for (const [about, named, expected] of cases) {
      const decided = decidedPairs({ ...nothingDecided, ...about }, speakers, faces);
      const links = named.map(([row, column]) => ({ row, column }));
      const { cells } = possiblePairs(speakers.length, faces.length, decided, links);
      expect(cells.join('').replace(/.{4}(?=.)/gu, '$& '), JSON.stringify(about)).to.equal(expected);
    }
  });
});

describe('matching: decisions of people', () => {
  it('is kept, whatever else the evidence says', () =>
    fc.assert(
      fc.property(decidedInput, (input) => {
        const { matches, unmatched_speakers } = matchSpeakersToFaces(input);
        const { confirmed, unseen, rejected } = input.decided;
        const found = matches.map(({ face_id, speaker_id }) => ({ face_id, speaker_id }));
        expect(found).to.include.deep.members([...confirmed]);
        rejected.forEach((refused) => expect(found).not.to.deep.include(refused));
        unseen.forEach((speaker_id) =>
          expect(unmatched_speakers).to.deep.include({ speaker_id, reason: 'decided_not_seen' }),
        );
        expect(new Set(found.map(({ face_id }) => face_id)).size).to.equal(found.length);
        expect(new Set(found.map(({ speaker_id }) => speaker_id)).size).to.equal(found.length);
      }),
      { numRuns: 300 },
    ));

  it('makes other links more certain: a taken face leaves the other one to a rival', () => {
    const turns = spans([0, 4], [10, 14], [20, 24]);
    const input = { faces: [face(1, turns), face(2, turns)], speakers: [speaker(7, turns), speaker(8, turns)] };
    const everyone = { ...input, target_speaker_ids: null };
    expect(matchSpeakersToFaces(everyone).matches).to.deep.equal([]);
    const decided: Decided = { confirmed: [pair(1, 7)], unseen: [], rejected: [] };
    const { matches } = matchSpeakersToFaces({ ...everyone, decided });
    expect(matches.map(({ face_id, speaker_id }) => [face_id, speaker_id])).to.deep.equal([
      [1, 7],
      [2, 8],
    ]);
    expect(matches[0]?.evidence).to.include({ decision: 'confirmed', seconds_together: 12 });
    const rejected: Decided = { confirmed: [], unseen: [], rejected: [pair(1, 8), pair(2, 7)] };
    expect(matchSpeakersToFaces({ ...everyone, decided: rejected }).matches).to.have.length(2);
  });
});
