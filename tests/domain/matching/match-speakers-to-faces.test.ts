import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import {
  type FaceTrack,
  type MatchInput,
  type MatchResult,
  matchSpeakersToFaces,
} from '../../../domain/matching/match-speakers-to-faces.js';
import { type Decided, decidedPairs, nothingDecided, possiblePairs } from '../../../domain/matching/decided.js';
import { speakerId, faceId } from '../../support/values.js';
import { face, speaker, spans, anyInput } from './cases.js';

const annTurns = spans([0, 4], [10, 14], [20, 24], [30, 34]);
const bobTurns = spans([5, 9], [15, 19], [25, 29], [35, 39]);
const both = [speaker(7, annTurns), speaker(8, bobTurns)];
const shown = [face(1, annTurns), face(2, bobTurns)];

const match = (
  faces: MatchInput['faces'],
  speakers: MatchInput['speakers'],
  targets: readonly number[] | null = null,
) => matchSpeakersToFaces({ faces, speakers, target_speaker_ids: targets?.map(speakerId) ?? null });
/** The matches by co-occurrence, as face and speaker. */
const pairs = ({ matches }: MatchResult): readonly string[] =>
  matches.flatMap(({ face_id, speaker_id, channel }) =>
    channel === 'co_occurrence' ? [`${face_id}-${speaker_id}`] : [],
  );

const talks = (turns: readonly Interval[]) => turns.map((turn) => ({ ...turn, score: 1 }));

describe('matching: speakers and faces', () => {
  it('given two people each shown while they speak, it links both', () =>
    expect(pairs(match(shown, both))).to.deep.equal(['1-7', '2-8']));

  it('given two speakers of one face, it links the one whose turns show the face, and reports the other as off screen', () => {
    const result = match([face(1, annTurns)], [speaker(7, annTurns), speaker(8, spans([100, 140]))]);
    expect(pairs(result)).to.deep.equal(['1-7']);
    expect(result.unmatched_speakers).to.deep.equal([{ speaker_id: 8, reason: 'off_screen', nobody: 0.995 }]);
  });

  it('given half a second of speech off screen, it reports too little speech', () => {
    const { unmatched_speakers } = match([], [speaker(7, spans([0, 0.5]))]);
    expect(unmatched_speakers).to.deep.equal([{ speaker_id: 7, reason: 'too_little_speech', nobody: 0.993 }]);
  });

  it('given equally good pairs, it reports them as ambiguous', () => {
    const alike = [7, 8].map((id) => speaker(id, annTurns));
    const one = match([face(1, annTurns)], alike).unmatched_speakers;
    const other = match([face(1, annTurns), face(2, annTurns)], alike.slice(1)).unmatched_speakers;
    expect([...one, ...other].map(({ reason }) => reason)).to.deep.equal(['ambiguous', 'ambiguous', 'ambiguous']);
    expect(one.map(({ candidates }) => candidates?.[0]?.matched_speaker_id)).to.deep.equal([null, null]);
  });

  it('lists the candidate faces of an ambiguous speaker, and whom they are matched to instead', () => {
    const [firstHalf, secondHalf] = [spans([0, 4], [10, 12], [20, 22], [30, 32]), spans([12, 14], [22, 24], [32, 34])];
    const split = match([face(1, annTurns)], [speaker(7, firstHalf), speaker(8, secondHalf)]);
    expect(pairs(split)).to.deep.equal(['1-7']);
    const [second] = split.unmatched_speakers;
    expect(second).to.deep.include({ speaker_id: 8, reason: 'ambiguous' });
    expect(second?.candidates).to.have.length(1);
    expect(second?.candidates?.[0]).to.deep.include({ face_id: 1, matched_speaker_id: 7 });
    expect(second?.candidates?.[0]?.accuracy).to.be.within(0.25, 1);
    const crowd = [6, 1, 5, 2, 4, 3].map((id) => face(id, annTurns));
    const [lost] = match(crowd, both.slice(0, 1)).unmatched_speakers;
    expect(lost?.candidates?.map(({ face_id }) => face_id)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('given equal names, names decide against co-occurrence', () => {
    const faces = [face(1, annTurns, { name: 'Bob Ray' }), face(2, bobTurns)];
    const { matches } = match(faces, [speaker(7, annTurns, 'Speaker 7'), speaker(8, bobTurns, 'bob ray')]);
    expect(matches.find(({ speaker_id }) => speaker_id === 8)).to.include({ face_id: 1, channel: 'name' });
  });

  it('given a target, the others compete for its faces, but only the target is reported', () => {
    const result = match(shown, [...both, speaker(9, spans([0, 1]))], [7, 9]);
    expect(pairs(result)).to.deep.equal(['1-7']);
    expect(result.unmatched_speakers.map(({ speaker_id }) => speaker_id)).to.deep.equal([9]);
    expect(result.unmatched_faces).to.deep.equal([2]);
  });

  it('given faces always seen together, talking scores decide who speaks', () => {
    const faces = [bobTurns, annTurns].map((own, n) => face(n + 1, spans([0, 40]), { talking: talks(own) }));
    expect(pairs(match(faces, both))).to.deep.equal(['2-7', '1-8']);
  });

  it('given a speaker who is two people, the accuracy of the link is lower than for either', () => {
    const accuracyOf = (...turns: readonly (readonly Interval[])[]) => {
      const speakers = turns.map((own, n) => speaker(7 + n, own));
      const { matches } = match([face(1, annTurns), face(2, bobTurns.slice(0, 3))], speakers);
      return matches.find(({ face_id }) => face_id === 1)?.accuracy ?? 0;
    };
    const [pure, mixed] = [accuracyOf(annTurns, bobTurns), accuracyOf([...annTurns, ...bobTurns])];
    expect(mixed).to.be.within(0.5, 0.8);
    expect(pure).to.be.above(0.95);
  });

  it('given long shots in which others are heard too, it links a speaker who is seen talking for a few seconds', () => {
    const shots = [spans([0, 44]), spans([45, 81]), spans([82, 114])];
    const said = [
      spans([1, 7], [89, 90]),
      spans([16, 19], [46, 50]),
      spans([10, 11], [53, 54], [58, 59], [83, 86]),
      spans([8, 9], [12, 15], [51, 52], [87, 88]),
    ];
    const faces = shots.map((shot, n) => face(n + 1, shot));
    const speakers = said.map((turns, n) => speaker(n + 1, turns));
    expect(pairs(match(faces, speakers))).to.deep.equal(['1-1', '2-2', '3-3']);
  });

  it('given talking scores of one face, or of a part of the time, the accuracies of the others are not lower', () => {
    const accuracies = (...talking: readonly FaceTrack['talking'][]) =>
      match(
        [annTurns, bobTurns, spans([12, 17])].map((own, n) => face(n + 1, own, { talking: talking[n] ?? [] })),
        both,
      ).matches.map(({ accuracy }) => accuracy);
    const unscored = accuracies();
    const [once, silent] = [talks(annTurns.slice(0, 1)), { start: 12, end: 13, score: 0.1 }];
    for (const scored of [
      accuracies(once),
      accuracies(talks(annTurns)),
      accuracies([...once, silent]),
      accuracies(once, talks(bobTurns.slice(0, 1))),
      accuracies([], [], [silent]),
    ])
      scored.forEach((accuracy, n) => expect(accuracy).to.be.at.least(unscored[n] ?? 1));
  });

  it('reports the evidence of a match', () =>
    expect(match(shown, both, [7]).matches[0]?.evidence).to.deep.equal({
      seconds_together: 16,
      seconds_apart: 0,
      time_offset: 0,
      seconds_speaking: 16,
      seconds_visible: 16,
      talking_agreement: null,
      runner_up: null,
    }));
});

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
