import { type AdmissionRefusal, refusalReasons } from '../../../domain/credit-account/contract.js';
import type { NoCreditToStart } from '../../../application/realtime/admit-session.js';
import { creditsText } from '../../../domain/kernel/credits.js';
import type { RunId } from '../../../domain/kernel/ids.js';
import {
  type ErrorOf,
  type Facts,
  type HttpError,
  type IdsInPath,
  type Refusal,
  coded,
  later,
  refused,
  retryable,
  unavailable,
  withFacts,
  keyForm,
  ineligibleFor,
  irrevertible,
  notAuthorised,
  notCompleted,
  tagsRefused,
  unauthorised,
} from './refusal.js';

export type { Refusal } from './refusal.js';

/** `Retry-After` of what is busy. */
const busy_seconds = 5;

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

/** The HTTP answer to each refusal and failure. One without an answer does not compile. */
export const answers: { readonly [Tag in Refusal['_tag']]: ErrorOf<Facts<Tag>> } = {
  Unauthenticated: () => unauthorised('Missing or invalid API key'),
  NotAuthorised: ({ needs }) => unauthorised(notAuthorised(needs)),

  UnknownVideo: refused(404, 'unknown_video', 'The video{ video_id} does not exist'),
  UnknownAudio: refused(404, 'unknown_audio', 'The audio{ audio_id} does not exist'),
  UnknownRun: refused(404, 'unknown_run', 'The video has no match run{ run_id| with this id}'),
  UnknownAccount: refused(404, 'unknown_account', 'The account{ account_id} does not exist'),
  UnknownKey: refused(404, 'unknown_key', 'The account has no API key{ key_id| with this id}'),
  IssuerRevoked: () => unauthorised('Missing or invalid API key'),
  TooManyKeys: refused(
    409,
    'too_many_keys',
    'The account has the maximum of {most} active keys created with other keys: revoke one, or wait until one expires',
  ),
  TooManyDecisions: withFacts(
    409,
    'too_many_decisions',
    'A video can have at most {most} rejected pairs of a face and a speaker',
  ),
  UnknownFace: refused(404, 'InvalidFace', 'The video has no face{ face_id| with this id}'),
  UnknownSpeaker: refused(404, 'InvalidSpeaker', 'The audio has no speaker{ speaker_id| with this id}'),
  SuggestionsPending: refused(404, 'match_run_in_flight', 'A suggest run is in flight'),
  NoSuggestions: refused(404, 'no_suggestions', 'The video has no stored suggestions'),
  NoTranscript: refused(404, 'transcript_not_found', 'The audio has no transcript'),
  NoSuchRevision: refused(
    404,
    'no_such_revision',
    'The record does not have that revision, or did not exist at that time',
  ),
  InvalidFace: withFacts(404, 'InvalidFace', 'Face {face_id} is not in the video'),
  InvalidSpeaker: withFacts(404, 'InvalidSpeaker', 'Speaker {speaker_id} is not in the audio'),

  MalformedBody: ({ message, errors }) => coded(422, 'malformed_body', message, { errors }),
  BadQuery: ({ others = [], ...first }) =>
    coded(400, 'bad_query', [first, ...others].map(({ parameter, message }) => `${parameter} ${message}`).join('; '), {
      parameter: first.parameter,
      ...(others.length === 0
        ? {}
        : { errors: [first, ...others].map(({ parameter, message }) => ({ path: parameter, message })) }),
    }),
  InvalidCursor: () =>
    coded(400, 'bad_query', 'Invalid cursor: use next_cursor, with the same parameters', {
      parameter: 'cursor',
    }),

  BadHeader: ({ header, message }) => coded(400, 'bad_header', `${header} ${message}`, { header }),
  PayloadTooLarge: ({ most_bytes }) =>
    coded(413, 'payload_too_large', `The body is larger than ${most_bytes / 1024 / 1024} MiB`),
  UnsupportedEncoding: refused(415, 'unsupported_encoding', 'Content-Encoding must be gzip, deflate, br or absent'),
  BodyCutOff: refused(400, 'body_cut_off', 'The body is incomplete, or its compression is invalid'),

  EmptyMappings: refused(400, 'empty_mappings', 'mappings must not be empty'),
  EmptyDecisions: refused(400, 'empty_decisions', 'decisions must not be empty'),
  DuplicateDecision: ({ speaker_id, face_id }) =>
    coded(
      400,
      'duplicate_decision',
      face_id === null
        ? `Two decisions about speaker ${speaker_id} contradict each other`
        : `Two decisions about speaker ${speaker_id} and face ${face_id} contradict each other`,
      { speaker_id, face_id },
    ),
  DuplicateFace: withFacts(400, 'duplicate_face_id', 'Face {face_id} appears more than once'),
  DuplicateSpeaker: withFacts(400, 'duplicate_speaker_id', 'Speaker {speaker_id} appears more than once'),
  AudioMissing: refused(400, 'audio_missing', 'The video has no audio'),
  EmptyTargets: refused(400, 'empty_target_speaker_ids', 'target_speaker_ids must not be empty'),
  TargetNotInAudio: withFacts(
    400,
    'speaker_not_in_audio',
    'target_speaker_ids: speaker {speaker_id} is not in the audio',
  ),
  SpeakerNotTargeted: withFacts(
    400,
    'speaker_not_targeted',
    'matches: speaker {speaker_id} is not one of the target speakers of the run',
  ),
  UndeclaredSpeaker: withFacts(
    400,
    'undeclared_speaker',
    'Speaker {speaker_id} is used in segments or transcript but is not a speaker of the audio',
  ),
  MergeIntoItself: refused(400, 'merge_into_itself', 'from and into must be different speakers'),
  UnavailableAudio: withFacts(400, 'audio_not_found', 'audio_id: the account has no audio {audio_id}'),
  UnavailableVideo: withFacts(400, 'video_not_found', 'video_id: the account has no video {video_id}'),

  SyntheticTarget: withFacts(400, 'synthetic_speaker', 'target_speaker_ids: speaker {speaker_id} is a synthetic track'),
  ParentMissing: refused(400, 'parent_video_missing', 'The parent video of the audio does not exist'),
  IneligibleAudio: ({ why }) =>
    coded(400, 'audio_not_eligible', `The audio is not eligible for name inference: ${ineligibleFor[why]}`, { why }),
  TranscriptNotReady: refused(400, 'transcript_not_ready', 'The transcript is not ready'),
  KeyReused: refused(422, 'idempotency_key_reused', 'The idempotency key was already used for a different request'),
  WriteHeld: refused(409, 'idempotency_key_held', 'Another request with this idempotency key is in progress'),
  WriteTakenOver: refused(409, 'idempotency_key_held', 'Another request with this idempotency key is in progress'),
  SecretNotRepeatable: withFacts(
    409,
    'secret_not_repeatable',
    'This request was already answered, and its answer contained a secret that is shown only once',
  ),
  InferenceExists: refused(409, 'inference_exists', 'The inference run already exists'),
  UnknownInference: refused(404, 'unknown_inference', 'The inference run does not exist'),
  InferenceEnded: refused(409, 'inference_ended', 'The run has already ended'),

  UnknownTag: withFacts(404, 'unknown_tag', 'The video has no tag {key}'),
  TagsRefused: tagsRefused,
  TooManyTags: withFacts(400, 'too_many_tags', 'A video can have at most {most} tags'),
  BadRegistryKey: refused(
    400,
    'malformed_key',
    `The key must be ${keyForm}, such as vpm.campaign, or a family of keys that ends with .*, such as vpm.*`,
  ),

  VideoExists: refused(409, 'video_exists', 'Video {video_id} already exists'),
  AudioExists: refused(409, 'audio_exists', 'Audio {audio_id} already exists'),
  AccountExists: refused(409, 'account_exists', 'Account {account_id} already exists'),
  AudioHasParent: refused(409, 'audio_has_parent', 'The audio already belongs to a video'),
  AudioAlreadyAssociated: refused(409, 'audio_already_associated', 'The video already has an audio'),
  VideoUnprocessed: ({ status }) => notCompleted(422, 'video', status),
  AudioNotCompleted: ({ status }) => notCompleted(409, 'audio', status),
  MediaNotCompleted: ({ medium, status }) => notCompleted(409, medium, status),
  RunInFlight: withFacts(409, 'match_run_in_flight', 'A suggest run is in flight'),
  UnknownEvent: withFacts(404, 'unknown_event', 'The record has no change at position {position}'),
  NothingToRevert: withFacts(409, 'nothing_to_revert', 'Nothing to revert: all fields were changed or reverted since'),
  NotRevertible: ({ reason }) =>
    coded(409, 'not_revertible', `A change of this kind cannot be reverted: ${irrevertible[reason]}`, { reason }),
  ComparedWithOthers: unavailable('contention', 'Too many concurrent analyses of this record: try again'),
  SpeakersNotFollowed: unavailable('contention', 'The speakers are being renumbered: try again'),
  RunNotOpen: withFacts(409, 'run_not_open', 'The run has already ended'),
  RunSuperseded: withFacts(409, 'run_superseded', 'A newer run superseded this one'),
  NoRunToFail: withFacts(409, 'no_run_to_fail', 'The video has no open match run'),
  RevisionChanged: withFacts(
    412,
    'revision_changed',
    'The record is at revision {actual}, but If-Match requires {expected}',
  ),

  MediumErased: withFacts(410, 'erased', 'The record was erased at {erased_at}'),
  LogNotSealed: refused(
    409,
    'log_not_sealed',
    'The event log contains unencrypted personal data from before encryption was introduced, which cannot be erased. Stop the service and make an encrypted copy: media-analysis events copy --seal-personal --from <data folder>/events.db --to <new folder>/events.db',
  ),
  InvalidAmount: (refusal) => {
    const amount = creditsText(refusal.amount);
    return coded(422, 'invalid_amount', `${amount} is not a valid amount of credits`, { amount });
  },
  BalanceOutOfRange: (refusal) => {
    const balance = creditsText(refusal.balance);
    const message = `The balance would be ${balance}: it must be between -1,000,000,000 and 1,000,000,000 (exclusive)`;
    return coded(409, 'balance_out_of_range', message, { balance });
  },
  ZeroBalance: () => notAdmitted('ZeroBalance', 'No credits left: the balance is zero'),
  NegativeBalance: ({ balance }) =>
    notAdmitted('NegativeBalance', `The credit balance is negative: ${creditsText(balance)}`),
  WindowUsedUp: (refusal) => {
    const { limit, spent, amount, opens_at } = refusal;
    const left = `${creditsText(spent)} are spent, and the call may cost ${creditsText(amount)}`;
    const until = opens_at === null ? '' : ` until ${opens_at}`;
    return notAdmitted(
      'WindowUsedUp',
      `The spending window of ${creditsText(limit)} credits is used up${until}: ${left}`,
    );
  },
  AllCreditsHeld: (refusal) => {
    const { of, held } = refusal;
    const what = of === 'balance' ? 'credits of the account' : 'credits left in the spending window';
    const message = `The ${what} are reserved by calls in progress (${creditsText(held)}): try again later`;
    return notAdmitted('AllCreditsHeld', message);
  },
  AboveMaxCredits: (refusal) => {
    const [amount, most] = [refusal.amount, refusal.max_credits].map(creditsText);
    return notAdmitted(
      'AboveMaxCredits',
      `The call may cost ${amount} credits, which is more than its max_credits of ${most}`,
    );
  },
  SessionExists: refused(409, 'session_exists', 'This session already exists'),
  InvalidSessionToken: () => unauthorised('Invalid or expired token'),
  TooManyTokens: refused(
    409,
    'too_many_tokens',
    'The session has the maximum of {most} valid tokens: wait until one expires',
  ),
  SessionNotFound: () => ({ status: 404, detail: 'Session not found' }),
  SessionRunning: refused(409, 'session_running', 'The session is running: end it first'),
  SessionElsewhere: refused(
    409,
    'session_on_other_instance',
    'The session is handled by another instance of the service',
  ),
  NoCreditToStart: noCreditToStart,
  AtCapacity: ({ of, capacity }) =>
    later(
      'at_capacity',
      of === 'service'
        ? 'The service has reached its maximum number of realtime sessions'
        : `The account has reached its maximum of ${capacity} realtime sessions`,
      busy_seconds,
    ),
  InvalidSdp: refused(400, 'invalid_sdp', 'The SDP offer is invalid: {reason}'),
  InvalidIceCandidate: refused(400, 'invalid_ice_candidate', 'The ICE candidate is invalid: {reason}'),

  /* Technical failures. Their reasons are logged, not sent: they may contain internal details. */
  BodyReaderFailed: unavailable('body_reader_failed', 'The body could not be processed: try again later', busy_seconds),
  ServerBusy: unavailable('server_busy', 'The service is receiving too much data: try again later', busy_seconds),
  TooManyRequests: ({ most }) =>
    retryable(429, 'too_many_requests', `The account has ${most} requests in progress`, 1, { most }),
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
  NameModelFailed: (refusal) =>
    nameModelFailed('The name model returned no usable answer; nothing was charged', refusal.run_id),
  RunTakenOver: (refusal) => nameModelFailed('The inference was aborted; nothing was charged', refusal.run_id),
  ReadModelBehind: unavailable(
    'read_model_behind',
    'The read models have not reached the requested position yet: try again',
  ),
  ReadModelsUnavailable: unavailable('read_models_unavailable', 'The read models are unavailable: try again later'),
  AppendTooLarge: refused(
    413,
    'payload_too_large',
    'The change is too large for the event store: split it into smaller requests',
  ),
  AppendUnreadable: refused(
    500,
    'unreadable_change',
    'The change was not stored, because of an internal error: it could not be read back',
  ),
  Contention: unavailable('contention', 'Too many concurrent writes to this record: try again'),
  UnreadableEvent: ({ stream, revision }) => {
    const message = `Internal error: the event at revision ${revision} of the record cannot be read`;
    return coded(500, 'unreadable_event', message, { stream, revision });
  },
  StoreUnavailable: ({ because }) => {
    if (because === 'key_vault')
      return later('key_vault_unavailable', 'The key vault is unavailable: try again later', busy_seconds);
    return because === 'key_missing'
      ? later('key_missing', 'The encryption key of this record is missing', busy_seconds)
      : later('store_unavailable', 'The event store is unavailable: try again later');
  },
};

/** The HTTP answer to a refusal. */
export const httpErrorOf = <Tag extends Refusal['_tag']>(
  refusal: Extract<Refusal, { _tag: Tag }>,
  ids: IdsInPath = {},
): HttpError => {
  const answer: ErrorOf<Facts<Tag>> = answers[refusal._tag];
  return answer(refusal, ids);
};
