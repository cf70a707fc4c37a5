import type { Ineligible } from '../../domain/name-inference/eligibility.js';
import type { NotRevertible } from '../../application/undo/revert-change.js';
import { creditRefusals, noCreditToStart } from './credit-refusals.js';
import { type HttpError, coded, later } from './http-error.js';
import type { Refusal } from './refusal.js';
import { badRegistryKey, tagsRefused } from './tag-refusals.js';

export type { Refusal } from './refusal.js';

const ineligibleFor: Readonly<Record<Ineligible, string>> = {
  meeting: 'it is a meeting',
  parent_meeting: 'its video is a meeting',
  provider_supplied: 'its transcript was supplied by a provider, for good',
  transcript_replaced: 'its transcript was replaced, for good',
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
      ? coded(401, 'not_authorised', 'This key may not do this here')
      : coded(401, 'not_authorised', `This key may not do this here without ${permission}`, { permission }),

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
      `The account has ${most} live keys made by keys: revoke one, or wait until one expires`,
    ),
  UnknownFace: () => coded(404, 'InvalidFace', 'The video has no such face'),
  UnknownSpeaker: () => coded(404, 'InvalidSpeaker', 'The audio has no such speaker'),
  SuggestionsPending: () => coded(404, 'match_run_in_flight', 'A match run is in flight'),
  NoSuggestions: () => coded(404, 'no_suggestions', 'No suggestions were stored for this video'),
  NoTranscript: () => coded(404, 'transcript_not_found', 'The audio has no transcript'),
  NoSuchRevision: () => coded(404, 'no_such_revision', 'The record did not exist then'),
  InvalidFace: ({ face_id }) => coded(404, 'InvalidFace', `Face ${face_id} is not in the video`, { face_id }),
  InvalidSpeaker: ({ speaker_id }) =>
    coded(404, 'InvalidSpeaker', `Speaker ${speaker_id} is not in the audio`, { speaker_id }),

  MalformedBody: ({ message, errors }) => coded(422, 'malformed_body', message, { errors }),
  BadQuery: ({ parameter, message }) => coded(400, 'bad_query', `${parameter} ${message}`, { parameter }),
  InvalidCursor: () => coded(400, 'bad_query', 'cursor is none that a page gave out', { parameter: 'cursor' }),

  BadHeader: ({ header, message }) => coded(400, 'bad_header', `${header} ${message}`, { header }),
  PayloadTooLarge: () => coded(413, 'payload_too_large', 'The body is too large'),
  UnsupportedEncoding: () => coded(415, 'unsupported_encoding', 'The encoding of the body is not supported'),
  ServerBusy: () => later('server_busy', 'Too much is being sent to the service at once', busy_seconds),
  BodyReaderFailed: () => later('body_reader_failed', 'The body could not be read now', busy_seconds),
  BodyCutOff: () => coded(400, 'body_cut_off', 'The body could not be read to its end'),

  EmptyMappings: () => coded(400, 'empty_mappings', 'mappings must not be empty'),
  DuplicateFace: ({ face_id }) =>
    coded(400, 'duplicate_face_id', `Face ${face_id} appears more than once`, { face_id }),
  DuplicateSpeaker: ({ speaker_id }) =>
    coded(400, 'duplicate_speaker_id', `Speaker ${speaker_id} appears more than once`, { speaker_id }),
  AudioMissing: () => coded(400, 'audio_missing', 'The video has no audio'),
  EmptyTargets: () => coded(400, 'empty_target_speaker_ids', 'target_speaker_ids must not be empty'),
  TargetNotInAudio: ({ speaker_id }) =>
    coded(400, 'speaker_not_in_audio', `target_speaker_ids: speaker ${speaker_id} is not in the audio`, { speaker_id }),
  SpeakerNotTargeted: ({ speaker_id }) =>
    coded(400, 'speaker_not_targeted', `matches: the run is not about speaker ${speaker_id}`, { speaker_id }),
  UndeclaredSpeaker: ({ speaker_id }) =>
    coded(400, 'undeclared_speaker', `Speaker ${speaker_id} is not among the audio's speakers`, { speaker_id }),
  MergeIntoItself: () => coded(400, 'merge_into_itself', 'from and into must be two speakers'),
  UnavailableAudio: ({ audio_id }) =>
    coded(400, 'audio_not_found', `audio_id: you have no audio ${audio_id}`, { audio_id }),
  UnavailableVideo: ({ video_id }) =>
    coded(400, 'video_not_found', `video_id: you have no video ${video_id}`, { video_id }),

  SyntheticTarget: ({ speaker_id }) =>
    coded(400, 'synthetic_speaker', `target_speaker_ids: speaker ${speaker_id} is a synthetic track`, { speaker_id }),
  ParentMissing: () => coded(400, 'parent_video_missing', 'The video that the audio points at does not exist'),
  IneligibleAudio: ({ why }) =>
    coded(400, 'audio_not_eligible', `The audio is not eligible for name inference: ${ineligibleFor[why]}`, { why }),
  TranscriptNotReady: () => coded(400, 'transcript_not_ready', 'The transcript is not ready'),
  KeyReused: () => coded(422, 'idempotency_key_reused', 'The idempotency key was sent before with another request'),
  KeyHeld: () => coded(409, 'idempotency_key_held', 'A request with this idempotency key is at work'),
  NameModelFailed: () => coded(502, 'name_model_failed', 'The name model gave no usable answer; nothing was charged'),
  RunTakenOver: () => coded(502, 'name_model_failed', 'The run was given up before it ended; nothing was charged'),
  InferenceExists: () => coded(409, 'inference_exists', 'There is such a run already'),
  UnknownInference: () => coded(404, 'unknown_inference', 'There is no such run'),
  InferenceEnded: () => coded(409, 'inference_ended', 'The run has ended'),

  UnknownTag: ({ key }) => coded(404, 'unknown_tag', `The video has no tag ${key}`, { key }),
  TagsRefused: tagsRefused,
  TagsTooLarge: ({ most_bytes }) =>
    coded(413, 'payload_too_large', `These tags and what they replace take more than ${most_bytes} bytes: send fewer`),
  BadRegistryKey: badRegistryKey,

  VideoExists: ({ video_id }) => coded(409, 'video_exists', `There is a video ${video_id} already`),
  AudioExists: ({ audio_id }) => coded(409, 'audio_exists', `There is an audio ${audio_id} already`),
  AccountExists: ({ account_id }) => coded(409, 'account_exists', `There is an account ${account_id} already`),
  AudioHasParent: () => coded(409, 'audio_has_parent', 'The audio belongs to a video already'),
  AudioAlreadyAssociated: () => coded(409, 'audio_already_associated', 'The video has an audio already'),
  VideoUnprocessed: ({ status }) =>
    coded(422, 'video_not_completed', `The video's processing is not completed: ${status}`, { status }),
  MediaNotCompleted: ({ medium, status }) =>
    coded(409, `${medium}_not_completed`, `The ${medium}'s processing is not completed: ${status}`, { status }),
  RunInFlight: ({ run_id, queued_at }) =>
    coded(409, 'match_run_in_flight', 'A match run is in flight', { run_id, queued_at }),
  UnknownEvent: ({ position }) =>
    coded(404, 'unknown_event', `No change of this record is at position ${position}`, { position }),
  NothingToRevert: ({ changed_since }) =>
    coded(409, 'nothing_to_revert', 'Nothing of this change is left to be put back', { changed_since }),
  NotRevertible: ({ reason }) =>
    coded(409, 'not_revertible', `This cannot be undone: it is ${lasting[reason]}`, { reason }),
  RunNotOpen: ({ run_id }) => coded(409, 'run_not_open', 'The run has ended', { run_id }),
  RunSuperseded: ({ run_id }) => coded(409, 'run_superseded', 'A newer run took over', { run_id }),
  NoRunToFail: ({ run_id }) => coded(409, 'no_run_to_fail', 'No run is open', { run_id }),
  RevisionChanged: ({ expected, actual }) =>
    coded(412, 'revision_changed', `The record is at revision ${actual}, not ${expected}`, { expected, actual }),

  ...creditRefusals,
  SessionExists: () => coded(409, 'session_exists', 'There is such a session already'),
  InvalidSessionToken: () => ({ status: 401, detail: 'Invalid or expired token' }),
  TooManyTokens: ({ most }) =>
    coded(409, 'too_many_tokens', `${most} tokens of the session are valid: wait until one expires`),
  SessionNotFound: () => ({ status: 404, detail: 'Session not found' }),
  SessionElsewhere: () => coded(409, 'session_on_other_instance', 'The session runs on another instance'),
  NoCreditToStart: ({ why }) => noCreditToStart(why),
  AtCapacity: ({ of, capacity }) =>
    later(
      'at_capacity',
      of === 'service'
        ? 'All realtime sessions are in use'
        : `The account has all ${capacity} sessions that it may have`,
      busy_seconds,
    ),
  EngineUnavailable: () => later('analysis_unavailable', 'The analysis service cannot be reached', busy_seconds),
  DocumentReaderFailed: () => later('document_reader_failed', 'The document could not be read now', busy_seconds),
  InvalidSdp: ({ reason }) => coded(400, 'invalid_sdp', `The offer cannot be answered: ${reason}`),
  InvalidIceCandidate: ({ reason }) => coded(400, 'invalid_ice_candidate', `The candidate cannot be used: ${reason}`),

  ReadModelBehind: () => later('read_model_behind', 'The read model has not seen that write yet'),
  ReadModelsUnavailable: () => later('read_models_unavailable', 'The read models cannot be asked now'),
  AppendTooLarge: () =>
    coded(413, 'payload_too_large', 'The event store takes no record of this size: send less at once'),
  StoreUnavailable: () => later('store_unavailable', 'The event store cannot be reached now'),
  Contention: () => later('contention', 'Too many writers changed this record at once'),
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
