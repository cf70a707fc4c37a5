import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Decided, nothingDecided } from '../../../domain/matching/decided.js';
import { linkQuestions } from '../../../domain/review/link-questions.js';
import type { SuggestionBlock } from '../../../domain/video/suggestion-block.js';
import { faceId, speakerId } from '../../support/values.js';
import { block } from '../../support/video-events.js';

const mapping = (
  face: number,
  speaker: number,
  accuracy: number,
  runner_up: { readonly face_id: number; readonly accuracy: number } | null = null,
): SuggestionBlock['mappings'][number] => ({
  face_id: faceId(face),
  speaker_id: speakerId(speaker),
  name: null,
  accuracy,
  channel: 'co_occurrence',
  evidence: { runner_up },
});
const faces = new Set([1, 2, 3, 4].map(faceId));
const pair = (face: number, speaker: number) => ({ face_id: faceId(face), speaker_id: speakerId(speaker) });
const ask = (parts: Partial<SuggestionBlock>, decided: Partial<Decided> = {}) =>
  linkQuestions(block('r', 1, parts), faces, { ...nothingDecided, ...decided });

describe('questions about links', () => {
  it('tell the odds of the faces and of nobody, and are worth what the best guess lacks', () =>
    expect(ask({ mappings: [mapping(1, 7, 0.7, { face_id: 2, accuracy: 0.2 })] })).to.deep.equal([
      {
        speaker_id: 7,
        candidates: [
          { face_id: 1, accuracy: 0.7 },
          { face_id: 2, accuracy: 0.2 },
        ],
        nobody: 0.1,
        gain: 0.3,
        evidence: { runner_up: { face_id: 2, accuracy: 0.2 } },
      },
    ]));

  it('are worth more where the answer settles another one too', () => {
    const [alone] = ask({ mappings: [mapping(1, 7, 0.6)] });
    const [shared] = ask({
      mappings: [mapping(1, 7, 0.6)],
      unmatched_speakers: [
        {
          speaker_id: speakerId(8),
          reason: 'ambiguous',
          candidates: [1, 2].map((id) => ({ ...pair(id, 8), accuracy: 0.45, matched_speaker_id: null })),
        },
      ],
    });
    expect(shared?.gain).to.be.greaterThan(alone?.gain ?? 1);
  });

  it('change with what people decide: a face that is taken leaves its odds to the others', () => {
    const mappings = [mapping(1, 7, 0.5, { face_id: 2, accuracy: 0.25 }), mapping(3, 8, 0.6)];
    const [question, ...others] = ask({ mappings }, { confirmed: [pair(1, 9)] });
    expect(question?.candidates).to.deep.equal([{ face_id: 2, accuracy: 0.5 }]);
    expect(question?.nobody).to.equal(0.5);
    expect(others).to.have.length(1);
    expect(ask({ mappings }, { confirmed: [pair(1, 7)], unseen: [speakerId(8)] })).to.deep.equal([]);
    const [rejected] = ask({ mappings }, { rejected: [pair(1, 7)] });
    expect(rejected?.candidates).to.deep.equal([{ face_id: 2, accuracy: 0.5 }]);
  });

  it('are asked about speakers without a face, too, and not about what is certain', () => {
    const unmatched_speakers = ['off_screen', 'too_little_speech', 'not_matched'].map((reason, index) => ({
      speaker_id: speakerId(index),
      reason,
    }));
    const asked = ask({ mappings: [mapping(1, 7, 1)], unmatched_speakers });
    expect(asked.map(({ speaker_id, candidates, nobody }) => [speaker_id, candidates.length, nobody])).to.deep.equal([
      [0, 0, 0.9],
      [1, 0, 0.6],
      [2, 0, 0.5],
    ]);
  });

  it('go by the chance that a speaker is not to be seen, where the run told it', () => {
    const unmatched_speakers = [
      { speaker_id: speakerId(1), reason: 'off_screen', nobody: 0.6 },
      {
        speaker_id: speakerId(2),
        reason: 'ambiguous',
        nobody: 0.75,
        candidates: [{ ...pair(1, 2), accuracy: 0.5, matched_speaker_id: speakerId(7) }],
      },
    ];
    const asked = ask({ unmatched_speakers });
    expect(asked.map(({ candidates, nobody, gain }) => [candidates, nobody, gain])).to.deep.equal([
      [[], 0.6, 0.4],
      [[{ face_id: 1, accuracy: 0.25 }], 0.75, 0.25],
    ]);
  });

  it('have odds that sum to 1 at most, whatever the run and the people said', () => {
    const accuracy = fc.double({ min: 0, max: 1, noNaN: true });
    const id = fc.nat(5);
    const anyMapping = fc
      .tuple(id, id, accuracy, fc.option(fc.record({ face_id: id, accuracy })))
      .map(([face, speaker, sure, next]) => mapping(face, speaker, sure, next));
    const anyPair = fc.tuple(id, id).map(([face, speaker]) => pair(face, speaker));
    fc.assert(
      fc.property(
        fc.uniqueArray(anyMapping, { selector: ({ speaker_id }) => speaker_id }),
        fc.array(anyPair),
        fc.uniqueArray(anyPair, { selector: ({ speaker_id }) => speaker_id, maxLength: 2 }),
        (mappings, rejected, confirmed) => {
          for (const { candidates, nobody, gain } of ask({ mappings }, { rejected, confirmed })) {
            const sum = candidates.reduce((total, { accuracy: sure }) => total + sure, nobody);
            expect(sum).to.be.at.most(1 + 1e-9);
            expect(nobody).to.be.at.least(0);
            expect(gain).to.be.greaterThan(0);
          }
        },
      ),
    );
  });
});
