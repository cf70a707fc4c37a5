import type { Schema } from '../codecs/values.js';

const natural: Schema = { minimum: 0 };
const notEmpty: Schema = { minLength: 1 };
const longText: Schema = { maxLength: 10_000 };
const pageOfItems: Schema = { maxItems: 1_000 };

/**
 * Descriptions of fields by name: a field means the same in every record. Some have constraints too, which the field's
 * codec may override.
 */
export const fields: Readonly<Record<string, string | readonly [description: string, constraints: Schema]>> = {
  account_id: 'The id of the account.',
  accuracy: 'Estimated probability that the match is correct, 0 to 1; null if a person made the match.',
  actor: 'The API key that caused the event, and its account.',
  admin: 'Whether the key has all permissions on all accounts.',
  admitted: 'Whether the account has enough credit for the call now.',
  after: 'The value after the change.',
  align:
    'Whether names follow the voice and the face if the analysis numbers differently than the one before (default); false: the numbers mean what they meant.',
  amount: 'An amount of credits.',
  at: 'When it happened.',
  attribution:
    'How the write-back was assigned to its run. `own`: by its `run_id`; `assumed`: to the newest open run; `unattributed`: to a new run, because none was open; `name_channel`: found by equal names, without a worker.',
  audio: 'The audio record of the video; null if it has no audio.',
  audio_id: 'The id of the audio.',
  audio_revision: 'The revision of the audio.',
  audios: ['The audio records on this page.', pageOfItems],
  balance: 'The remaining credits of the account.',
  balance_after: 'The balance after this entry, in credits.',
  before: 'The value before the change.',
  boxes: 'Where in the picture the face is seen, so that people recognise it.',
  by: 'The account that made the decision.',
  candidate: 'The candidate string, as in `RTCIceCandidate`; an empty string signals the end of candidates.',
  candidate_run_ids: 'The runs that may have sent the write-back.',
  candidates: 'The most likely faces, best first.',
  captions: 'Names shown on the screen near the face.',
  category: 'The category.',
  causation_id: ['The id of the event or command that caused this event.', notEmpty],
  changed_faces: 'The faces that the write-back changed.',
  changed_since: 'What was not reverted, because it has been changed again since.',
  changes: 'The values of each changed face before and after.',
  channel: 'How the match was found.',
  charges: ['The number of charges.', natural],
  code: ['Error code, for programs.', { pattern: '^[A-Za-z_]+$' }],
  created: 'The keys that were added.',
  created_at: 'When it was created.',
  credential: ['The password for the server.', notEmpty],
  credits_charged: ['The credits charged so far.', natural],
  credits_max: ['The maximum cost of the call, in credits.', natural],
  credits_min: ['The minimum cost of the call, in credits.', natural],
  data: 'The fields of the event.',
  day: ['The day, in UTC.', { format: 'date' }],
  days: 'Media without a new event for this number of days are erased; null: never.',
  deal_person_id: 'The `person_id` in `deal_persons` of the person that this speaker is; null if unknown.',
  deal_persons: 'The people that the conversation is with or about.',
  decisions: 'Decisions that people made.',
  description: 'A description of the tag.',
  discontinued: 'The ids of before that nobody in the new analysis continues.',
  dry_run: 'If true, the request is checked and answered as usual, but nothing is written.',
  duration_seconds: ['The number of seconds that were charged.', natural],
  eligible: 'Whether names can be inferred.',
  end: ['End, in seconds from the start of the medium.', natural],
  ended_at: 'When it ended; null if it has not ended.',
  entries: 'The entries.',
  entry_id: ['The id of the entry.', notEmpty],
  erased: 'Present if the data is null because it was erased.',
  error: 'The error message.',
  event_id: ['The id of the event.', notEmpty],
  events: ['The events on this page.', pageOfItems],
  evidence: 'The evidence for it.',
  expires_at: 'When it expires; null: never.',
  expires_in_seconds: 'Lifetime of the key in seconds; null or absent: the default of the operation.',
  face: 'The face after the change.',
  face_id: 'The id of the face within its video.',
  faces: 'The faces.',
  fields: 'The names of the fields.',
  from: 'The start of the time range, which is included; null: no limit.',
  gain: ['The expected number of matches that the answer to this question makes correct.', natural],
  generated_at: 'When the suggestions were written.',
  groups: 'The sums per group, in ascending order.',
  held: ['Credits reserved for calls that are in progress.', natural],
  ice_servers: 'STUN and TURN servers, in the format that `RTCPeerConnection` takes.',
  id: 'The id within its record.',
  in_flight: 'Whether a run is in flight.',
  index: ['Index of the utterance in the transcript as it was submitted, from 0.', natural],
  infer_roles: 'Whether to infer roles too.',
  keeps: 'What stays of before, because the analysis does not bring it.',
  key: 'The key.',
  key_id: ['The id of the API key; this is not the secret key itself.', notEmpty],
  key_missing: 'Present if the data is null because the encryption key of the record is missing.',
  keys: ['The API keys on this page.', pageOfItems],
  kind: 'The kind.',
  label: ['A label for the key, chosen by its owner.', { maxLength: 500 }],
  late: 'Whether the write-back arrived after its run had become stale, had ended or was replaced.',
  late_arrivals: 'Write-backs with the id of this run that arrived too late and changed nothing.',
  late_write_suspected: 'Whether the write-back may have come from a stale run.',
  late_writes: ['The write-backs on this page.', pageOfItems],
  limit: 'The maximum spending in the period, in credits; null: no limit.',
  made_by: 'The key that created this key; null if an administrator issued it.',
  manual_name_inference_runs: 'The name inferences whose results were written to this audio.',
  mappings: 'Pairs of a face and the speaker it belongs to.',
  match_runs: ['The match runs on this page.', pageOfItems],
  matched_speaker_id: 'The speaker that the face was matched to instead.',
  max_credits:
    'The most that the call may cost, in credits: if its `credits_max` is higher, it is refused before the model is called.',
  matches: 'The matches that were found.',
  media_url: ['URL at which people can play the video. The service never fetches it.', { format: 'uri' }],
  message: ['A message for people.', notEmpty],
  metadata: 'Data that the client stores with the session.',
  mode: 'Whether the run suggests matches or commits them.',
  month: ['The month, in UTC.', { pattern: '^\\d{4}-\\d{2}$' }],
  name: 'The name; null if unknown.',
  name_inference: 'Whether names can be inferred for the audio.',
  names: 'Suggested names of the speaker that await a decision.',
  named_by: 'Who gave the name before and after; null: unchanged.',
  next_cursor: ['Cursor of the next page; null: this is the last page.', notEmpty],
  nobody: ['Probability that the speaker is not visible in the video.', { minimum: 0, maximum: 1 }],
  outcome: 'How the run ended; null if it has not ended.',
  owner_id: 'The account that owns it.',
  pattern: 'How the quote gives the name: said by the person, to them or about them.',
  period_seconds: ['The length of the period, in seconds.', { minimum: 1 }],
  permissions:
    'Permissions in addition to full access to the media of its own account. Each of them reaches the media of all accounts: never for a customer.',
  person_id: 'The id of the person.',
  personality_traits: 'Personality data of the person; null if there is none.',
  position: ['The position of the event in the log.', { minLength: 1 }],
  price_per_minute: ['The price of a minute, in credits.', natural],
  provider_supplied: 'Whether the transcript was supplied by a provider.',
  questions: ['The questions on this page, most useful first.', pageOfItems],
  queued_at: 'When the run was queued.',
  quote: ['The words that give the name.', notEmpty],
  quote_location: 'Where the quote is in the transcript.',
  reason: 'The reason.',
  reasons: 'The reasons why not.',
  receipt: 'The event that recorded the erasure.',
  record: 'The kind of record: a face, a speaker and so on.',
  renumbered: 'The ids that continue another id of the analysis before.',
  renumbered_at: 'The revision of the last renumbering of the speakers before the transcript was read.',
  renumberings: 'How the ids were renumbered by analyses, oldest first.',
  replace:
    'Whether the keys with the same label that the calling key has created are revoked first, as with the next sign-in of a page.',
  request_id: ['The id of the request that caused it.', notEmpty],
  results_url: ['The URL of the results WebSocket.', { format: 'uri' }],
  retry_after_seconds: ['Seconds to wait before a retry.', natural],
  retryable: 'Whether a retry of the same request may succeed.',
  reverted: 'What was reverted.',
  reverted_at: 'When it was reverted; null if it was not.',
  revision: ['The index of the event in its stream, from 0.', natural],
  revoked_at: 'When the key was revoked; null if it was not.',
  role: 'The role of the speaker in the call; null if unknown.',
  role_accepted: 'Whether the evidence supports the role.',
  role_quote: ['The words that give the role.', notEmpty],
  role_quote_location: 'Where the quote for the role is in the transcript.',
  role_reason: 'Why the role was not accepted.',
  run_id: 'The id of the run.',
  score: 'Probability that the face is the active speaker.',
  sdp: 'The WebRTC session description (SDP).',
  sdp_m_line_index: 'Index of the media section in the SDP that the candidate belongs to, from 0.',
  sdp_mid: 'Id of the media section in the SDP that the candidate belongs to.',
  seconds: 'How many seconds the two have in common.',
  segments: 'The speaker turns: who speaks when.',
  session_id: 'The id of the realtime session.',
  session_url: ['The URL of the session: `/offer`, `/ice`, `/token` and `/end` follow it.', { format: 'uri' }],
  skipped: 'What was skipped.',
  source: 'Where the tag comes from: `importer.<name>` or `user.<account>`.',
  speaker_face_match: 'The newest match run and the stored suggestions.',
  speaker_face_match_status: 'The status of the newest match run; null if there was none.',
  speaker_id: 'The id of the speaker within its audio.',
  speakers: 'The speakers.',
  speech_segments: 'A reference to speech segments stored in another system.',
  spent: ['The credits spent in the current period.', natural],
  stale: 'Whether the run has been in flight for so long that a new run may replace it.',
  start: ['Start, in seconds from the start of the medium.', natural],
  state: 'The current state.',
  status: 'The status.',
  stream: ['The stream that the event belongs to.', { minLength: 1 }],
  suggestions: 'The suggestions of the last suggest run; null if there are none.',
  superseded_at: 'When a newer run replaced this one; null if none did.',
  superseded_by: 'The run that replaced this one; null if none did.',
  synthetic: 'Whether this is a synthetic track, not a person.',
  tags: 'The tags.',
  talking: 'Active-speaker scores of the face over time.',
  target_face_ids: 'This field was removed.',
  target_speaker_ids: 'The speakers to process; null or absent: all.',
  text: 'The text that was said, or that is shown on the screen.',
  title: ['The title; null if there is none.', longText],
  to: 'The end of the time range, which is excluded; null: no limit.',
  token: ['The token of the session.', { minLength: 1 }],
  token_expires_at: 'When the token expires.',
  total: 'The sum of all charges in the time range.',
  tracks: 'The times at which the face is visible.',
  transcript: 'The utterances, in order.',
  transcript_available: 'Whether there is a transcript.',
  transcript_replaced: 'Whether the transcript was replaced.',
  type: ['The type.', { minLength: 1 }],
  unchanged: 'The keys that already had the given value.',
  understood: 'How the provider document was interpreted.',
  unmatched_faces: 'Faces that match none of the speakers.',
  unmatched_speakers: 'Speakers that match none of the faces, each with the reason.',
  updated: 'The keys whose value was changed.',
  updated_at: 'When it was last changed.',
  updated_by: ['The account that wrote it.', notEmpty],
  urls: ['The URLs of the server.', { minItems: 1 }],
  username: ['The user name for the server.', notEmpty],
  utterances: ['The number of utterances in the transcript.', natural],
  value: 'The value of the tag; its type is set in the tag registry.',
  value_type: 'The type of the values.',
  verdict: '`confirmed` or `rejected`.',
  version: ['The version of the event type.', { minimum: 1 }],
  via: 'Whether the match came from a decision or from a PUT of matches.',
  video_id: 'The id of the video.',
  video_revision:
    'The revision of the video whose ids are used; for a write-back by default that of the trigger of its run.',
  videos: ['The video records on this page.', pageOfItems],
  warnings: ['Warnings for operators.', { minItems: 1 }],
  window: 'The spending window; null if there is none.',
};

const ofResult = {
  seq: 'The number of the result in the session, from 1.',
  start: 'Start, in seconds since the first media.',
  end: 'End, in seconds since the first media.',
};
const namedSpeakers = {
  target_speaker_ids: 'The speakers to name.',
  by: 'The id of the key that asked for the names.',
};
const edited = { title: 'The title before and after the change; null: unchanged.' };
const editedVideo = { ...edited, media_url: 'The media URL before and after the change; null: unchanged.' };
const merged = { from: 'The speaker that is merged into the other one.', into: 'The speaker that remains.' };

/** Descriptions of fields that only one schema or event type has, or that mean something else there than elsewhere. */
const ownTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MergeSpeakersBody: merged,
  Renumbered: { from: 'The id in the analysis before.', to: 'The id in the new analysis.' },
  MergedSpeakers: merged,
  NameInferenceBody: { target_speaker_ids: 'The speakers to name; required.' },
  NewSession: { expires_at: 'When it ends at the latest.' },
  ProviderTagsBody: { source: 'Where the tags come from: `importer.<name>`.' },
  QuestionName: {
    source: '`inference`: a name inference that was not committed; `caption`: text on the screen near the face.',
  },
  VideoStats: {
    ...ofResult,
    frames: 'The number of video frames.',
    width: 'The width of the video in pixels; null if unknown.',
    height: 'The height of the video in pixels; null if unknown.',
  },
  VoiceActivity: {
    ...ofResult,
    speaking: 'Whether somebody speaks.',
    level_dbfs: 'The mean power relative to full scale, in dB; silence is -127.',
  },
  ErrorFrame: {
    reason: 'With `insufficient_credits`: what the account lacks.',
    retryable: 'Whether a new session may succeed, after `retry_after_seconds` if they are given.',
    retry_after_seconds: 'Seconds to wait before a new session: until the spending window has room again.',
  },
  Warning: { seconds_left: 'How long the credits still last, in seconds.' },

  AudioChanges: edited,
  VideoChanges: editedVideo,
  AudioChangeReverted: edited,
  AudioDetailsChanged: { title: 'The title before and after the change.' },
  VideoChangeReverted: editedVideo,
  VideoDetailsChanged: editedVideo,
  LogSealed: { events: 'The number of sealed events.' },
  MatchRunSuperseded: { by: 'The run that replaced this one.' },
  NameInferenceAnswered: namedSpeakers,
  NameInferenceRequested: namedSpeakers,
  NamesInferred: namedSpeakers,
  RealtimeSessionCreated: { expires_at: 'When the session ends at the latest.' },
  SpeakersMerged: merged,
};

/** The types that a constraint is for. */
const typesFor = (constraint: string): ReadonlyArray<string> => {
  if (constraint.endsWith('imum')) return ['number', 'integer'];
  return [constraint.endsWith('Items') ? 'array' : 'string'];
};

/** The constraints that apply to a schema: a field of the same name may be a number in one place and a list in another. */
const fitting = (constraints: Schema, { type = [] }: Schema): Schema =>
  Object.fromEntries(
    Object.entries(constraints).filter(([name]) => [type].flat().some((one) => typesFor(name).includes(one))),
  );

/** The schema of a field: that of its codec, with the description and constraints of its name. */
export const fieldOf = (name: string, schema: Schema): Schema => {
  const about = fields[name];
  if (about === undefined) return schema;
  const [description, constraints] = typeof about === 'string' ? [about, {}] : about;
  return { ...fitting(constraints, schema), ...schema, description };
};

/** The schema of an object with the descriptions that its fields have only there. */
export const withOwnTexts = (name: string, schema: Schema): Schema => {
  const texts = ownTexts[name];
  const { properties } = schema;
  if (texts === undefined || properties === undefined) return schema;
  const described = Object.entries(properties).map(([field, value]) => {
    const { [field]: description = value.description } = texts;
    return [field, description === undefined ? value : { ...value, description }] as const;
  });
  return { ...schema, properties: Object.fromEntries(described) };
};
