import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import {
  type InquiryFacts,
  type InquiryRefusal,
  checkInquiry,
  ineligibleReasons,
} from '../../domain/name-inference/eligibility.js';
import type { NameInferenceCommand, NameInferenceEvent } from '../../domain/name-inference/contract.js';
import { nameInference } from '../../domain/name-inference/decider.js';
import { type Credits, creditsText as kernelText } from '../../domain/kernel/credits.js';
import { speakerId, credits, creditsText, accountId, at, audioId, runId, videoId } from '../support/values.js';
import { specification } from '../support/specification.js';

const eligible: InquiryFacts = {
  status: 'completed',
  kind: 'upload',
  speakers: new Map([
    [speakerId(1), { synthetic: false }],
    [speakerId(2), { synthetic: false }],
    [speakerId(9), { synthetic: true }],
  ]),
  transcript_available: true,
  provider_supplied: false,
  transcript_replaced: false,
  speech_segments: null,
  parent: { kind: 'upload' },
};

const refused = (facts: Partial<InquiryFacts>, ...targets: ReadonlyArray<number>) =>
  expect(checkInquiry({ ...eligible, ...facts }, (targets.length === 0 ? [1] : targets).map(speakerId)));
const left = (refusal: InquiryRefusal) => E.left(refusal);

/** Each makes an eligible audio ineligible, in the order of checking. */
const faults: ReadonlyArray<readonly [facts: Partial<InquiryFacts>, refusal: InquiryRefusal]> = [
  [{ parent: 'missing' }, { _tag: 'ParentMissing' }],
  [{ kind: 'meeting' }, { _tag: 'IneligibleAudio', why: 'meeting' }],
  [{ parent: { kind: 'meeting' } }, { _tag: 'IneligibleAudio', why: 'parent_meeting' }],
  [{ transcript_replaced: true }, { _tag: 'IneligibleAudio', why: 'transcript_replaced' }],
  [{ provider_supplied: true }, { _tag: 'IneligibleAudio', why: 'provider_supplied' }],
  [{ speech_segments: 's3://segments' }, { _tag: 'IneligibleAudio', why: 'speech_segments' }],
  [{ status: 'processing' }, { _tag: 'AudioNotCompleted', status: 'processing' }],
  [{ transcript_available: false }, { _tag: 'TranscriptNotReady' }],
];

describe('prerequisites of name inference (4.2)', () => {
  it('accept speakers of a completed upload with a transcript, duplicates included', () => {
    refused({}, 1, 2, 1).to.deep.equal(E.right(undefined));
    refused({ parent: null }, 2).to.deep.equal(E.right(undefined));
  });

  it('refuse empty, unknown and synthetic targets', () => {
    expect(checkInquiry(eligible, [])).to.deep.equal(left({ _tag: 'EmptyTargets' }));
    refused({}, 1, 3).to.deep.equal(left({ _tag: 'TargetNotInAudio', speaker_id: speakerId(3) }));
    refused({}, 1, 9).to.deep.equal(left({ _tag: 'SyntheticTarget', speaker_id: speakerId(9) }));
  });

  faults.forEach(([facts, refusal]) =>
    it(`refuses ${JSON.stringify(facts)}: ${JSON.stringify(refusal)}`, () =>
      refused(facts).to.deep.equal(left(refusal))),
  );

  it('report errors of the targets first, and the 409 before the transcript', () => {
    refused({ parent: 'missing', status: 'failed' }, 3).to.have.nested.property('left._tag', 'TargetNotInAudio');
    refused({ parent: 'missing', status: 'failed' }).to.have.nested.property('left._tag', 'ParentMissing');
    refused({ kind: 'meeting', status: 'failed' }).to.have.nested.property('left._tag', 'IneligibleAudio');
    refused({ transcript_available: false, status: 'failed' }).to.have.nested.property(
      'left._tag',
      'AudioNotCompleted',
    );
  });

  it('check targets only once speakers are known', () => {
    const untold = { speakers: new Map(), transcript_available: false };
    refused({ ...untold, status: 'queue' }, 3).to.have.nested.property('left._tag', 'AudioNotCompleted');
    refused(untold, 3).to.have.nested.property('left._tag', 'TargetNotInAudio');
  });
});

describe('reasons against inferring names of an audio', () => {
  it('are all listed, a meeting once, and empty if eligible', () => {
    expect(ineligibleReasons(eligible)).to.deep.equal([]);
    expect(ineligibleReasons({ ...eligible, parent: 'missing' })).to.deep.equal([]);
    expect(ineligibleReasons({ ...eligible, kind: 'meeting', parent: { kind: 'meeting' } })).to.deep.equal(['meeting']);
    expect(
      ineligibleReasons({
        ...eligible,
        parent: { kind: 'meeting' },
        provider_supplied: true,
        transcript_replaced: true,
        speech_segments: 's3://segments',
        transcript_available: false,
      }),
    ).to.deep.equal(['meeting', 'transcript_replaced', 'provider_supplied', 'speech_segments', 'transcript_not_ready']);
  });
});

/** A run is requested, answered and ended once: every repetition is refused. */
const theRun = specification(nameInference, () => null);

const amounts = fc.integer({ min: 0, max: 2_000_000_000 }).map((millionths) => credits((millionths / 1e6).toFixed(6)));

const inquiry = {
  run_id: runId('r'),
  audio_id: audioId('a'),
  video_id: videoId('v'),
  account_id: accountId('owner'),
  mode: 'suggest' as const,
  target_speaker_ids: [speakerId(1)],
  infer_roles: false,
  model: 'played',
  at: at(0),
};
const results = [{ speaker_id: speakerId(1), video_id: videoId('v'), reason: 'no_proposal' as const }];
const answer = { results, total_tokens: 120, amount: creditsText('1.012'), by: 'key', at: at(3) };

const ask: NameInferenceCommand = { type: 'RequestNameInference', ...inquiry };
const { amount: _amount, ...rows } = answer;
const answeredAt = (cost: Credits, held: Credits): NameInferenceCommand => ({
  type: 'RecordNameAnswer',
  ...rows,
  cost,
  held,
});
const recordAnswer = answeredAt(credits('1.012'), credits('1.2'));
const recordFailure: NameInferenceCommand = { type: 'RecordNameFailure', reason: 'no answer', at: at(3) };
const giveUp: NameInferenceCommand = { type: 'AbandonInference', at: at(70) };

const requested: NameInferenceEvent = { type: 'NameInferenceRequested', data: inquiry };
const answered: NameInferenceEvent = { type: 'NameInferenceAnswered', data: { ...inquiry, ...answer } };
const failed: NameInferenceEvent = { type: 'NameInferenceFailed', data: { reason: 'no answer', at: at(3) } };
const abandonedReason: NameInferenceEvent = { type: 'NameInferenceFailed', data: { reason: 'given up', at: at(70) } };

describe('a run of speaker-name inference', () => {
  it('is requested once', () => {
    theRun.given().cases([ask, [requested]]);
    theRun.given(requested).cases([ask, { _tag: 'InferenceExists' }]);
  });

  it('is answered with its rows and price, based on the request, or fails without a price, once it is requested', () => {
    theRun.given(requested).cases([recordAnswer, [answered]], [recordFailure, [failed]]);
    expect(theRun.given(requested, answered).state()).to.deep.include({ _tag: 'Answered', results });
    theRun.given().cases([recordAnswer, { _tag: 'UnknownInference' }], [recordFailure, { _tag: 'UnknownInference' }]);
  });

  it('is never charged more than was held for it, whatever the model reports', () =>
    fc.assert(
      fc.property(amounts, amounts, (cost, held) => {
        const amount = kernelText(cost < held ? cost : held);
        theRun
          .given(requested)
          .cases([
            answeredAt(cost, held),
            [{ type: 'NameInferenceAnswered', data: { ...inquiry, ...answer, amount } }],
          ]);
      }),
    ));

  for (const [how, end] of Object.entries({ answered, failed, 'given up': abandonedReason }))
    it(`ends once: ${how}, it is not answered, failed or given up`, () => {
      for (const late of [recordAnswer, recordFailure, giveUp])
        theRun.given(requested, end).cases([late, { _tag: 'InferenceEnded' }]);
    });

  it('is abandoned while it waits for its answer', () => theRun.given(requested).cases([giveUp, [abandonedReason]]));

  it('is abandoned before its first event, and can no longer begin', () => {
    theRun.given().cases([giveUp, [abandonedReason]]);
    theRun.given(abandonedReason).cases([ask, { _tag: 'InferenceExists' }], [recordAnswer, { _tag: 'InferenceEnded' }]);
  });

  it('concerns its audio, and nobody if it was abandoned before', () => {
    const about = (event: NameInferenceEvent, ...given: ReadonlyArray<NameInferenceEvent>) =>
      nameInference.about?.(theRun.given(...given).state(), event, null);
    expect(about(requested)).to.deep.equal(['audio-a']);
    expect(about(answered, requested)).to.deep.equal(['audio-a']);
    expect(about(abandonedReason)).to.deep.equal([]);
  });
});
