import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Decided, nothingDecided } from '../../domain/matching/decided.js';
import { type LinkQuestion, linkQuestions } from '../../domain/review/link-questions.js';
import type { SuggestionBlock } from '../../domain/video/write-back.js';
import { faceId, speakerId } from '../support/values.js';
import { block } from '../support/video-events.js';

const mapping = (
  face: number,
  speaker: number,
  accuracy: number | null,
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

/** An unmatched speaker with the odds of its candidate faces. */
const unmatched = (speaker: number, odds: Readonly<Record<number, number>>) => ({
  speaker_id: speakerId(speaker),
  reason: 'ambiguous',
  candidates: Object.entries(odds).map(([face, accuracy]) => ({
    ...pair(Number(face), speaker),
    accuracy,
    matched_speaker_id: null,
  })),
});
const oddsOf = (question: LinkQuestion | undefined) =>
  Object.fromEntries((question?.candidates ?? []).map(({ face_id, accuracy }) => [face_id, accuracy]));
const gainsOf = (parts: Partial<SuggestionBlock>): Readonly<Record<number, number>> =>
  Object.fromEntries(ask(parts).map(({ speaker_id, gain }) => [speaker_id, gain]));

describe('questions about links', () => {
  it('have the odds of the faces and of nobody, and gain what the best guess lacks', () =>
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

  it('give a runner-up at most the rest of the best face, and nothing if it is that face', () => {
    const [over] = ask({ mappings: [mapping(1, 7, 0.7, { face_id: 2, accuracy: 0.9 })] });
    expect([oddsOf(over), over?.nobody]).to.deep.equal([{ 1: 0.7, 2: 0.3 }, 0]);
    const [same] = ask({ mappings: [mapping(1, 7, 0.7, { face_id: 1, accuracy: 0.2 })] });
    expect([oddsOf(same), same?.nobody]).to.deep.equal([{ 1: 0.7 }, 0.3]);
  });

  it('are not asked if the run gave no accuracy', () =>
    expect(ask({ mappings: [mapping(1, 7, null)] })).to.deep.equal([]));

  it('gain the improvement of other best guesses too', () => {
    const mappings = [mapping(1, 7, 0.6)];
    const rival = unmatched(8, { 1: 0.45, 2: 0.45 });
    expect(gainsOf({ mappings })).to.deep.equal({ 7: 0.4 });
    // 0.45 / 0.55 in place of 0.45, should face 1 be that of speaker 7; certainty in place of 0.6, should it be that of 8.
    expect(gainsOf({ mappings, unmatched_speakers: [rival] })).to.deep.equal({ 7: 0.620909, 8: 0.73 });
    expect(gainsOf({ mappings: [...mappings, mapping(1, 8, 0.6), mapping(1, 9, 0.6)] })[7]).to.equal(0.88);
  });

  it('do not lose gain if another speaker would lose its best guess', () => {
    const unmatched_speakers = [unmatched(8, { 1: 0.6, 2: 0.2 })];
    expect(gainsOf({ mappings: [mapping(1, 7, 0.5)], unmatched_speakers })[7]).to.equal(0.5);
  });

  it('consider at most fifty others for each face', () => {
    const mappings = Array.from({ length: 60 }, (_, speaker) => mapping(1, speaker, 0.6));
    expect(gainsOf({ mappings })[59]).to.equal(0.4 + 50 * 0.24);
  });

  it('list the five likeliest faces, ties by id', () => {
    const { candidates, ...speaker } = unmatched(7, { 1: 0.15, 2: 0.2, 3: 0.05, 4: 0.3, 5: 0.1, 6: 0.1 });
    const unmatched_speakers = [{ ...speaker, candidates: candidates.toReversed() }];
    const all = new Set(candidates.map(({ face_id }) => face_id));
    const [questions] = linkQuestions(block('r', 1, { unmatched_speakers }), all, nothingDecided);
    expect(questions?.candidates.map(({ face_id }) => face_id)).to.deep.equal([4, 2, 1, 5, 6]);
  });

  it('have odds that sum to 1 as they are rounded', () => {
    const [questions] = ask({ unmatched_speakers: [unmatched(7, { 1: 0.3333335, 2: 0.3333335 })] });
    expect([oddsOf(questions), questions?.nobody]).to.deep.equal([{ 1: 0.333334, 2: 0.333334 }, 0.333332]);
  });

  it('change with decisions: the odds of a taken face go to the others', () => {
    const mappings = [mapping(1, 7, 0.5, { face_id: 2, accuracy: 0.25 }), mapping(3, 8, 0.6)];
    const [question, ...others] = ask({ mappings }, { confirmed: [pair(1, 9)] });
    expect(question?.candidates).to.deep.equal([{ face_id: 2, accuracy: 0.5 }]);
    expect(question?.nobody).to.equal(0.5);
    expect(others).to.have.length(1);
    expect(ask({ mappings }, { confirmed: [pair(1, 7)], unseen: [speakerId(8)] })).to.deep.equal([]);
    const [rejected] = ask({ mappings }, { rejected: [pair(1, 7)] });
    expect(rejected?.candidates).to.deep.equal([{ face_id: 2, accuracy: 0.5 }]);
  });

  it('are not asked about a speaker whose only face is somebody else’s', () =>
    expect(ask({ mappings: [mapping(1, 7, 1)] }, { rejected: [pair(1, 7)] })).to.deep.equal([]));

  it('are also asked about speakers without a face, but not about certain links', () => {
    const reasons = Object.entries({ off_screen: 0.9, too_little_speech: 0.6, not_matched: 0.5 });
    const unmatched_speakers = reasons.map(([reason], id) => ({ speaker_id: speakerId(id), reason }));
    const questions = ask({ mappings: [mapping(1, 7, 1)], unmatched_speakers });
    expect(questions.map(({ gain: _gain, ...question }) => question)).to.deep.equal(
      reasons.map(([reason, nobody], speaker_id) => ({ speaker_id, candidates: [], nobody, evidence: { reason } })),
    );
  });

  it('use the probability that a speaker is not visible, if the run gave it', () => {
    const unmatched_speakers = [
      { speaker_id: speakerId(1), reason: 'off_screen', nobody: 0.6 },
      {
        speaker_id: speakerId(2),
        reason: 'ambiguous',
        nobody: 0.75,
        candidates: [{ ...pair(1, 2), accuracy: 0.5, matched_speaker_id: speakerId(7) }],
      },
    ];
    const questions = ask({ unmatched_speakers });
    expect(questions.map(({ candidates, nobody, gain }) => [candidates, nobody, gain])).to.deep.equal([
      [[], 0.6, 0.4],
      [[{ face_id: 1, accuracy: 0.25 }], 0.75, 0.25],
    ]);
    const [less] = ask({ unmatched_speakers: [{ ...unmatched(3, { 1: 0.2 }), nobody: 0.5 }] });
    expect([oddsOf(less), less?.nobody]).to.deep.equal([{ 1: 0.2 }, 0.5]);
  });

  it('have odds that sum to at most 1, for any results and decisions', () => {
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
