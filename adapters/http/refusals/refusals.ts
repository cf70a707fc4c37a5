import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import type { Ineligible } from '../../../domain/name-inference/eligibility.js';
import type { NotAuthorised } from '../../../application/queries/authorise.js';
import type { NotRevertible } from '../../../application/use-cases/undo/undone.js';
import { creditRefusals, noCreditToStart } from './credit-refusals.js';
import { type HttpError, coded, later, retryable } from './http-error.js';
import type { IdsInPath, Refusal, RefusalAnswers } from './refusal.js';
import { badRegistryKey, tagsRefused } from './tag-refusals.js';

export type { Refusal } from './refusal.js';

const ineligibleFor: Readonly<Record<Ineligible, string>> = {
  meeting: 'it is a meeting',
  parent_meeting: 'its video is a meeting',
  provider_supplied: 'its transcript was supplied by a provider',
  transcript_replaced: 'its transcript was replaced',
  speech_segments: 'it has a speech_segments pointer',
};

/** Changes that cannot be reverted. */
const irrevertible: Readonly<Record<NotRevertible['reason'], string>> = {
  registration: 'the registration of a record',
  link: 'the link of a video and an audio',
  analysis: 'an analysis',
  personality_data: 'personality data',
  transcript: 'a transcript',
  merge: 'a merge of speakers',
  deletion: 'the deletion of a speaker',
  trigger: 'the trigger of a match run',
  suggestions: 'stored suggestions',
  failed_run: 'the failure of a match run',
  renumbered: 'one from before faces or speakers were renumbered',
};

const notCompleted = (code: 409 | 422, medium: 'video' | 'audio', status: ProcessingStatus): HttpError =>
  coded(code, `${medium}_not_completed`, `The processing of the ${medium} is not completed: its status is ${status}`, {
    status,
  });

/** RFC 9110, section 15.5.2: a 401 says how to authenticate. */
const unauthorised = (detail: HttpError['detail']): HttpError => ({
  status: 401,
  detail,
  headers: { 'WWW-Authenticate': 'Bearer realm="media-analysis"' },
});

const notAuthorised = (needs: NotAuthorised['needs']): HttpError['detail'] => {
  const code = 'not_authorised';
  switch (needs) {
    case 'owner':
      return { code, message: 'Only the owner may do this: the API key belongs to another account' };
    case 'admin':
      return { code, message: 'Only an administrator may do this: the API key is not an admin key' };
    default:
      return { code, message: `This API key lacks the permission ${needs}`, permission: needs };
  }
};

/** `Retry-After` of what is busy. */
const busy_seconds = 5;

/** The id in the path, if there is one. */
const named = (id: string | undefined, otherwise = ''): string => (id === undefined ? otherwise : ` ${id}`);

/** The HTTP answer to each refusal and failure. One without an answer does not compile. */
const answers: RefusalAnswers = {
  Unauthenticated: () => unauthorised('Missing or invalid API key'),
  NotAuthorised: ({ needs }) => unauthorised(notAuthorised(needs)),

  UnknownVideo: (_, { video_id }) => coded(404, 'unknown_video', `The video${named(video_id)} does not exist`),
  UnknownAudio: (_, { audio_id }) => coded(404, 'unknown_audio', `The audio${named(audio_id)} does not exist`),
  UnknownRun: (_, { run_id }) =>
    coded(404, 'unknown_run', `The video has no match run${named(run_id, ' with this id')}`),
  UnknownAccount: (_, { account_id }) =>
    coded(404, 'unknown_account', `The account${named(account_id)} does not exist`),
  UnknownKey: (_, { key_id }) =>
    coded(404, 'unknown_key', `The account has no API key${named(key_id, ' with this id')}`),
  IssuerRevoked: () => unauthorised('Missing or invalid API key'),
  TooManyKeys: ({ most }) =>
    coded(
      409,
      'too_many_keys',
      `The account has the maximum of ${most} active keys created with other keys: revoke one, or wait until one expires`,
    ),
  TooManyDecisions: ({ most }) =>
    coded(409, 'too_many_decisions', `A video can have at most ${most} rejected pairs of a face and a speaker`, {
      most,
    }),
  UnknownFace: (_, { face_id }) => coded(404, 'InvalidFace', `The video has no face${named(face_id, ' with this id')}`),
  UnknownSpeaker: (_, { speaker_id }) =>
    coded(404, 'InvalidSpeaker', `The audio has no speaker${named(speaker_id, ' with this id')}`),
  SuggestionsPending: () => coded(404, 'match_run_in_flight', 'A suggest run is in flight'),
  NoSuggestions: () => coded(404, 'no_suggestions', 'The video has no stored suggestions'),
  NoTranscript: () => coded(404, 'transcript_not_found', 'The audio has no transcript'),
  NoSuchRevision: () =>
    coded(404, 'no_such_revision', 'The record does not have that revision, or did not exist at that time'),
  InvalidFace: ({ face_id }) => coded(404, 'InvalidFace', `Face ${face_id} is not in the video`, { face_id }),
  InvalidSpeaker: ({ speaker_id }) =>
    coded(404, 'InvalidSpeaker', `Speaker ${speaker_id} is not in the audio`, { speaker_id }),

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
  UnsupportedEncoding: () => coded(415, 'unsupported_encoding', 'Content-Encoding must be gzip, deflate, br or absent'),
  BodyCutOff: () => coded(400, 'body_cut_off', 'The body is incomplete, or its compression is invalid'),

  EmptyMappings: () => coded(400, 'empty_mappings', 'mappings must not be empty'),
  EmptyDecisions: () => coded(400, 'empty_decisions', 'decisions must not be empty'),
  DuplicateDecision: ({ speaker_id, face_id }) =>
    coded(
      400,
      'duplicate_decision',
      face_id === null
        ? `Two decisions about speaker ${speaker_id} contradict each other`
        : `Two decisions about speaker ${speaker_id} and face ${face_id} contradict each other`,
      { speaker_id, face_id },
    ),
  DuplicateFace: ({ face_id }) =>
    coded(400, 'duplicate_face_id', `Face ${face_id} appears more than once`, { face_id }),
  DuplicateSpeaker: ({ speaker_id }) =>
    coded(400, 'duplicate_speaker_id', `Speaker ${speaker_id} appears more than once`, { speaker_id }),
  AudioMissing: () => coded(400, 'audio_missing', 'The video has no audio'),
  EmptyTargets: () => coded(400, 'empty_target_speaker_ids', 'target_speaker_ids must not be empty'),
  TargetNotInAudio: ({ speaker_id }) =>
    coded(400, 'speaker_not_in_audio', `target_speaker_ids: speaker ${speaker_id} is not in the audio`, { speaker_id }),
  SpeakerNotTargeted: ({ speaker_id }) =>
    coded(400, 'speaker_not_targeted', `matches: speaker ${speaker_id} is not one of the target speakers of the run`, {
      speaker_id,
    }),
  UndeclaredSpeaker: ({ speaker_id }) =>
    coded(
      400,
      'undeclared_speaker',
      `Speaker ${speaker_id} is used in segments or transcript but is not a speaker of the audio`,
      { speaker_id },
    ),
  MergeIntoItself: () => coded(400, 'merge_into_itself', 'from and into must be different speakers'),
  UnavailableAudio: ({ audio_id }) =>
    coded(400, 'audio_not_found', `audio_id: the account has no audio ${audio_id}`, { audio_id }),
  UnavailableVideo: ({ video_id }) =>
    coded(400, 'video_not_found', `video_id: the account has no video ${video_id}`, { video_id }),

  SyntheticTarget: ({ speaker_id }) =>
    coded(400, 'synthetic_speaker', `target_speaker_ids: speaker ${speaker_id} is a synthetic track`, { speaker_id }),
  ParentMissing: () => coded(400, 'parent_video_missing', 'The parent video of the audio does not exist'),
  IneligibleAudio: ({ why }) =>
    coded(400, 'audio_not_eligible', `The audio is not eligible for name inference: ${ineligibleFor[why]}`, { why }),
  TranscriptNotReady: () => coded(400, 'transcript_not_ready', 'The transcript is not ready'),
  KeyReused: () => coded(422, 'idempotency_key_reused', 'The idempotency key was already used for a different request'),
  WriteHeld: () => coded(409, 'idempotency_key_held', 'Another request with this idempotency key is in progress'),
  WriteTakenOver: () => coded(409, 'idempotency_key_held', 'Another request with this idempotency key is in progress'),
  SecretNotRepeatable: ({ id }) =>
    coded(
      409,
      'secret_not_repeatable',
      'This request was already answered, and its answer contained a secret that is shown only once',
      {
        id,
      },
    ),
  InferenceExists: () => coded(409, 'inference_exists', 'The inference run already exists'),
  UnknownInference: () => coded(404, 'unknown_inference', 'The inference run does not exist'),
  InferenceEnded: () => coded(409, 'inference_ended', 'The run has already ended'),

  UnknownTag: ({ key }) => coded(404, 'unknown_tag', `The video has no tag ${key}`, { key }),
  TagsRefused: tagsRefused,
  TooManyTags: ({ most }) => coded(400, 'too_many_tags', `A video can have at most ${most} tags`, { most }),
  TagsTooLarge: ({ most_bytes }) =>
    coded(
      413,
      'payload_too_large',
      `The tags and the values that they replace exceed ${most_bytes} bytes: send fewer tags`,
    ),
  BadRegistryKey: badRegistryKey,

  VideoExists: ({ video_id }) => coded(409, 'video_exists', `Video ${video_id} already exists`),
  AudioExists: ({ audio_id }) => coded(409, 'audio_exists', `Audio ${audio_id} already exists`),
  AccountExists: ({ account_id }) => coded(409, 'account_exists', `Account ${account_id} already exists`),
  AudioHasParent: () => coded(409, 'audio_has_parent', 'The audio already belongs to a video'),
  AudioAlreadyAssociated: () => coded(409, 'audio_already_associated', 'The video already has an audio'),
  VideoUnprocessed: ({ status }) => notCompleted(422, 'video', status),
  AudioNotCompleted: ({ status }) => notCompleted(409, 'audio', status),
  MediaNotCompleted: ({ medium, status }) => notCompleted(409, medium, status),
  RunInFlight: ({ run_id, queued_at }) =>
    coded(409, 'match_run_in_flight', 'A suggest run is in flight', { run_id, queued_at }),
  UnknownEvent: ({ position }) =>
    coded(404, 'unknown_event', `The record has no change at position ${position}`, { position }),
  NothingToRevert: ({ changed_since }) =>
    coded(409, 'nothing_to_revert', 'Nothing to revert: all fields were changed or reverted since', { changed_since }),
  NotRevertible: ({ reason }) =>
    coded(409, 'not_revertible', `A change of this kind cannot be reverted: ${irrevertible[reason]}`, { reason }),
  ComparedWithOthers: () => later('contention', 'Too many concurrent analyses of this record: try again'),
  SpeakersNotFollowed: () => later('contention', 'The speakers are being renumbered: try again'),
  RunNotOpen: ({ run_id }) => coded(409, 'run_not_open', 'The run has already ended', { run_id }),
  RunSuperseded: ({ run_id }) => coded(409, 'run_superseded', 'A newer run superseded this one', { run_id }),
  NoRunToFail: ({ run_id }) => coded(409, 'no_run_to_fail', 'The video has no open match run', { run_id }),
  RevisionChanged: ({ expected, actual }) =>
    coded(412, 'revision_changed', `The record is at revision ${actual}, but If-Match requires ${expected}`, {
      expected,
      actual,
    }),

  MediumErased: ({ erased_at }) => coded(410, 'erased', `The record was erased at ${erased_at}`, { erased_at }),
  LogNotSealed: () =>
    coded(
      409,
      'log_not_sealed',
      'The event log contains unencrypted personal data from before encryption was introduced, which cannot be erased. Stop the service and make an encrypted copy: media-analysis events copy --seal-personal --from <data folder>/events.db --to <new folder>/events.db',
    ),

  ...creditRefusals,
  SessionExists: () => coded(409, 'session_exists', 'This session already exists'),
  InvalidSessionToken: () => unauthorised('Invalid or expired token'),
  TooManyTokens: ({ most }) =>
    coded(409, 'too_many_tokens', `The session has the maximum of ${most} valid tokens: wait until one expires`),
  SessionNotFound: () => ({ status: 404, detail: 'Session not found' }),
  SessionRunning: () => coded(409, 'session_running', 'The session is running: end it first'),
  SessionElsewhere: () =>
    coded(409, 'session_on_other_instance', 'The session is handled by another instance of the service'),
  NoCreditToStart: noCreditToStart,
  AtCapacity: ({ of, capacity }) =>
    later(
      'at_capacity',
      of === 'service'
        ? 'The service has reached its maximum number of realtime sessions'
        : `The account has reached its maximum of ${capacity} realtime sessions`,
      busy_seconds,
    ),
  InvalidSdp: ({ reason }) => coded(400, 'invalid_sdp', `The SDP offer is invalid: ${reason}`),
  InvalidIceCandidate: ({ reason }) => coded(400, 'invalid_ice_candidate', `The ICE candidate is invalid: ${reason}`),

  /* Technical failures. Their reasons are logged, not sent: they may contain internal details. */
  BodyReaderFailed: () => later('body_reader_failed', 'The body could not be processed: try again later', busy_seconds),
  ServerBusy: () => later('server_busy', 'The service is receiving too much data: try again later', busy_seconds),
  TooManyRequests: ({ most }) =>
    retryable(429, 'too_many_requests', `The account has ${most} requests in progress`, 1, { most }),
  EngineUnavailable: () =>
    later('analysis_unavailable', 'The analysis engine is unreachable: try again later', busy_seconds),
  DocumentReaderFailed: () =>
    later('document_reader_failed', 'The document could not be processed: try again later', busy_seconds),
  NameModelFailed: ({ run_id }) => ({
    ...coded(502, 'name_model_failed', 'The name model returned no usable answer; nothing was charged', {
      retryable: false,
    }),
    ...(run_id === undefined ? {} : { headers: { 'X-Run-Id': run_id } }),
  }),
  RunTakenOver: ({ run_id }) => ({
    ...coded(502, 'name_model_failed', 'The inference was aborted; nothing was charged', { retryable: false }),
    headers: { 'X-Run-Id': run_id },
  }),
  ReadModelBehind: () =>
    later('read_model_behind', 'The read models have not reached the requested position yet: try again'),
  ReadModelsUnavailable: () => later('read_models_unavailable', 'The read models are unavailable: try again later'),
  AppendTooLarge: () =>
    coded(413, 'payload_too_large', 'The change is too large for the event store: split it into smaller requests'),
  AppendUnreadable: () =>
    coded(
      500,
      'unreadable_change',
      'The change was not stored, because of an internal error: it could not be read back',
    ),
  Contention: () => later('contention', 'Too many concurrent writes to this record: try again'),
  UnreadableEvent: ({ stream, revision }) => ({
    ...coded(
      500,
      'unreadable_event',
      `Internal error: the event at revision ${revision} of the record cannot be read`,
      {
        stream,
        revision,
      },
    ),
  }),
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
  const answer: (refusal: Extract<Refusal, { _tag: Tag }>, ids: IdsInPath) => HttpError = answers[refusal._tag];
  return answer(refusal, ids);
};
