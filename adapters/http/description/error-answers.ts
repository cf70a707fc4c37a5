import type * as t from 'io-ts';
import type { RefusalTag } from '../endpoint.js';
import { type HttpError, unexpected } from '../refusals/http-error.js';
import { type Refusal, httpErrorOf } from '../refusals/refusals.js';
import type { Schema } from './constraints.js';
import { type Credits, CreditsText, creditsOf } from '../../../domain/kernel/credits.js';
import { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { BadTag } from '../../../domain/tag-registry/contract.js';

/** The name of an error in the document: its code, or the tag of a refusal that has no code. */
const nameOf = (tag: RefusalTag, { detail }: HttpError): string => (typeof detail === 'string' ? tag : detail.code);

const statusDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'The API key is missing or invalid, or lacks permission.',
  402: 'The account has not enough credit.',
  404: 'Something that the path or body refers to does not exist.',
  409: 'The request conflicts with the current state.',
  410: 'The record was erased.',
  412: 'The revision of the record differs from `If-Match`.',
  413: 'The body, or the resulting change, is too large.',
  415: 'The `Content-Encoding` of the body is not supported.',
  422: 'The body does not match its schema, or the record is not ready.',
  429: 'The account has too many requests in progress: retry after the time in `Retry-After`.',
  500: 'Internal error of the service.',
  502: 'The name model returned no usable answer; nothing was charged.',
  503: 'Temporarily unavailable: retry after the time in `Retry-After`.',
};

const facts: Schema = {
  code: { type: 'string', pattern: '^[A-Za-z_]+$', maxLength: 64, description: 'Error code, for programs.' },
  message: { type: 'string', minLength: 1, description: 'Error message, for people.' },
  retryable: { type: 'boolean', description: 'Whether a retry of the same request may succeed.' },
  retry_after_seconds: { type: 'number', minimum: 0, description: 'Seconds to wait before a retry.' },
  reason: {
    type: 'string',
    pattern: '^[a-z_]+$',
    maxLength: 64,
    description: 'Of `insufficient_credits`: what the account lacks, `balance` or `window`.',
  },
  permission: { enum: ['MEDIA_WRITE', 'WORKER'], description: 'The permission that the key lacks.' },
};

const places: Schema = {
  type: 'array',
  maxItems: 1_000,
  description: 'The errors: one for each wrong place in the body (at most 20) or each refused tag.',
  items: {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        maxLength: 1_000,
        description: 'The place in the body, for example `mappings[0].face_id`.',
      },
      key: { type: 'string', maxLength: 1_000, description: 'The key of the tag.' },
      reason: { type: 'string', pattern: '^[a-z_]+$', description: 'Why the tag was refused, for programs.' },
      message: { type: 'string', minLength: 1, description: 'What is wrong.' },
    },
    required: ['message'],
  },
};

const errorOf = (properties: Schema, description: string): Schema => ({
  type: 'object',
  description,
  properties: {
    detail: {
      type: ['string', 'object'],
      minLength: 1,
      description: 'A text, or an object with a code and a message.',
      properties,
      required: ['code', 'message'],
      additionalProperties: true,
    },
  },
  required: ['detail'],
});

/** Schemas of error bodies. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  ErrorAnswer: errorOf(facts, 'An error: either a text, or an object with a code, a message and further fields.'),
  BodyErrorAnswer: errorOf({ ...facts, errors: places }, 'An error, with the places in the body that are wrong.'),
};

/** The HTTP errors of a refusal: one for each code that it can have. */
const errorsOf = (tag: RefusalTag): ReadonlyArray<HttpError> =>
  [refusalExamples[tag], ...(furtherExamples[tag] ?? [])].map((refusal) => httpErrorOf(refusal));

/** An example of each error, by name, for the components of the document. */
export const errorExamples = (tags: Iterable<RefusalTag>): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(
    [...tags].flatMap((tag) =>
      errorsOf(tag).map((error) => [nameOf(tag, error), { summary: tag, value: { detail: error.detail } }]),
    ),
  ),
  internal_error: { summary: 'Unexpected', value: { detail: unexpected.detail } },
});

interface Named {
  readonly name: string;
  readonly code: string | null;
  readonly hasPlaces: boolean;
}

const namedOf = (tag: RefusalTag, error: HttpError): Named => {
  const { detail } = error;
  const isText = typeof detail === 'string';
  return { name: nameOf(tag, error), code: isText ? null : detail.code, hasPlaces: !isText && 'errors' in detail };
};

/** The error responses of an operation by status, each with its possible codes and examples. */
export const errorResponses = (tags: ReadonlyArray<RefusalTag>): Readonly<Record<string, Schema>> => {
  const byStatus = new Map<number, Map<string, Named>>();
  const headers = new Map<number, Set<string>>();
  const add = (named: Named, status: number): void => {
    const of = byStatus.get(status) ?? new Map<string, Named>();
    byStatus.set(status, of.set(named.name, named));
  };
  for (const tag of tags)
    for (const error of errorsOf(tag)) {
      add(namedOf(tag, error), error.status);
      const own = Object.keys(error.headers ?? {});
      headers.set(error.status, new Set([...(headers.get(error.status) ?? []), ...own]));
    }
  add({ name: 'internal_error', code: 'internal_error', hasPlaces: false }, unexpected.status);
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => [
      String(status),
      {
        description: statusDescriptions[status] ?? 'The request is refused.',
        headers: Object.fromEntries(
          ['X-Request-Id', 'X-Event-Position', 'X-Ignored-Parameters', ...(headers.get(status) ?? [])].map((name) => [
            name,
            { $ref: `#/components/headers/${name}` },
          ]),
        ),
        'x-codes': [...new Set([...all.values()].map(({ code }) => code))],
        content: {
          'application/json': {
            schema: {
              $ref: `#/components/schemas/${[...all.values()].some(({ hasPlaces }) => hasPlaces) ? 'Body' : ''}ErrorAnswer`,
            },
            examples: Object.fromEntries(
              [...all.values()].map(({ name }) => [name, { $ref: `#/components/examples/${name}` }]),
            ),
          },
        },
      },
    ]),
  );
};

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
