import { type AdmissionRefusal, refusalReasons } from '../../../domain/credit-account/contract.js';
import type { NoCreditToStart } from '../../../application/realtime/admit-session.js';
import { type Credits, CreditsText, creditsOf, creditsText } from '../../../domain/kernel/credits.js';
import { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import type * as t from 'io-ts';
import {
  type Answered,
  type Facts,
  type HttpError,
  type IdsInPath,
  type Refusal,
  answered,
  coded,
  fixed,
  later,
  plain,
  refused,
  retryable,
  unavailable,
  withFacts,
} from './refusal.js';
import {
  badRegistryKey,
  badTag,
  badTagReasons,
  ineligibleFor,
  irrevertible,
  notAuthorised,
  notCompleted,
  tagsRefused,
  unauthorised,
} from './details.js';

export type { Refusal } from './refusal.js';

/** `Retry-After` of what is busy. */
const busy_seconds = 5;

/** The id in the path, if there is one. */
const named = (id: string | undefined, otherwise = ''): string => (id === undefined ? otherwise : ` ${id}`);

/** The reason is in a header, because the text is for people (specification, section 7.3). */
const notAdmitted = (tag: AdmissionRefusal['_tag'], detail: string): HttpError => ({
  status: 402,
  detail,
  headers: { 'X-Refusal-Reason': refusalReasons[tag] },
});

/** The answer when a realtime session cannot start for lack of credit: the same, with a code and what is lacking. */
const noCreditToStart = ({ why, shortage }: Omit<NoCreditToStart, '_tag'>): HttpError => {
  const { status, detail } = httpErrorOf(why);
  const message = typeof detail === 'string' ? detail : detail.message;
  const { reason, retry_after_seconds } = shortage;
  const retryable = why._tag === 'AllCreditsHeld' || retry_after_seconds !== null;
  const retry = retry_after_seconds === null ? { retryable } : { retryable, retry_after_seconds };
  return coded(status, 'insufficient_credits', message, { reason, ...retry });
};

const nameModelFailed = (message: string, run_id: RunId | undefined): HttpError => ({
  ...coded(502, 'name_model_failed', message, { retryable: false }),
  ...(run_id === undefined ? {} : { headers: { 'X-Run-Id': run_id } }),
});

/* Values of examples. */
const valid = <Value>(codec: t.Type<Value, unknown>, value: unknown): Value => {
  if (codec.is(value)) return value;
  throw new Error(`${String(value)} is not a ${codec.name}`);
};
const credits = (text: string): Credits => creditsOf(valid(CreditsText, text));
const at = valid(Timestamp, '2026-01-01T12:00:00.000Z');
const opens = valid(Timestamp, '2026-01-01T12:01:00.000Z');
const run_id = valid(RunId, '01890000-0000-7000-8000-000000000001');
const speaker_id = valid(SpeakerId, 7);
const audio_id = valid(AudioId, 'a1');
const video_id = valid(VideoId, 'v1');
const account_id = valid(AccountId, 'o1');
const position = '0000000000000007';
const changed_since = [{ record: 'face', id: 1, fields: ['name'] }] as const;

/** The HTTP answer to each refusal and failure. One without an answer does not compile. */
export const answers: { readonly [Tag in Refusal['_tag']]: Answered<Facts<Tag>> } = {
  Unauthenticated: plain(() => unauthorised('Missing or invalid API key')),
  NotAuthorised: answered({ needs: 'owner' }, ({ needs }) => unauthorised(notAuthorised(needs))),

  UnknownVideo: fixed(404, 'unknown_video', ({ video_id }) => `The video${named(video_id)} does not exist`),
  UnknownAudio: fixed(404, 'unknown_audio', ({ audio_id }) => `The audio${named(audio_id)} does not exist`),
  UnknownRun: fixed(404, 'unknown_run', ({ run_id }) => `The video has no match run${named(run_id, ' with this id')}`),
  UnknownAccount: fixed(404, 'unknown_account', ({ account_id }) => `The account${named(account_id)} does not exist`),
  UnknownKey: fixed(404, 'unknown_key', ({ key_id }) => `The account has no API key${named(key_id, ' with this id')}`),
  IssuerRevoked: plain(() => unauthorised('Missing or invalid API key')),
  TooManyKeys: refused(
    409,
    'too_many_keys',
    { most: 1000 },
    'The account has the maximum of {most} active keys created with other keys: revoke one, or wait until one expires',
  ),
  TooManyDecisions: withFacts(
    409,
    'too_many_decisions',
    { most: 10_000 },
    'A video can have at most {most} rejected pairs of a face and a speaker',
  ),
  UnknownFace: fixed(404, 'InvalidFace', ({ face_id }) => `The video has no face${named(face_id, ' with this id')}`),
  UnknownSpeaker: fixed(
    404,
    'InvalidSpeaker',
    ({ speaker_id }) => `The audio has no speaker${named(speaker_id, ' with this id')}`,
  ),
  SuggestionsPending: fixed(404, 'match_run_in_flight', 'A suggest run is in flight'),
  NoSuggestions: fixed(404, 'no_suggestions', 'The video has no stored suggestions'),
  NoTranscript: fixed(404, 'transcript_not_found', 'The audio has no transcript'),
  NoSuchRevision: fixed(
    404,
    'no_such_revision',
    'The record does not have that revision, or did not exist at that time',
  ),
  InvalidFace: withFacts(404, 'InvalidFace', { face_id: 7 }, 'Face {face_id} is not in the video'),
  InvalidSpeaker: withFacts(404, 'InvalidSpeaker', { speaker_id: 7 }, 'Speaker {speaker_id} is not in the audio'),

  MalformedBody: answered(
    { message: 'a is missing', errors: [{ path: 'a', message: 'is missing' }] },
    ({ message, errors }) => coded(422, 'malformed_body', message, { errors }),
  ),
  BadQuery: answered({ parameter: 'limit', message: 'must be a number' }, ({ others = [], ...first }) =>
    coded(400, 'bad_query', [first, ...others].map(({ parameter, message }) => `${parameter} ${message}`).join('; '), {
      parameter: first.parameter,
      ...(others.length === 0
        ? {}
        : { errors: [first, ...others].map(({ parameter, message }) => ({ path: parameter, message })) }),
    }),
  ),
  InvalidCursor: plain(() =>
    coded(400, 'bad_query', 'Invalid cursor: use next_cursor, with the same parameters', {
      parameter: 'cursor',
    }),
  ),

  BadHeader: answered({ header: 'If-Match', message: 'must be a revision' }, ({ header, message }) =>
    coded(400, 'bad_header', `${header} ${message}`, { header }),
  ),
  PayloadTooLarge: answered({ most_bytes: 2 * 1024 * 1024 }, ({ most_bytes }) =>
    coded(413, 'payload_too_large', `The body is larger than ${most_bytes / 1024 / 1024} MiB`),
  ),
  UnsupportedEncoding: fixed(415, 'unsupported_encoding', 'Content-Encoding must be gzip, deflate, br or absent'),
  BodyCutOff: fixed(400, 'body_cut_off', 'The body is incomplete, or its compression is invalid'),

  EmptyMappings: fixed(400, 'empty_mappings', 'mappings must not be empty'),
  EmptyDecisions: fixed(400, 'empty_decisions', 'decisions must not be empty'),
  DuplicateDecision: answered({ speaker_id: 1, face_id: 7 }, ({ speaker_id, face_id }) =>
    coded(
      400,
      'duplicate_decision',
      face_id === null
        ? `Two decisions about speaker ${speaker_id} contradict each other`
        : `Two decisions about speaker ${speaker_id} and face ${face_id} contradict each other`,
      { speaker_id, face_id },
    ),
  ),
  DuplicateFace: withFacts(400, 'duplicate_face_id', { face_id: 7 }, 'Face {face_id} appears more than once'),
  DuplicateSpeaker: withFacts(
    400,
    'duplicate_speaker_id',
    { speaker_id: 7 },
    'Speaker {speaker_id} appears more than once',
  ),
  AudioMissing: fixed(400, 'audio_missing', 'The video has no audio'),
  EmptyTargets: fixed(400, 'empty_target_speaker_ids', 'target_speaker_ids must not be empty'),
  TargetNotInAudio: withFacts(
    400,
    'speaker_not_in_audio',
    { speaker_id: 7 },
    'target_speaker_ids: speaker {speaker_id} is not in the audio',
  ),
  SpeakerNotTargeted: withFacts(
    400,
    'speaker_not_targeted',
    { speaker_id },
    'matches: speaker {speaker_id} is not one of the target speakers of the run',
  ),
  UndeclaredSpeaker: withFacts(
    400,
    'undeclared_speaker',
    { speaker_id },
    'Speaker {speaker_id} is used in segments or transcript but is not a speaker of the audio',
  ),
  MergeIntoItself: fixed(400, 'merge_into_itself', 'from and into must be different speakers'),
  UnavailableAudio: withFacts(400, 'audio_not_found', { audio_id }, 'audio_id: the account has no audio {audio_id}'),
  UnavailableVideo: withFacts(400, 'video_not_found', { video_id }, 'video_id: the account has no video {video_id}'),

  SyntheticTarget: withFacts(
    400,
    'synthetic_speaker',
    { speaker_id },
    'target_speaker_ids: speaker {speaker_id} is a synthetic track',
  ),
  ParentMissing: fixed(400, 'parent_video_missing', 'The parent video of the audio does not exist'),
  IneligibleAudio: answered({ why: 'meeting' }, ({ why }) =>
    coded(400, 'audio_not_eligible', `The audio is not eligible for name inference: ${ineligibleFor[why]}`, { why }),
  ),
  TranscriptNotReady: fixed(400, 'transcript_not_ready', 'The transcript is not ready'),
  KeyReused: fixed(422, 'idempotency_key_reused', 'The idempotency key was already used for a different request'),
  WriteHeld: fixed(409, 'idempotency_key_held', 'Another request with this idempotency key is in progress'),
  WriteTakenOver: fixed(409, 'idempotency_key_held', 'Another request with this idempotency key is in progress'),
  SecretNotRepeatable: withFacts(
    409,
    'secret_not_repeatable',
    { id: 'k1' },
    'This request was already answered, and its answer contained a secret that is shown only once',
  ),
  InferenceExists: fixed(409, 'inference_exists', 'The inference run already exists'),
  UnknownInference: fixed(404, 'unknown_inference', 'The inference run does not exist'),
  InferenceEnded: fixed(409, 'inference_ended', 'The run has already ended'),

  UnknownTag: withFacts(404, 'unknown_tag', { key: 'label.a' }, 'The video has no tag {key}'),
  TagsRefused: answered(
    { bad: [badTag('unregistered_key'), badTag('unregistered_key', 'a.c')] },
    tagsRefused,
    ...badTagReasons.map((reason) => ({ bad: [badTag(reason)] })),
    { bad: [badTag('bad_value'), badTag('duplicate_key', 'a.c')] },
  ),
  TooManyTags: withFacts(400, 'too_many_tags', { most: 2_000 }, 'A video can have at most {most} tags'),
  BadRegistryKey: plain(badRegistryKey),

  VideoExists: refused(409, 'video_exists', { video_id }, 'Video {video_id} already exists'),
  AudioExists: refused(409, 'audio_exists', { audio_id }, 'Audio {audio_id} already exists'),
  AccountExists: refused(409, 'account_exists', { account_id }, 'Account {account_id} already exists'),
  AudioHasParent: fixed(409, 'audio_has_parent', 'The audio already belongs to a video'),
  AudioAlreadyAssociated: fixed(409, 'audio_already_associated', 'The video already has an audio'),
  VideoUnprocessed: answered({ status: 'queue' }, ({ status }) => notCompleted(422, 'video', status)),
  AudioNotCompleted: answered({ status: 'queue' }, ({ status }) => notCompleted(409, 'audio', status)),
  MediaNotCompleted: answered(
    { medium: 'audio', status: 'queue' },
    ({ medium, status }) => notCompleted(409, medium, status),
    { medium: 'video', status: 'queue' },
  ),
  RunInFlight: withFacts(409, 'match_run_in_flight', { run_id, queued_at: at }, 'A suggest run is in flight'),
  UnknownEvent: withFacts(404, 'unknown_event', { position }, 'The record has no change at position {position}'),
  NothingToRevert: withFacts(
    409,
    'nothing_to_revert',
    { changed_since },
    'Nothing to revert: all fields were changed or reverted since',
  ),
  NotRevertible: answered({ reason: 'merge' }, ({ reason }) =>
    coded(409, 'not_revertible', `A change of this kind cannot be reverted: ${irrevertible[reason]}`, { reason }),
  ),
  ComparedWithOthers: unavailable('contention', 'Too many concurrent analyses of this record: try again'),
  SpeakersNotFollowed: unavailable('contention', 'The speakers are being renumbered: try again'),
  RunNotOpen: withFacts(409, 'run_not_open', { run_id }, 'The run has already ended'),
  RunSuperseded: withFacts(409, 'run_superseded', { run_id }, 'A newer run superseded this one'),
  NoRunToFail: withFacts(409, 'no_run_to_fail', { run_id: null }, 'The video has no open match run'),
  RevisionChanged: withFacts(
    412,
    'revision_changed',
    { expected: 1, actual: 2 },
    'The record is at revision {actual}, but If-Match requires {expected}',
  ),

  MediumErased: withFacts(410, 'erased', { erased_at: at }, 'The record was erased at {erased_at}'),
  LogNotSealed: fixed(
    409,
    'log_not_sealed',
    'The event log contains unencrypted personal data from before encryption was introduced, which cannot be erased. Stop the service and make an encrypted copy: media-analysis events copy --seal-personal --from <data folder>/events.db --to <new folder>/events.db',
  ),
  InvalidAmount: answered({ amount: credits('0') }, (refusal) => {
    const amount = creditsText(refusal.amount);
    return coded(422, 'invalid_amount', `${amount} is not a valid amount of credits`, { amount });
  }),
  BalanceOutOfRange: answered({ balance: credits('1000000000') }, (refusal) => {
    const balance = creditsText(refusal.balance);
    const message = `The balance would be ${balance}: it must be between -1,000,000,000 and 1,000,000,000 (exclusive)`;
    return coded(409, 'balance_out_of_range', message, { balance });
  }),
  ZeroBalance: plain(() => notAdmitted('ZeroBalance', 'No credits left: the balance is zero')),
  NegativeBalance: answered({ balance: credits('-1.5') }, ({ balance }) =>
    notAdmitted('NegativeBalance', `The credit balance is negative: ${creditsText(balance)}`),
  ),
  WindowUsedUp: answered(
    { limit: credits('5'), spent: credits('4.5'), amount: credits('1'), opens_at: opens },
    (refusal) => {
      const { limit, spent, amount, opens_at } = refusal;
      const left = `${creditsText(spent)} are spent, and the call may cost ${creditsText(amount)}`;
      const until = opens_at === null ? '' : ` until ${opens_at}`;
      return notAdmitted(
        'WindowUsedUp',
        `The spending window of ${creditsText(limit)} credits is used up${until}: ${left}`,
      );
    },
  ),
  AllCreditsHeld: answered({ of: 'balance', held: credits('5') }, (refusal) => {
    const { of, held } = refusal;
    const what = of === 'balance' ? 'credits of the account' : 'credits left in the spending window';
    const message = `The ${what} are reserved by calls in progress (${creditsText(held)}): try again later`;
    return notAdmitted('AllCreditsHeld', message);
  }),
  AboveMaxCredits: answered({ amount: credits('1.5'), max_credits: credits('1') }, (refusal) => {
    const [amount, most] = [refusal.amount, refusal.max_credits].map(creditsText);
    return notAdmitted(
      'AboveMaxCredits',
      `The call may cost ${amount} credits, which is more than its max_credits of ${most}`,
    );
  }),
  SessionExists: fixed(409, 'session_exists', 'This session already exists'),
  InvalidSessionToken: plain(() => unauthorised('Invalid or expired token')),
  TooManyTokens: refused(
    409,
    'too_many_tokens',
    { most: 100 },
    'The session has the maximum of {most} valid tokens: wait until one expires',
  ),
  SessionNotFound: plain(() => ({ status: 404, detail: 'Session not found' })),
  SessionRunning: fixed(409, 'session_running', 'The session is running: end it first'),
  SessionElsewhere: fixed(
    409,
    'session_on_other_instance',
    'The session is handled by another instance of the service',
  ),
  NoCreditToStart: answered(
    { why: { _tag: 'ZeroBalance' }, shortage: { reason: 'balance', retry_after_seconds: null } },
    noCreditToStart,
  ),
  AtCapacity: answered({ of: 'account', capacity: 25 }, ({ of, capacity }) =>
    later(
      'at_capacity',
      of === 'service'
        ? 'The service has reached its maximum number of realtime sessions'
        : `The account has reached its maximum of ${capacity} realtime sessions`,
      busy_seconds,
    ),
  ),
  InvalidSdp: refused(400, 'invalid_sdp', { reason: 'it has no media' }, 'The SDP offer is invalid: {reason}'),
  InvalidIceCandidate: refused(
    400,
    'invalid_ice_candidate',
    { reason: 'it has no port' },
    'The ICE candidate is invalid: {reason}',
  ),

  /* Technical failures. Their reasons are logged, not sent: they may contain internal details. */
  BodyReaderFailed: unavailable('body_reader_failed', 'The body could not be processed: try again later', busy_seconds),
  ServerBusy: unavailable('server_busy', 'The service is receiving too much data: try again later', busy_seconds),
  TooManyRequests: answered({ most: 128 }, ({ most }) =>
    retryable(429, 'too_many_requests', `The account has ${most} requests in progress`, 1, { most }),
  ),
  EngineUnavailable: unavailable(
    'analysis_unavailable',
    'The analysis engine is unreachable: try again later',
    busy_seconds,
  ),
  DocumentReaderFailed: unavailable(
    'document_reader_failed',
    'The document could not be processed: try again later',
    busy_seconds,
  ),
  NameModelFailed: answered({ reason: 'secret', run_id }, (refusal) =>
    nameModelFailed('The name model returned no usable answer; nothing was charged', refusal.run_id),
  ),
  RunTakenOver: answered({ run_id }, (refusal) =>
    nameModelFailed('The inference was aborted; nothing was charged', refusal.run_id),
  ),
  ReadModelBehind: unavailable(
    'read_model_behind',
    'The read models have not reached the requested position yet: try again',
  ),
  ReadModelsUnavailable: unavailable('read_models_unavailable', 'The read models are unavailable: try again later'),
  AppendTooLarge: fixed(
    413,
    'payload_too_large',
    'The change is too large for the event store: split it into smaller requests',
  ),
  AppendUnreadable: fixed(
    500,
    'unreadable_change',
    'The change was not stored, because of an internal error: it could not be read back',
  ),
  Contention: unavailable('contention', 'Too many concurrent writes to this record: try again'),
  UnreadableEvent: answered({ position, stream: 'video-v1', revision: 3, reason: 'secret' }, ({ stream, revision }) => {
    const message = `Internal error: the event at revision ${revision} of the record cannot be read`;
    return coded(500, 'unreadable_event', message, { stream, revision });
  }),
  StoreUnavailable: answered(
    { reason: 'secret' },
    ({ because }) => {
      if (because === 'key_vault')
        return later('key_vault_unavailable', 'The key vault is unavailable: try again later', busy_seconds);
      return because === 'key_missing'
        ? later('key_missing', 'The encryption key of this record is missing', busy_seconds)
        : later('store_unavailable', 'The event store is unavailable: try again later');
    },
    { reason: 'secret', because: 'key_vault' },
    { reason: 'secret', because: 'key_missing' },
  ),
};

/** The HTTP answer to a refusal. */
export const httpErrorOf = <Tag extends Refusal['_tag']>(
  refusal: Extract<Refusal, { _tag: Tag }>,
  ids: IdsInPath = {},
): HttpError => {
  const { answer }: Answered<Facts<Tag>> = answers[refusal._tag];
  return answer(refusal, ids);
};

/** Example answers to a refusal, one for each code that it can have. */
export const exampleErrors = (tag: Refusal['_tag']): ReadonlyArray<HttpError> => answers[tag].examples();
