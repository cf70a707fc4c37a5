import type { Ineligible } from '../../domain/name-inference/eligibility.js';
import type { NotRevertible } from '../../application/use-cases/undo/undone.js';
import { creditRefusals, noCreditToStart } from './credit-refusals.js';
import { erasureRefusals } from './erasure-refusals.js';
import { type HttpError, coded, later } from './http-error.js';
import type { Refusal } from './refusal.js';
import { badRegistryKey, tagsRefused } from './tag-refusals.js';

export type { Refusal } from './refusal.js';

const ineligibleFor: Readonly<Record<Ineligible, string>> = {
  meeting: 'it is a meeting',
  parent_meeting: 'its video is a meeting',
  provider_supplied: 'its transcript was supplied by a provider',
  transcript_replaced: 'its transcript was replaced',
  speech_segments: 'it has a speech_segments pointer',
};

const lasting: Readonly<Record<NotRevertible['reason'], string>> = {
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
};

/** When to try again what is busy or away. */
const busy_seconds = 5;

type Table = { readonly [Tag in Refusal['_tag']]: (refusal: Extract<Refusal, { _tag: Tag }>) => HttpError };

/** The one place where refusals and failures meet HTTP: one without a status does not compile. */
const table: Table = {
  Unauthenticated: () => ({ status: 401, detail: 'Missing or invalid API key' }),
  NotAuthorised: ({ permission }) =>
    permission === null
      ? coded(401, 'not_authorised', 'This API key does not permit this request')
      : coded(
          401,
          'not_authorised',
          `This API key does not permit this request: it needs the permission ${permission}`,
          { permission },
        ),

  UnknownVideo: () => coded(404, 'unknown_video', 'There is no such video'),
  UnknownAudio: () => coded(404, 'unknown_audio', 'There is no such audio'),
  UnknownRun: () => coded(404, 'unknown_run', 'This video has no such match run'),
  UnknownAccount: () => coded(404, 'unknown_account', 'There is no such account'),
  UnknownKey: () => coded(404, 'unknown_key', 'This account has no such key'),
  MakerRevoked: () => ({ status: 401, detail: 'Missing or invalid API key' }),
  TooManyKeys: ({ most }) =>
    coded(
      409,
      'too_many_keys',
      `The account has the maximum of ${most} active keys that were made by keys: revoke one, or wait until one expires`,
    ),
  TooManyDecisions: ({ most }) =>
    coded(409, 'too_many_decisions', `A video may have at most ${most} rejected pairs of a face and a speaker`, {
      most,
    }),
  UnknownFace: () => coded(404, 'InvalidFace', 'The video has no such face'),
  UnknownSpeaker: () => coded(404, 'InvalidSpeaker', 'The audio has no such speaker'),
  SuggestionsPending: () => coded(404, 'match_run_in_flight', 'A match run is in flight'),
  NoSuggestions: () => coded(404, 'no_suggestions', 'No suggestions were stored for this video'),
  NoTranscript: () => coded(404, 'transcript_not_found', 'The audio has no transcript'),
  NoSuchRevision: () => coded(404, 'no_such_revision', 'The record did not exist at that revision or time'),
  InvalidFace: ({ face_id }) => coded(404, 'InvalidFace', `Face ${face_id} is not in the video`, { face_id }),
  InvalidSpeaker: ({ speaker_id }) =>
    coded(404, 'InvalidSpeaker', `Speaker ${speaker_id} is not in the audio`, { speaker_id }),

  MalformedBody: ({ message, errors }) => coded(422, 'malformed_body', message, { errors }),
  BadQuery: ({ parameter, message }) => coded(400, 'bad_query', `${parameter} ${message}`, { parameter }),
  InvalidCursor: () =>
    coded(400, 'bad_query', 'Invalid cursor: use the next_cursor of an earlier page, with the same filters', {
      parameter: 'cursor',
    }),

  BadHeader: ({ header, message }) => coded(400, 'bad_header', `${header} ${message}`, { header }),
  PayloadTooLarge: () => coded(413, 'payload_too_large', 'The body is too large'),
  UnsupportedEncoding: () =>
    coded(415, 'unsupported_encoding', 'Content-Encoding must be gzip, deflate or br, or be left out'),
  ServerBusy: () => later('server_busy', 'The service is receiving too much data at present', busy_seconds),
  BodyReaderFailed: () => later('body_reader_failed', 'The body could not be processed', busy_seconds),
  BodyCutOff: () => coded(400, 'body_cut_off', 'The body is incomplete or badly compressed'),

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
    coded(400, 'speaker_not_targeted', `matches: speaker ${speaker_id} is not a target of the run`, { speaker_id }),
  UndeclaredSpeaker: ({ speaker_id }) =>
    coded(400, 'undeclared_speaker', `Speaker ${speaker_id} is not among the audio's speakers`, { speaker_id }),
  MergeIntoItself: () => coded(400, 'merge_into_itself', 'from and into must be two speakers'),
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
  KeyHeld: () => coded(409, 'idempotency_key_held', 'A request with this idempotency key is still in progress'),
  WriteHeld: () => coded(409, 'idempotency_key_held', 'A request with this idempotency key is still in progress'),
  WriteTakenOver: () => coded(409, 'idempotency_key_held', 'A request with this idempotency key is still in progress'),
  SecretNotRepeatable: ({ id }) =>
    coded(409, 'secret_not_repeatable', 'This request was served before; its answer held a secret that is shown once', {
      id,
    }),
  NameModelFailed: () => coded(502, 'name_model_failed', 'The name model gave no usable answer; nothing was charged'),
  RunTakenOver: () => coded(502, 'name_model_failed', 'The run was abandoned before it ended; nothing was charged'),
  InferenceExists: () => coded(409, 'inference_exists', 'This run already exists'),
  UnknownInference: () => coded(404, 'unknown_inference', 'There is no such run'),
  InferenceEnded: () => coded(409, 'inference_ended', 'The run has ended'),

  UnknownTag: ({ key }) => coded(404, 'unknown_tag', `The video has no tag ${key}`, { key }),
  TagsRefused: tagsRefused,
  TagsTooLarge: ({ most_bytes }) =>
    coded(
      413,
      'payload_too_large',
      `These tags and the ones they replace take more than ${most_bytes} bytes: send fewer`,
    ),
  BadRegistryKey: badRegistryKey,

  VideoExists: ({ video_id }) => coded(409, 'video_exists', `Video ${video_id} already exists`),
  AudioExists: ({ audio_id }) => coded(409, 'audio_exists', `Audio ${audio_id} already exists`),
  AccountExists: ({ account_id }) => coded(409, 'account_exists', `Account ${account_id} already exists`),
  AudioHasParent: () => coded(409, 'audio_has_parent', 'The audio already belongs to a video'),
  AudioAlreadyAssociated: () => coded(409, 'audio_already_associated', 'The video already has an audio'),
  VideoUnprocessed: ({ status }) =>
    coded(422, 'video_not_completed', `The video's processing is not completed: ${status}`, { status }),
  MediaNotCompleted: ({ medium, status }) =>
    coded(409, `${medium}_not_completed`, `The ${medium}'s processing is not completed: ${status}`, { status }),
  RunInFlight: ({ run_id, queued_at }) =>
    coded(409, 'match_run_in_flight', 'A match run is in flight', { run_id, queued_at }),
  UnknownEvent: ({ position }) =>
    coded(404, 'unknown_event', `No change of this record is at position ${position}`, { position }),
  NothingToRevert: ({ changed_since }) =>
    coded(409, 'nothing_to_revert', 'Nothing is left to revert: what this change wrote was changed or reverted since', {
      changed_since,
    }),
  NotRevertible: ({ reason }) =>
    coded(409, 'not_revertible', `This cannot be reverted: it is ${lasting[reason]}`, { reason }),
  RunNotOpen: ({ run_id }) => coded(409, 'run_not_open', 'The run has ended', { run_id }),
  RunSuperseded: ({ run_id }) => coded(409, 'run_superseded', 'A newer run superseded this one', { run_id }),
  NoRunToFail: ({ run_id }) => coded(409, 'no_run_to_fail', 'No run is open', { run_id }),
  RevisionChanged: ({ expected, actual }) =>
    coded(412, 'revision_changed', `The record is at revision ${actual}, not ${expected}`, { expected, actual }),

  ...creditRefusals,
  SessionExists: () => coded(409, 'session_exists', 'This session already exists'),
  InvalidSessionToken: () => ({ status: 401, detail: 'Invalid or expired token' }),
  TooManyTokens: ({ most }) =>
    coded(409, 'too_many_tokens', `The session has the maximum of ${most} valid tokens: wait until one expires`),
  SessionNotFound: () => ({ status: 404, detail: 'Session not found' }),
  SessionRunning: () => coded(409, 'session_running', 'The session is running: end it first'),
  SessionElsewhere: () => coded(409, 'session_on_other_instance', 'The session runs on another instance'),
  NoCreditToStart: ({ why }) => noCreditToStart(why),
  AtCapacity: ({ of, capacity }) =>
    later(
      'at_capacity',
      of === 'service'
        ? 'All realtime sessions are in use'
        : `The account uses all ${capacity} of its realtime sessions`,
      busy_seconds,
    ),
  EngineUnavailable: () => later('analysis_unavailable', 'The analysis service cannot be reached', busy_seconds),
  DocumentReaderFailed: () => later('document_reader_failed', 'The document could not be processed', busy_seconds),
  InvalidSdp: ({ reason }) => coded(400, 'invalid_sdp', `The offer cannot be answered: ${reason}`),
  InvalidIceCandidate: ({ reason }) => coded(400, 'invalid_ice_candidate', `The candidate cannot be used: ${reason}`),

  ReadModelBehind: () => later('read_model_behind', 'The read models have not reached that position yet'),
  ReadModelsUnavailable: () => later('read_models_unavailable', 'The read models are unavailable'),
  AppendTooLarge: () =>
    coded(413, 'payload_too_large', 'The change is too large for the event store: send it in smaller parts'),
  AppendUnreadable: () =>
    coded(500, 'unreadable_change', 'The change could not be read back and was not stored: a fault of the service'),
  ...erasureRefusals,
  Contention: () => later('contention', 'Too many concurrent writes to this record'),
  UnreadableEvent: ({ stream, revision }) => ({
    ...coded(500, 'unreadable_event', `The record's history cannot be read at revision ${revision}`, {
      stream,
      revision,
    }),
  }),
};

/** The answer to a refusal. */
export const httpErrorOf = <Tag extends Refusal['_tag']>(refusal: Extract<Refusal, { _tag: Tag }>): HttpError => {
  const answer: (refusal: Extract<Refusal, { _tag: Tag }>) => HttpError = table[refusal._tag];
  return answer(refusal);
};
