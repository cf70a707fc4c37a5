import { expect } from 'chai';
import { recordedRefusals } from '../../../adapters/http/description/error-answers.js';
import type { ErrorOf, Facts, HttpError, Refusal } from '../../../adapters/http/refusals/refusal.js';
import { answers, httpErrorOf } from '../../../adapters/http/refusals/refusals.js';
import type { CreditShortage } from '../../../application/realtime/admit-session.js';
import type { AdmissionRefusal } from '../../../domain/credit-account/contract.js';
import { creditsOf } from '../../../domain/kernel/credits.js';
import type { BadTag } from '../../../domain/tag-registry/contract.js';
import { credits, creditsText, accountId, at, audioId, runId, speakerId, videoId } from '../../support/values.js';

const reasons: Partial<Record<string, string>> = {
  ZeroBalance: 'zero_balance',
  NegativeBalance: 'negative_balance',
  WindowUsedUp: 'window_used_up',
  AllCreditsHeld: 'held',
  AboveMaxCredits: 'max_credits',
};

type Tag = Refusal['_tag'];
type WithFacts = { readonly [One in Tag]: keyof Facts<One> extends never ? never : One }[Tag];

const [run_id, audio_id, video_id] = [runId('01890000-0000-7000-8000-000000000001'), audioId('a1'), videoId('v1')];
const [seven, queue] = [{ speaker_id: speakerId(7) }, 'queue' as const];
const badTag = (reason: BadTag['reason'], key = 'a.b'): BadTag => ({
  key,
  reason,
  category: reason === 'unregistered_key' ? null : 'system',
  value_type: null,
});

/** Examples of the facts of refusals that have some, one for each code that the answer may have. */
const examples: { readonly [One in WithFacts]: ReadonlyArray<Facts<One>> } = {
  NotAuthorised: [{ needs: 'owner' }],
  TooManyKeys: [{ most: 1_000 }],
  TooManyDecisions: [{ most: 10_000 }],
  InvalidFace: [{ face_id: 7 }],
  InvalidSpeaker: [{ speaker_id: 7 }],
  MalformedBody: [{ message: 'a is missing', errors: [{ path: 'a', message: 'is missing' }] }],
  BadQuery: [{ parameter: 'limit', message: 'must be a number' }],
  BadHeader: [{ header: 'If-Match', message: 'must be a revision' }],
  PayloadTooLarge: [{ most_bytes: 2 * 1024 * 1024 }],
  DuplicateDecision: [{ speaker_id: 1, face_id: 7 }],
  DuplicateFace: [{ face_id: 7 }],
  DuplicateSpeaker: [{ speaker_id: 7 }],
  TargetNotInAudio: [{ speaker_id: 7 }],
  SpeakerNotTargeted: [seven],
  UndeclaredSpeaker: [seven],
  UnavailableAudio: [{ audio_id }],
  UnavailableVideo: [{ video_id }],
  SyntheticTarget: [seven],
  IneligibleAudio: [{ why: 'meeting' }],
  SecretNotRepeatable: [{ id: 'k1' }],
  UnknownTag: [{ key: 'label.a' }],
  TagsRefused: [
    [badTag('unregistered_key'), badTag('unregistered_key', 'a.c')],
    [badTag('source_not_importer')],
    [badTag('category_not_importable')],
    [badTag('category_not_editable')],
    [badTag('bad_value')],
    [badTag('duplicate_key')],
    [badTag('bad_value'), badTag('duplicate_key', 'a.c')],
  ].map((bad) => ({ bad })),
  TooManyTags: [{ most: 2_000 }],
  VideoExists: [{ video_id }],
  AudioExists: [{ audio_id }],
  AccountExists: [{ account_id: accountId('o1') }],
  VideoUnprocessed: [{ status: queue }],
  AudioNotCompleted: [{ status: queue }],
  MediaNotCompleted: (['audio', 'video'] as const).map((medium) => ({ medium, status: queue })),
  RunInFlight: [{ run_id, queued_at: at(0) }],
  UnknownEvent: [{ position: '0000000000000007' }],
  NothingToRevert: [{ changed_since: [{ record: 'face', id: 1, fields: ['name'] }] }],
  NotRevertible: [{ reason: 'merge' }],
  RunNotOpen: [{ run_id }],
  RunSuperseded: [{ run_id }],
  NoRunToFail: [{ run_id: null }],
  RevisionChanged: [{ expected: 1, actual: 2 }],
  MediumErased: [{ erased_at: at(0) }],
  InvalidAmount: [{ amount: credits('0') }],
  BalanceOutOfRange: [{ balance: creditsOf(creditsText('1000000000')) }],
  NegativeBalance: [{ balance: credits('-1.5') }],
  WindowUsedUp: [{ limit: credits('5'), spent: credits('4.5'), amount: credits('1'), opens_at: at(60) }],
  AllCreditsHeld: [{ of: 'balance', held: credits('5') }],
  AboveMaxCredits: [{ amount: credits('1.5'), max_credits: credits('1') }],
  TooManyTokens: [{ most: 100 }],
  NoCreditToStart: [{ why: { _tag: 'ZeroBalance' }, shortage: { reason: 'balance', retry_after_seconds: null } }],
  AtCapacity: [{ of: 'account', capacity: 25 }],
  InvalidSdp: [{ reason: 'it has no media' }],
  InvalidIceCandidate: [{ reason: 'it has no port' }],
  TooManyRequests: [{ most: 128 }],
  AudioAlreadyAssociated: [{ audio_id }],
  AudioHasParent: [{ video_id }],
  MergeIntoItself: [seven],
  WriteHeld: [{ write_id: 'w1' }],
  WriteTakenOver: [{ write_id: 'w1' }],
  AppendTooLarge: [{ reason: 'secret' }],
  AppendUnreadable: [{ reason: 'secret' }],
  Contention: [{ stream: 'secret' }],
  DocumentReaderFailed: [{ reason: 'secret' }],
  EngineUnavailable: [{ reason: 'secret' }],
  ReadModelBehind: [{ wanted: '0000000000000007', reached: null }],
  ReadModelsUnavailable: [{ reason: 'secret' }],
  NameModelFailed: [{ reason: 'secret', run_id }],
  RunTakenOver: [{ run_id }],
  UnreadableEvent: [{ position: '0000000000000007', stream: 'video-v1', revision: 3, reason: 'secret' }],
  StoreUnavailable: [
    { reason: 'secret' },
    ...(['key_vault', 'key_missing'] as const).map((because) => ({ reason: 'secret', because })),
  ],
};

const answersFor = <One extends WithFacts>(
  tag: One,
  facts: ReadonlyArray<Facts<One>> = examples[tag],
): ReadonlyArray<HttpError> => {
  const answer: ErrorOf<Facts<One>> = answers[tag];
  return facts.map((some) => answer(some, {}));
};
const hasFacts = (tag: Tag): tag is WithFacts => tag in examples;
const answersTo = (tag: Tag): ReadonlyArray<HttpError> => (hasFacts(tag) ? answersFor(tag) : [answers[tag]({}, {})]);

describe('HTTP answers to refusals', () => {
  const isTag = (name: string): name is Tag => name in answers;
  const tags = Object.keys(answers).filter(isTag);
  const all = tags.flatMap((tag) => answersTo(tag).map((answer) => ({ tag, answer })));

  for (const tag of tags)
    it(`are as recorded for the documents: ${tag}`, () =>
      expect(answersTo(tag)).to.deep.equal(
        recordedRefusals()
          .filter(({ refusal }) => refusal === tag)
          .map(({ refusal: _refusal, ...answer }) => answer),
      ));

  it('have the header of their status: Retry-After, WWW-Authenticate, or the reason of a refused admission', () => {
    for (const { tag, answer } of all) {
      const { status, detail, headers } = answer;
      const seconds = typeof detail === 'object' ? detail['retry_after_seconds'] : undefined;
      const own: Readonly<Record<string, string>> = headers ?? {};
      expect(own['Retry-After'], tag).to.equal(status === 503 || status === 429 ? String(seconds) : undefined);
      expect(own['WWW-Authenticate'], tag).to.equal(status === 401 ? 'Bearer realm="media-analysis"' : undefined);
      expect(own['X-Refusal-Reason'], tag).to.equal(reasons[tag]);
    }
  });

  it('do not contain the reasons of failures, which may be confidential', () => {
    for (const { tag, answer } of all)
      expect(JSON.stringify(answer).replace('secret_not_repeatable', ''), tag).not.to.match(/secret(?! that)/);
  });
});

describe('messages of refusals that depend on the situation', () => {
  it('say what a session lacks to start, and whether and when it may start later', () => {
    const held = credits('2');
    const detailOf = (why: AdmissionRefusal, shortage: CreditShortage) =>
      httpErrorOf({ _tag: 'NoCreditToStart', why, shortage }).detail;
    const ofBalance = { reason: 'balance', retry_after_seconds: null } as const;
    expect(detailOf({ _tag: 'AllCreditsHeld', of: 'balance', held }, ofBalance))
      .to.include({ code: 'insufficient_credits', reason: 'balance', retryable: true })
      .and.not.to.have.property('retry_after_seconds');
    const window = { limit: held, spent: held, amount: credits('0.6'), opens_at: at(90) };
    const untilOpen = { reason: 'window', retry_after_seconds: 90 } as const;
    expect(detailOf({ _tag: 'WindowUsedUp', ...window }, untilOpen)).to.include({ ...untilOpen, retryable: true });
    const never = { reason: 'window', retry_after_seconds: null } as const;
    expect(detailOf({ _tag: 'WindowUsedUp', ...window, opens_at: null }, never)).to.include({
      reason: 'window',
      retryable: false,
    });
  });
});

describe('an answer to a refused tag', () => {
  const messages: ReadonlyArray<readonly [Partial<BadTag>, string]> = [
    [
      { reason: 'unregistered_key', key: 'a b' },
      'is not a valid tag key: a key is a dotted path of at most 128 characters from A-Za-z0-9_-',
    ],
    [{ value_type: 'number' }, 'must be a finite number'],
    [{ value_type: 'boolean' }, 'must be true or false'],
    [{ value_type: 'string' }, 'must be a string of well-formed Unicode'],
    [{ value_type: 'string_list' }, 'must be a list of strings of well-formed Unicode'],
  ];
  for (const [facts, message] of messages)
    it(`says: ${message}`, () =>
      expect(
        httpErrorOf({ _tag: 'TagsRefused', bad: [{ ...badTag('bad_value'), ...facts }] }).detail,
      ).to.have.nested.property('errors[0].message', message));
});
