import type * as t from 'io-ts';
import type { Refusal } from '../refusals/refusals.js';
import { type Credits, CreditsText, creditsOf } from '../../../domain/kernel/credits.js';
import { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { BadTag } from '../../../domain/tag-registry/tag.js';

const valid = <Value>(codec: t.Type<Value, unknown>, value: unknown): Value => {
  if (codec.is(value)) return value;
  throw new Error(`${String(value)} is not a ${codec.name}`);
};

const credits = (text: string): Credits => creditsOf(valid(CreditsText, text));

const at = valid(Timestamp, '2026-01-01T12:00:00.000Z');
const later = valid(Timestamp, '2026-01-01T12:01:00.000Z');
const position = '0000000000000007';
const changed_since = [{ record: 'face', id: 1, fields: ['name'] }] as const;
const run_id = valid(RunId, '01890000-0000-7000-8000-000000000001');
const audio_id = valid(AudioId, 'a1');
const video_id = valid(VideoId, 'v1');

type Examples = { readonly [Tag in Refusal['_tag']]: Refusal & { readonly _tag: Tag } };

/** An example of each refusal. A refusal without an example does not compile. */
export const refusalExamples: Examples = {
  Unauthenticated: { _tag: 'Unauthenticated' },
  NotAuthorised: { _tag: 'NotAuthorised', needs: 'owner' },
  IssuerRevoked: { _tag: 'IssuerRevoked' },
  InvalidSessionToken: { _tag: 'InvalidSessionToken' },
  MediumErased: { _tag: 'MediumErased', erased_at: at },
  LogNotSealed: { _tag: 'LogNotSealed' },
  UnknownVideo: { _tag: 'UnknownVideo' },
  UnknownAudio: { _tag: 'UnknownAudio' },
  UnknownRun: { _tag: 'UnknownRun' },
  UnknownAccount: { _tag: 'UnknownAccount' },
  UnknownKey: { _tag: 'UnknownKey' },
  UnknownFace: { _tag: 'UnknownFace' },
  UnknownSpeaker: { _tag: 'UnknownSpeaker' },
  UnknownTag: { _tag: 'UnknownTag', key: 'label.a' },
  UnknownEvent: { _tag: 'UnknownEvent', position },
  UnknownInference: { _tag: 'UnknownInference' },
  SuggestionsPending: { _tag: 'SuggestionsPending' },
  NoSuggestions: { _tag: 'NoSuggestions' },
  NoTranscript: { _tag: 'NoTranscript' },
  NoSuchRevision: { _tag: 'NoSuchRevision' },
  SessionNotFound: { _tag: 'SessionNotFound' },
  InvalidFace: { _tag: 'InvalidFace', face_id: 7 },
  InvalidSpeaker: { _tag: 'InvalidSpeaker', speaker_id: 7 },
  MalformedBody: { _tag: 'MalformedBody', message: 'a is missing', errors: [{ path: 'a', message: 'is missing' }] },
  BadQuery: { _tag: 'BadQuery', parameter: 'limit', message: 'must be a number' },
  InvalidCursor: { _tag: 'InvalidCursor' },
  BadHeader: { _tag: 'BadHeader', header: 'If-Match', message: 'must be a revision' },
  PayloadTooLarge: { _tag: 'PayloadTooLarge', most_bytes: 2 * 1024 * 1024 },
  UnsupportedEncoding: { _tag: 'UnsupportedEncoding' },
  ServerBusy: { _tag: 'ServerBusy' },
  BodyReaderFailed: { _tag: 'BodyReaderFailed' },
  BodyCutOff: { _tag: 'BodyCutOff' },
  EmptyMappings: { _tag: 'EmptyMappings' },
  EmptyDecisions: { _tag: 'EmptyDecisions' },
  TooManyDecisions: { _tag: 'TooManyDecisions', most: 10_000 },
  DuplicateDecision: { _tag: 'DuplicateDecision', speaker_id: 1, face_id: 7 },
  DuplicateFace: { _tag: 'DuplicateFace', face_id: 7 },
  DuplicateSpeaker: { _tag: 'DuplicateSpeaker', speaker_id: 7 },
  AudioMissing: { _tag: 'AudioMissing' },
  EmptyTargets: { _tag: 'EmptyTargets' },
  TargetNotInAudio: { _tag: 'TargetNotInAudio', speaker_id: 7 },
  SpeakerNotTargeted: { _tag: 'SpeakerNotTargeted', speaker_id: valid(SpeakerId, 7) },
  UndeclaredSpeaker: { _tag: 'UndeclaredSpeaker', speaker_id: valid(SpeakerId, 7) },
  MergeIntoItself: { _tag: 'MergeIntoItself', speaker_id: valid(SpeakerId, 7) },
  UnavailableAudio: { _tag: 'UnavailableAudio', audio_id },
  UnavailableVideo: { _tag: 'UnavailableVideo', video_id },
  SyntheticTarget: { _tag: 'SyntheticTarget', speaker_id: valid(SpeakerId, 7) },
  ParentMissing: { _tag: 'ParentMissing' },
  IneligibleAudio: { _tag: 'IneligibleAudio', why: 'meeting' },
  TranscriptNotReady: { _tag: 'TranscriptNotReady' },
  KeyReused: { _tag: 'KeyReused' },
  WriteHeld: { _tag: 'WriteHeld', write_id: 'w1' },
  WriteTakenOver: { _tag: 'WriteTakenOver', write_id: 'w1' },
  SecretNotRepeatable: { _tag: 'SecretNotRepeatable', id: 'k1' },
  NameModelFailed: { _tag: 'NameModelFailed', reason: 'secret', run_id },
  RunTakenOver: { _tag: 'RunTakenOver', run_id },
  InferenceExists: { _tag: 'InferenceExists' },
  InferenceEnded: { _tag: 'InferenceEnded' },
  TagsRefused: {
    _tag: 'TagsRefused',
    bad: [
      { key: 'a.b', reason: 'unregistered_key', category: null, value_type: null },
      { key: 'a.c', reason: 'unregistered_key', category: null, value_type: null },
    ],
  },
  TooManyTags: { _tag: 'TooManyTags', most: 2_000 },
  TooManyRequests: { _tag: 'TooManyRequests', most: 128 },
  TagsTooLarge: { _tag: 'TagsTooLarge', most_bytes: 100 },
  BadRegistryKey: { _tag: 'BadRegistryKey' },
  VideoExists: { _tag: 'VideoExists', video_id },
  AudioExists: { _tag: 'AudioExists', audio_id },
  AccountExists: { _tag: 'AccountExists', account_id: valid(AccountId, 'o1') },
  AudioHasParent: { _tag: 'AudioHasParent', video_id },
  AudioAlreadyAssociated: { _tag: 'AudioAlreadyAssociated', audio_id },
  VideoUnprocessed: { _tag: 'VideoUnprocessed', status: 'queue' },
  AudioNotCompleted: { _tag: 'AudioNotCompleted', status: 'queue' },
  MediaNotCompleted: { _tag: 'MediaNotCompleted', medium: 'audio', status: 'queue' },
  RunInFlight: { _tag: 'RunInFlight', run_id, queued_at: at },
  NothingToRevert: { _tag: 'NothingToRevert', changed_since },
  NotRevertible: { _tag: 'NotRevertible', reason: 'merge' },
  ComparedWithOthers: { _tag: 'ComparedWithOthers' },
  SpeakersNotFollowed: { _tag: 'SpeakersNotFollowed' },
  RunNotOpen: { _tag: 'RunNotOpen', run_id },
  RunSuperseded: { _tag: 'RunSuperseded', run_id },
  NoRunToFail: { _tag: 'NoRunToFail', run_id: null },
  RevisionChanged: { _tag: 'RevisionChanged', expected: 1, actual: 2 },
  TooManyKeys: { _tag: 'TooManyKeys', most: 1000 },
  InvalidAmount: { _tag: 'InvalidAmount', amount: credits('0') },
  BalanceOutOfRange: { _tag: 'BalanceOutOfRange', balance: credits('1000000000') },
  ZeroBalance: { _tag: 'ZeroBalance' },
  NegativeBalance: { _tag: 'NegativeBalance', balance: credits('-1.5') },
  WindowUsedUp: {
    _tag: 'WindowUsedUp',
    limit: credits('5'),
    spent: credits('4.5'),
    amount: credits('1'),
    opens_at: later,
  },
  AllCreditsHeld: { _tag: 'AllCreditsHeld', of: 'balance', held: credits('5') },
  AboveMaxCredits: { _tag: 'AboveMaxCredits', amount: credits('1.5'), max_credits: credits('1') },
  NoCreditToStart: {
    _tag: 'NoCreditToStart',
    why: { _tag: 'ZeroBalance' },
    shortage: { reason: 'balance', retry_after_seconds: null },
  },
  SessionExists: { _tag: 'SessionExists' },
  TooManyTokens: { _tag: 'TooManyTokens', most: 100 },
  SessionElsewhere: { _tag: 'SessionElsewhere' },
  SessionRunning: { _tag: 'SessionRunning' },
  AtCapacity: { _tag: 'AtCapacity', of: 'account', capacity: 25 },
  EngineUnavailable: { _tag: 'EngineUnavailable', reason: 'secret' },
  DocumentReaderFailed: { _tag: 'DocumentReaderFailed', reason: 'secret' },
  InvalidSdp: { _tag: 'InvalidSdp', reason: 'it has no media' },
  InvalidIceCandidate: { _tag: 'InvalidIceCandidate', reason: 'it has no port' },
  ReadModelBehind: { _tag: 'ReadModelBehind', wanted: position, reached: null },
  ReadModelsUnavailable: { _tag: 'ReadModelsUnavailable', reason: 'secret' },
  AppendTooLarge: { _tag: 'AppendTooLarge', reason: 'secret' },
  AppendUnreadable: { _tag: 'AppendUnreadable', reason: 'secret' },
  StoreUnavailable: { _tag: 'StoreUnavailable', reason: 'secret' },
  Contention: { _tag: 'Contention', stream: 'video-v1' },
  UnreadableEvent: { _tag: 'UnreadableEvent', position, stream: 'video-v1', revision: 3, reason: 'secret' },
};

const badTag = (reason: BadTag['reason'], key = 'a.b'): BadTag => ({
  key,
  reason,
  category: 'system',
  value_type: null,
});

const badTagReasons = [
  'source_not_importer',
  'category_not_importable',
  'category_not_editable',
  'bad_value',
  'duplicate_key',
] as const;

/** Further examples of refusals that have several codes: one for each other code. */
export const furtherExamples: Partial<Readonly<Record<Refusal['_tag'], ReadonlyArray<Refusal>>>> = {
  StoreUnavailable: [
    { _tag: 'StoreUnavailable', reason: 'secret', because: 'key_vault' },
    { _tag: 'StoreUnavailable', reason: 'secret', because: 'key_missing' },
  ],
  MediaNotCompleted: [{ _tag: 'MediaNotCompleted', medium: 'video', status: 'queue' }],
  TagsRefused: [
    ...badTagReasons.map((reason): Refusal => ({ _tag: 'TagsRefused', bad: [badTag(reason)] })),
    { _tag: 'TagsRefused', bad: [badTag('bad_value'), badTag('duplicate_key', 'a.c')] },
  ],
};
