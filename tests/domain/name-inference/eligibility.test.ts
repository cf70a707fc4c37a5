import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import {
  type InquiryFacts,
  type InquiryRefusal,
  checkInquiry,
  ineligibleReasons,
} from '../../../domain/name-inference/eligibility.js';
import { speakerId } from '../../support/values.js';

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

  it('allow a parent that is still processing', () =>
    refused({ parent: { kind: 'upload' } }).to.deep.equal(E.right(undefined)));
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
