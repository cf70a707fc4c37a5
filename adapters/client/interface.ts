// Printed from the service's OpenAPI document, which is made from its codecs; a test compares the two.
import type { OperationId } from '../runtime/operations.js';
import type { Call } from './call.js';
import type { Pager } from './pager.js';
import type { CallOptions } from './request.js';

export type JsonObject = { readonly [field: string]: unknown };

export interface AcceptedCandidate {
  /** The status. */
  readonly status: 'accepted';
}

export interface AccountCredits {
  /** The id of the account. */
  readonly account_id: string;
  /** The remaining credits of the account. */
  readonly balance: number;
  /** Credits reserved for calls that are in progress. */
  readonly held: number;
  /** The spending window; null if there is none. */
  readonly window: WindowOfSpending | null;
}

export interface AccountDetailsBody {
  /** The name; null if unknown. */
  readonly name?: string | null | undefined;
}

export interface AccountView {
  /** The id of the account. */
  readonly account_id: string;
  /** The name; null if unknown. */
  readonly name: string | null;
  /** When it was created. */
  readonly created_at: string;
}

/** An API key and its account. */
export interface Actor {
  /** The id of the API key; this is not the secret key itself. */
  readonly key_id: string;
  /** The id of the account. */
  readonly account_id: string;
}

export interface AnalysisReceipt {
  /** The status. */
  readonly status: ProcessingStatus;
  /** The ids that continue another id of the analysis before. */
  readonly renumbered: ReadonlyArray<Renumbered>;
  /** The ids of before that nobody in the new analysis continues. */
  readonly discontinued: ReadonlyArray<number>;
  /** How the provider document was interpreted. */
  readonly understood?: JsonObject | undefined;
}

export interface ApiKey {
  /** The id of the API key; this is not the secret key itself. */
  readonly key_id: string;
  /** The id of the account. */
  readonly account_id: string;
  /** A label for the key, chosen by its owner. */
  readonly label: string | null;
  /** Whether the key has all permissions on all accounts. */
  readonly admin: boolean;
  /** Permissions in addition to full access to the media of its own account. Each of them reaches the media of all accounts: never for a customer. */
  readonly permissions: ReadonlyArray<Permission>;
  /** When it expires; null: never. */
  readonly expires_at: string | null;
  /** The key that created this key; null if an administrator issued it. */
  readonly made_by: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When the key was revoked; null if it was not. */
  readonly revoked_at: string | null;
}

export interface AudioAnalysisBody {
  /** The status. */
  readonly status: ProcessingStatus;
  /** The speakers. */
  readonly speakers: ReadonlyArray<{
    /** The id of the speaker within its audio. */
    readonly speaker_id: number;
    /** The name; null if unknown. */
    readonly name?: string | null | undefined;
    /** The role of the speaker in the call; null if unknown. */
    readonly role?: 'agent' | 'customer' | null | undefined;
    /** Whether this is a synthetic track, not a person. */
    readonly synthetic?: boolean | null | undefined;
  }>;
  /** The speaker turns: who speaks when. */
  readonly segments: ReadonlyArray<SpeakerTurn>;
  /** The utterances, in order. */
  readonly transcript?: ReadonlyArray<Utterance> | null | undefined;
  /** Whether the transcript was supplied by a provider. */
  readonly provider_supplied?: boolean | null | undefined;
  /** A reference to speech segments stored in another system. */
  readonly speech_segments?: string | null | undefined;
  /** Whether names follow the voice and the face if the analysis numbers differently than the one before (default); false: the numbers mean what they meant. */
  readonly align?: boolean | null | undefined;
}

export interface AudioDetailsBody {
  /** The title; null if there is none. */
  readonly title?: string | null | undefined;
}

/** An audio with its speakers. */
export interface AudioRecord {
  /** The id of the audio. */
  readonly audio_id: string;
  /** The account that owns it. */
  readonly owner_id: string;
  /** The title; null if there is none. */
  readonly title: string | null;
  /** The status. */
  readonly status: ProcessingStatus;
  /** The kind. */
  readonly kind: MediaKind;
  /** The id of the video. */
  readonly video_id: string | null;
  /** The speakers. */
  readonly speakers: ReadonlyArray<RecordedSpeaker>;
  /** Whether there is a transcript. */
  readonly transcript_available: boolean;
  /** Whether the transcript was supplied by a provider. */
  readonly provider_supplied: boolean;
  /** Whether the transcript was replaced. */
  readonly transcript_replaced: boolean;
  /** A reference to speech segments stored in another system. */
  readonly speech_segments: string | null;
  /** The name inferences whose results were written to this audio. */
  readonly manual_name_inference_runs: ReadonlyArray<unknown>;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** Whether names can be inferred for the audio. */
  readonly name_inference: NameInference;
}

export interface Balance {
  /** The remaining credits of the account. */
  readonly balance: number;
}

export interface BookCreditsBody {
  /** An amount of credits. */
  readonly amount: number;
  /** The reason. */
  readonly reason: string;
}

export interface Box {
  /** When it happened. */
  readonly at: number;
  /** A share of the picture, from 0 to 1. */
  readonly left: number;
  /** A share of the picture, from 0 to 1. */
  readonly top: number;
  /** A share of the picture, from 0 to 1. */
  readonly width: number;
  /** A share of the picture, from 0 to 1. */
  readonly height: number;
}

export interface CandidateBody {
  /** The candidate string, as in `RTCIceCandidate`; an empty string signals the end of candidates. */
  readonly candidate: string;
  /** Id of the media section in the SDP that the candidate belongs to. */
  readonly sdp_mid?: string | null | undefined;
  /** Index of the media section in the SDP that the candidate belongs to, from 0. */
  readonly sdp_m_line_index?: number | null | undefined;
}

export interface Caption {
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
  /** The text that was said, or that is shown on the screen. */
  readonly text: string;
}

export interface Completed {
  /** The status. */
  readonly status: 'completed';
  /** A message for people. */
  readonly message: string;
}

export interface CostEstimate {
  /** The minimum cost of the call, in credits. */
  readonly credits_min: number;
  /** The maximum cost of the call, in credits. */
  readonly credits_max: number;
  /** The remaining credits of the account. */
  readonly balance: number;
  /** Whether the account has enough credit for the call now. */
  readonly admitted: boolean;
  /** The reason. */
  readonly reason: 'zero_balance' | 'negative_balance' | 'window_used_up' | 'held' | 'max_credits' | null;
}

export interface CreateSessionBody {
  /** Data that the client stores with the session. */
  readonly metadata?: JsonObject | null | undefined;
}

export interface DealPerson {
  /** The id of the person. */
  readonly person_id: string;
  /** The name; null if unknown. */
  readonly name: string;
}

export interface Decisions {
  /** Decisions that people made. */
  readonly decisions: ReadonlyArray<LinkDecision>;
}

export interface DecisionsBody {
  /** Decisions that people made. */
  readonly decisions: ReadonlyArray<WrittenDecision>;
}

export interface DeletedSpeaker {
  /** The status. */
  readonly status: 'completed';
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
}

export interface EndedSession {
  /** The id of the realtime session. */
  readonly session_id: string;
  /** The status. */
  readonly status: 'ended';
  /** The number of seconds that were charged. */
  readonly duration_seconds: number;
  /** The credits charged so far. */
  readonly credits_charged: number;
}

export interface EngineHealth {
  /** The status. */
  readonly status: 'ok' | 'unreachable';
  /** Whether a retry of the same request may succeed. */
  readonly retryable?: boolean | undefined;
  /** Seconds to wait before a retry. */
  readonly retry_after_seconds?: number | undefined;
}

export interface ErasedMedium {
  /** The status. */
  readonly status: 'erased';
  /** An RFC 3339 timestamp in UTC, with milliseconds. */
  readonly erased_at: string;
  /** The event that recorded the erasure. */
  readonly receipt: {
    /** The position of the event in the log. */
    readonly position: string;
    /** The id of the event. */
    readonly event_id: string;
  };
}

export interface ErasedSession {
  /** The status. */
  readonly status: 'erased';
  /** An RFC 3339 timestamp in UTC, with milliseconds. */
  readonly erased_at: string;
}

/** How a quote gives a name: said by the person, to them or about them. */
export type EvidencePattern =
  | 'self_introduction'
  | 'introduced_by_other'
  | 'addressed_by_other'
  | 'sign_off'
  | 'third_party_mention';

/** A face in a video. */
export interface Face {
  /** The id within its record. */
  readonly id: number;
  /** The name; null if unknown. */
  readonly name: string | null;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number | null;
  /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
  readonly accuracy: number | null;
  /** Personality data of the person; null if there is none. */
  readonly personality_traits: JsonObject | null;
}

/** The fields of a face that a match changes. */
export interface FaceAttributes {
  /** The name; null if unknown. */
  readonly name: string | null;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number | null;
  /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
  readonly accuracy: number | null;
  /** Personality data of the person; null if there is none. */
  readonly personality_traits: JsonObject | null;
}

export interface FaceChange {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** The value before the change. */
  readonly before: FaceAttributes;
  /** The value after the change. */
  readonly after: FaceAttributes;
  /** Who gave the name before and after; null: unchanged. */
  readonly named_by: WhoseName | null;
}

export interface FaceEvidence {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** The times at which the face is visible. */
  readonly tracks: ReadonlyArray<Interval>;
  /** Active-speaker scores of the face over time. */
  readonly talking: ReadonlyArray<TalkingScore>;
  /** Names shown on the screen near the face. */
  readonly captions: ReadonlyArray<Caption>;
  /** Where in the picture the face is seen, so that people recognise it. */
  readonly boxes?: ReadonlyArray<Box> | undefined;
}

export interface Health {
  /** The status. */
  readonly status: 'ok';
}

export interface HistoryEvent {
  /** The position of the event in the log. */
  readonly position: string;
  /** The index of the event in its stream, from 0. */
  readonly revision: number;
  /** The id of the event. */
  readonly event_id: string;
  /** The type. */
  readonly type: string;
  /** The version of the event type. */
  readonly version: number;
  /** When it happened. */
  readonly at: string | null;
  /** The API key that caused the event, and its account. */
  readonly actor: Actor | null;
  /** The id of the request that caused it. */
  readonly request_id: string | null;
  /** The id of the event or command that caused this event. */
  readonly causation_id: string | null;
  /** The fields of the event. */
  readonly data?: unknown;
  /** Present if the data is null because it was erased. */
  readonly erased?: true | undefined;
  /** Present if the data is null because the encryption key of the record is missing. */
  readonly key_missing?: true | undefined;
}

export interface IceServer {
  /** The URLs of the server. */
  readonly urls: ReadonlyArray<string>;
  /** The user name for the server. */
  readonly username?: string | undefined;
  /** The password for the server. */
  readonly credential?: string | undefined;
}

/** Why a write-back changed nothing. */
export type IgnoredReason = 'run_superseded' | 'run_ended' | 'nothing_to_fail';

export type IneligibleReason =
  | 'meeting'
  | 'provider_supplied'
  | 'transcript_replaced'
  | 'speech_segments'
  | 'transcript_not_ready';

/** A time interval in seconds from the start of the medium; `start` must not be after `end`. */
export interface Interval {
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
}

export interface IssueKeyBody {
  /** A label for the key, chosen by its owner. */
  readonly label?: string | null | undefined;
  /** Whether the key has all permissions on all accounts. */
  readonly admin?: boolean | null | undefined;
  /** Permissions in addition to full access to the media of its own account. Each of them reaches the media of all accounts: never for a customer. */
  readonly permissions?: ReadonlyArray<Permission> | null | undefined;
  /** Lifetime of the key in seconds; null or absent: the default of the operation. */
  readonly expires_in_seconds?: number | null | undefined;
}

export interface LateArrival {
  /** When it happened. */
  readonly at: string;
  /** The reason. */
  readonly reason: IgnoredReason;
  /** The status. */
  readonly status: 'completed' | 'failed';
  /** The matches that were found. */
  readonly matches: ReadonlyArray<RecordedMatch>;
  /** The error message. */
  readonly error: string | null;
}

export interface LateWriteView {
  /** The position of the event in the log. */
  readonly position: string;
  /** When it happened. */
  readonly at: string;
  /** The id of the video. */
  readonly video_id: string | null;
  /** The id of the run. */
  readonly run_id: string;
  /** The status. */
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  /** The reason. */
  readonly reason: 'run_superseded' | 'run_ended' | 'nothing_to_fail' | null;
  /** How the write-back was assigned to its run. `own`: by its `run_id`; `assumed`: to the newest open run; `unattributed`: to a new run, because none was open; `name_channel`: found by equal names, without a worker. */
  readonly attribution: 'own' | 'assumed' | 'unattributed' | 'name_channel' | null;
  /** The runs that may have sent the write-back. */
  readonly candidate_run_ids: ReadonlyArray<string>;
  /** Whether the write-back may have come from a stale run. */
  readonly late_write_suspected: boolean;
  /** Whether the write-back arrived after its run had become stale, had ended or was replaced. */
  readonly late: boolean;
  /** The matches that were found. */
  readonly matches: ReadonlyArray<{
    /** The id of the face within its video. */
    readonly face_id: number;
    /** The id of the speaker within its audio. */
    readonly speaker_id: number;
    /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
    readonly accuracy: number | null;
  }>;
  /** The values of each changed face before and after. */
  readonly changes: ReadonlyArray<FaceChange>;
  /** When it was reverted; null if it was not. */
  readonly reverted_at: string | null;
  /** The API key that caused the event, and its account. */
  readonly actor: {
    /** The id of the API key; this is not the secret key itself. */
    readonly key_id: string;
    /** The id of the account. */
    readonly account_id: string;
  };
  /** The id of the request that caused it. */
  readonly request_id: string;
}

/** What the credits were granted or charged for. */
export type LedgerCategory = 'grant' | 'correction' | 'name_inference' | 'realtime';

export interface LedgerEntry {
  /** The id of the entry. */
  readonly entry_id: string;
  /** When it happened. */
  readonly at: string;
  /** The kind. */
  readonly kind: 'grant' | 'charge' | 'correction';
  /** The category. */
  readonly category: LedgerCategory;
  /** An amount of credits. */
  readonly amount: number;
  /** The balance after this entry, in credits. */
  readonly balance_after: number;
  /** The reason. */
  readonly reason: string;
  /** The id of the request that caused it. */
  readonly request_id: string;
  /** The id of the run. */
  readonly run_id?: string | undefined;
  /** The id of the realtime session. */
  readonly session_id?: string | undefined;
  /** The id of the audio. */
  readonly audio_id?: string | undefined;
}

export interface LinkDecision {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The id of the face within its video. */
  readonly face_id: number | null;
  /** `confirmed` or `rejected`. */
  readonly verdict: 'confirmed' | 'rejected';
  /** The account that made the decision. */
  readonly by: string;
  /** When it happened. */
  readonly at: string;
  /** The position of the event in the log. */
  readonly position: string;
  /** Whether the match came from a decision or from a PUT of matches. */
  readonly via: 'decision' | 'put';
}

/** Whether the face belongs to the speaker. */
export type LinkVerdict = 'confirmed' | 'rejected';

export interface ListedVideo {
  /** The id of the video. */
  readonly video_id: string;
  /** The account that owns it. */
  readonly owner_id: string;
  /** The title; null if there is none. */
  readonly title: string | null;
  /** The kind. */
  readonly kind: MediaKind;
  /** URL at which people can play the video. The service never fetches it. */
  readonly media_url: string | null;
  /** The status. */
  readonly status: ProcessingStatus;
  /** The id of the audio. */
  readonly audio_id: string | null;
  /** The faces. */
  readonly faces: ReadonlyArray<{
    /** The id within its record. */
    readonly id: number;
    /** The name; null if unknown. */
    readonly name: string | null;
    /** The id of the speaker within its audio. */
    readonly speaker_id: number | null;
    /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
    readonly accuracy: number | null;
    /** Personality data of the person; null if there is none. */
    readonly personality_traits: JsonObject | null;
  }>;
  /** The newest match run and the stored suggestions. */
  readonly speaker_face_match: {
    /** The status. */
    readonly status: 'queue' | 'completed' | 'failed' | null;
    /** When the run was queued. */
    readonly queued_at: string | null;
    /** Whether the run suggests matches or commits them. */
    readonly mode: 'suggest' | 'commit' | null;
    /** The suggestions of the last suggest run; null if there are none. */
    readonly suggestions: SuggestionBlock | null;
  };
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** The tags. */
  readonly tags: ReadonlyArray<TagView>;
  /** The audio record of the video; null if it has no audio. */
  readonly audio?: AudioRecord | null | undefined;
}

export interface LoggedEvent {
  /** The position of the event in the log. */
  readonly position: string;
  /** The index of the event in its stream, from 0. */
  readonly revision: number;
  /** The id of the event. */
  readonly event_id: string;
  /** The type. */
  readonly type: string;
  /** The version of the event type. */
  readonly version: number;
  /** When it happened. */
  readonly at: string | null;
  /** The API key that caused the event, and its account. */
  readonly actor: Actor | null;
  /** The id of the request that caused it. */
  readonly request_id: string | null;
  /** The id of the event or command that caused this event. */
  readonly causation_id: string | null;
  /** The fields of the event. */
  readonly data?: unknown;
  /** The stream that the event belongs to. */
  readonly stream: string;
  /** Present if the data is null because it was erased. */
  readonly erased?: true | undefined;
  /** Present if the data is null because the encryption key of the record is missing. */
  readonly key_missing?: true | undefined;
}

export interface MakeKeyBody {
  /** A label for the key, chosen by its owner. */
  readonly label?: string | null | undefined;
  /** Whether the key has all permissions on all accounts. */
  readonly admin?: boolean | null | undefined;
  /** Permissions in addition to full access to the media of its own account. Each of them reaches the media of all accounts: never for a customer. */
  readonly permissions?: ReadonlyArray<Permission> | null | undefined;
  /** Whether the keys with the same label that the calling key has created are revoked first, as with the next sign-in of a page. */
  readonly replace?: boolean | null | undefined;
  /** Lifetime of the key in seconds; null or absent: the default of the operation. */
  readonly expires_in_seconds?: number | null | undefined;
}

export interface Mapping {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The name; null if unknown. */
  readonly name?: string | null | undefined;
}

export interface MatchCandidate {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
  readonly accuracy: number;
  /** The speaker that the face was matched to instead. */
  readonly matched_speaker_id: number | null;
}

/** How a match was found: by equal names, or by co-occurrence of a face and a voice. */
export type MatchChannel = 'name' | 'co_occurrence';

export interface MatchFacesBody {
  /** Pairs of a face and the speaker it belongs to. */
  readonly mappings: ReadonlyArray<Mapping>;
}

/** A match run, from its trigger to its result. */
export interface MatchRun {
  /** The id of the run. */
  readonly run_id: string;
  /** The id of the video. */
  readonly video_id: string | null;
  /** The id of the audio. */
  readonly audio_id: string | null;
  /** Whether the run suggests matches or commits them. */
  readonly mode: 'suggest' | 'commit' | null;
  /** The speakers to process; null or absent: all. */
  readonly target_speaker_ids: ReadonlyArray<number> | null;
  /** The revision of the video whose ids are used; for a write-back by default that of the trigger of its run. */
  readonly video_revision: number | null;
  /** When the run was queued. */
  readonly queued_at: string | null;
  /** How the run ended; null if it has not ended. */
  readonly outcome: 'completed' | 'failed' | 'erased' | null;
  /** When it ended; null if it has not ended. */
  readonly ended_at: string | null;
  /** How the write-back was assigned to its run. `own`: by its `run_id`; `assumed`: to the newest open run; `unattributed`: to a new run, because none was open; `name_channel`: found by equal names, without a worker. */
  readonly attribution: 'own' | 'assumed' | 'unattributed' | 'name_channel' | null;
  /** The runs that may have sent the write-back. */
  readonly candidate_run_ids: ReadonlyArray<string>;
  /** Whether the write-back may have come from a stale run. */
  readonly late_write_suspected: boolean;
  /** Whether the write-back arrived after its run had become stale, had ended or was replaced. */
  readonly late: boolean;
  /** The error message. */
  readonly error: string | null;
  /** The run that replaced this one; null if none did. */
  readonly superseded_by: string | null;
  /** When a newer run replaced this one; null if none did. */
  readonly superseded_at: string | null;
  /** The faces that the write-back changed. */
  readonly changed_faces: ReadonlyArray<number>;
  /** When it was reverted; null if it was not. */
  readonly reverted_at: string | null;
  /** Write-backs with the id of this run that arrived too late and changed nothing. */
  readonly late_arrivals: ReadonlyArray<LateArrival>;
  /** The current state. */
  readonly state: RunState;
  /** Decisions that people made. */
  readonly decisions: ReadonlyArray<LinkDecision>;
}

export interface MatchRunBody {
  /** The speakers to process; null or absent: all. */
  readonly target_speaker_ids?: ReadonlyArray<number> | null | undefined;
}

export interface Me {
  /** The id of the account. */
  readonly account_id: string;
  /** The name; null if unknown. */
  readonly name: string | null;
  /** The id of the API key; this is not the secret key itself. */
  readonly key_id: string;
  /** A label for the key, chosen by its owner. */
  readonly label: string | null;
  /** Whether the key has all permissions on all accounts. */
  readonly admin: boolean;
  /** Permissions in addition to full access to the media of its own account. Each of them reaches the media of all accounts: never for a customer. */
  readonly permissions: ReadonlyArray<Permission>;
  /** When it expires; null: never. */
  readonly expires_at: string | null;
  /** The remaining credits of the account. */
  readonly balance: number;
  /** When it was created. */
  readonly created_at: string | null;
}

/** Where the recording comes from. */
export type MediaKind = 'upload' | 'meeting';

export interface MergeSpeakersBody {
  /** The speaker that is merged into the other one. */
  readonly from: number;
  /** The speaker that remains. */
  readonly into: number;
}

export interface MergedSpeakers {
  /** The status. */
  readonly status: 'completed';
  /** The speaker that is merged into the other one. */
  readonly from: number;
  /** The speaker that remains. */
  readonly into: number;
}

/** Whether names can be inferred for an audio, and if not, why. */
export interface NameInference {
  /** Whether names can be inferred. */
  readonly eligible: boolean;
  /** The reasons why not. */
  readonly reasons: ReadonlyArray<IneligibleReason>;
}

export interface NameInferenceBody {
  /** The speakers to name; required. */
  readonly target_speaker_ids: ReadonlyArray<number>;
  /** Whether to infer roles too. */
  readonly infer_roles?: boolean | undefined;
  /** The most that the call may cost, in credits: if its `credits_max` is higher, it is refused before the model is called. */
  readonly max_credits?: number | null | undefined;
}

/** Why a name was not accepted. */
export type NameReason =
  | 'no_proposal'
  | 'quote_not_found'
  | 'name_not_in_quote'
  | 'wrong_speaker'
  | 'not_a_person_name'
  | 'duplicate_name'
  | 'conflicting_evidence';

/** Who named the face: an analysis, a person, or the speaker it is matched to. */
export type NamedBy = 'person' | 'speaker' | 'analysis';

export interface NamedFace {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** The name; null if unknown. */
  readonly name: string;
}

export interface NewKey {
  /** The id of the API key; this is not the secret key itself. */
  readonly key_id: string;
  /** The key. */
  readonly key: string;
  /** A label for the key, chosen by its owner. */
  readonly label: string | null;
  /** Whether the key has all permissions on all accounts. */
  readonly admin: boolean;
  /** Permissions in addition to full access to the media of its own account. Each of them reaches the media of all accounts: never for a customer. */
  readonly permissions: ReadonlyArray<Permission>;
  /** The id of the account. */
  readonly account_id: string;
  /** When it expires; null: never. */
  readonly expires_at: string | null;
  /** When it was created. */
  readonly created_at: string;
}

export interface NewSession {
  /** The id of the realtime session. */
  readonly session_id: string;
  /** The token of the session. */
  readonly token: string;
  /** When the token expires. */
  readonly token_expires_at: string;
  /** STUN and TURN servers, in the format that `RTCPeerConnection` takes. */
  readonly ice_servers: ReadonlyArray<IceServer>;
  /** The URL of the session: `/offer`, `/ice`, `/token` and `/end` follow it. */
  readonly session_url: string;
  /** The URL of the results WebSocket. */
  readonly results_url: string;
  /** When it ends at the latest. */
  readonly expires_at: string;
}

export interface OfferBody {
  /** The type. */
  readonly type: 'offer';
  /** The WebRTC session description (SDP). */
  readonly sdp: string;
}

export interface OpenAccountBody {
  /** The id of the account. */
  readonly account_id?: string | null | undefined;
  /** The name; null if unknown. */
  readonly name?: string | null | undefined;
}

export type Permission = 'MEDIA_WRITE' | 'WORKER';

export interface PersonalityTraits {
  /** Personality data of the person; null if there is none. */
  readonly personality_traits: JsonObject;
}

export interface PersonalityTraitsBody {
  /** Personality data of the person; null if there is none. */
  readonly personality_traits: JsonObject;
}

/** The status of the analysis of a recording. */
export type ProcessingStatus = 'queue' | 'processing' | 'completed' | 'failed';

export interface ProviderTagsBody {
  /** Where the tags come from: `importer.<name>`. */
  readonly source: string;
  /** The tags. */
  readonly tags: ReadonlyArray<{
    /** The key. */
    readonly key: string;
    /** The value of the tag; its type is set in the tag registry. */
    readonly value: unknown;
  }>;
  /** If true, the request is checked and answered as usual, but nothing is written. */
  readonly dry_run?: boolean | null | undefined;
}

/** A question for a person: which face belongs to a speaker. */
export interface Question {
  /** The kind. */
  readonly kind: 'link' | 'name';
  /** The id of the video. */
  readonly video_id: string;
  /** The id of the audio. */
  readonly audio_id: string | null;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The most likely faces, best first. */
  readonly candidates: ReadonlyArray<{
    /** The id of the face within its video. */
    readonly face_id: number;
    /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
    readonly accuracy: number;
  }>;
  /** Probability that the speaker is not visible in the video. */
  readonly nobody: number;
  /** The expected number of matches that the answer to this question makes correct. */
  readonly gain: number;
  /** The evidence for it. */
  readonly evidence: JsonObject;
  /** Suggested names of the speaker that await a decision. */
  readonly names?: ReadonlyArray<QuestionName> | undefined;
}

export interface QuestionName {
  /** The name; null if unknown. */
  readonly name: string;
  /** `inference`: a name inference that was not committed; `caption`: text on the screen near the face. */
  readonly source: 'inference' | 'caption';
  /** The words that give the name. */
  readonly quote?: string | undefined;
  /** Where the quote is in the transcript. */
  readonly quote_location?: QuoteLocation | undefined;
}

/** The utterance that contains the quote, and its times. */
export interface QuoteLocation {
  /** Index of the utterance in the transcript as it was submitted, from 0. */
  readonly index: number;
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
}

export interface Readiness {
  /** The status. */
  readonly status: 'ready' | 'not_ready';
  /** The reasons why not. */
  readonly reasons?: ReadonlyArray<string> | undefined;
  /** Warnings for operators. */
  readonly warnings?: ReadonlyArray<string> | undefined;
}

export interface RecordFields {
  /** The kind of record: a face, a speaker and so on. */
  readonly record: 'face' | 'speaker' | 'tag' | 'video' | 'audio';
  /** The id within its record. */
  readonly id: number | string;
  /** The names of the fields. */
  readonly fields: ReadonlyArray<string>;
}

export interface RecordedMatch {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
  readonly accuracy: number;
}

export interface RecordedSpeaker {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The name; null if unknown. */
  readonly name: string | null;
  /** The role of the speaker in the call; null if unknown. */
  readonly role: 'agent' | 'customer' | null;
  /** Whether this is a synthetic track, not a person. */
  readonly synthetic: boolean;
  /** The `person_id` in `deal_persons` of the person that this speaker is; null if unknown. */
  readonly deal_person_id: string | null;
}

export interface RegisterAudioBody {
  /** The id of the audio. */
  readonly audio_id?: string | null | undefined;
  /** The title; null if there is none. */
  readonly title?: string | null | undefined;
  /** The id of the video. */
  readonly video_id?: string | null | undefined;
  /** The kind. */
  readonly kind?: 'upload' | 'meeting' | null | undefined;
  /** The people that the conversation is with or about. */
  readonly deal_persons?: ReadonlyArray<DealPerson> | null | undefined;
}

export interface RegisterVideoBody {
  /** The id of the video. */
  readonly video_id?: string | null | undefined;
  /** The title; null if there is none. */
  readonly title?: string | null | undefined;
  /** The kind. */
  readonly kind?: 'upload' | 'meeting' | null | undefined;
  /** URL at which people can play the video. The service never fetches it. */
  readonly media_url?: string | null | undefined;
  /** The id of the audio. */
  readonly audio_id?: string | null | undefined;
}

export interface RemovedTag {
  /** The status. */
  readonly status: 'completed';
  /** The key. */
  readonly key: string;
}

export interface RenamedSpeakers {
  /** The speakers. */
  readonly speakers: ReadonlyArray<{
    /** The id of the speaker within its audio. */
    readonly speaker_id: number;
    /** The name; null if unknown. */
    readonly name: string;
  }>;
  /** What was skipped. */
  readonly skipped: ReadonlyArray<number>;
}

export interface Renumbered {
  /** The id in the analysis before. */
  readonly from: number;
  /** The id in the new analysis. */
  readonly to: number;
}

export interface ReplacedTranscript {
  /** The status. */
  readonly status: 'completed';
  /** The number of utterances in the transcript. */
  readonly utterances: number;
}

/** The result of an inference for one speaker: a name with its evidence, or the reason why there is none. */
export interface ResultRow {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The id of the video. */
  readonly video_id: string | null;
  /** The name; null if unknown. */
  readonly name?: string | undefined;
  /** The words that give the name. */
  readonly quote?: string | undefined;
  /** How the quote gives the name: said by the person, to them or about them. */
  readonly pattern?: EvidencePattern | undefined;
  /** Where the quote is in the transcript. */
  readonly quote_location?: QuoteLocation | undefined;
  /** The reason. */
  readonly reason?: NameReason | undefined;
  /** Whether the evidence supports the role. */
  readonly role_accepted?: boolean | undefined;
  /** The role of the speaker in the call; null if unknown. */
  readonly role?: SpeakerRole | undefined;
  /** The words that give the role. */
  readonly role_quote?: string | undefined;
  /** Where the quote for the role is in the transcript. */
  readonly role_quote_location?: QuoteLocation | undefined;
  /** Why the role was not accepted. */
  readonly role_reason?: RoleReason | undefined;
}

export interface Retention {
  /** Media without a new event for this number of days are erased; null: never. */
  readonly days: number | null;
}

export interface RetentionBody {
  /** Media without a new event for this number of days are erased; null: never. */
  readonly days: number | null;
}

export interface RevertBody {
  /** If true, the request is checked and answered as usual, but nothing is written. */
  readonly dry_run?: boolean | null | undefined;
}

export interface RevertedChange {
  /** The status. */
  readonly status: 'reverted';
  /** The position of the event in the log. */
  readonly position: string;
  /** What was reverted. */
  readonly reverted: ReadonlyArray<RecordFields>;
  /** What was not reverted, because it has been changed again since. */
  readonly changed_since: ReadonlyArray<RecordFields>;
}

export interface RevertedRun {
  /** The id of the run. */
  readonly run_id: string;
  /** The status. */
  readonly status: 'reverted';
  /** What was reverted. */
  readonly reverted: ReadonlyArray<number>;
  /** What was not reverted, because it has been changed again since. */
  readonly changed_since: ReadonlyArray<number>;
}

export interface RevokedKey {
  /** The id of the API key; this is not the secret key itself. */
  readonly key_id: string;
  /** When the key was revoked; null if it was not. */
  readonly revoked_at: string;
}

/** Why a role was not accepted. */
export type RoleReason = 'role_already_set' | 'no_role_proposal' | 'role_quote_not_found' | 'role_wrong_speaker';

/** The state of a match run. */
export type RunState = 'in_flight' | 'stale' | 'completed' | 'failed' | 'superseded' | 'erased';

export interface Segment {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
}

export interface Session {
  /** The id of the realtime session. */
  readonly session_id: string;
  /** The status. */
  readonly status: 'created' | 'negotiated' | 'connected' | 'disconnected';
  /** When it was created. */
  readonly created_at: string;
  /** The credits charged so far. */
  readonly credits_charged: number;
}

export interface SessionAnswer {
  /** The type. */
  readonly type: 'answer';
  /** The WebRTC session description (SDP). */
  readonly sdp: string;
}

export interface SessionPrice {
  /** The price of a minute, in credits. */
  readonly price_per_minute: number;
  /** The remaining credits of the account. */
  readonly balance: number;
}

export interface SessionToken {
  /** The token of the session. */
  readonly token: string;
  /** When the token expires. */
  readonly token_expires_at: string;
}

export interface SkippedMatch {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The reason. */
  readonly reason:
    | 'pair_rejected'
    | 'speaker_not_seen'
    | 'speaker_confirmed'
    | 'face_confirmed'
    | 'face_discontinued'
    | 'speaker_discontinued';
}

/** The role of a speaker in a call. */
export type SpeakerRole = 'agent' | 'customer';

export interface SpeakerRoles {
  /** The speakers. */
  readonly speakers: ReadonlyArray<{
    /** The id of the speaker within its audio. */
    readonly speaker_id: number;
    /** The role of the speaker in the call; null if unknown. */
    readonly role: 'agent' | 'customer' | null;
  }>;
  /** What was skipped. */
  readonly skipped: ReadonlyArray<number>;
}

export interface SpeakerTurn {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
}

export interface SpendingWindow {
  /** The maximum spending in the period, in credits; null: no limit. */
  readonly limit: number | null;
  /** The length of the period, in seconds. */
  readonly period_seconds: number | null;
}

/** `limit: null` clears the window; other fields are then ignored. */
export interface SpendingWindowBody {
  readonly limit: number | null;
  readonly period_seconds?: number | undefined;
}

export interface StartedRun {
  /** The id of the video. */
  readonly video_id: string;
  /** The id of the audio. */
  readonly audio_id: string | null;
  /** The status. */
  readonly status: 'processing';
  /** A message for people. */
  readonly message: string;
  /** The id of the run. */
  readonly run_id: string;
}

/** The status of the analysis of a recording. */
export interface StatusOfMedium {
  /** The status. */
  readonly status: ProcessingStatus;
}

/** The status of the newest match run of a video. */
export interface StatusOfRun {
  /** The status of the newest match run; null if there was none. */
  readonly speaker_face_match_status: 'queue' | 'completed' | 'failed' | null;
  /** When the run was queued. */
  readonly queued_at: string | null;
  /** Whether the run suggests matches or commits them. */
  readonly mode: 'suggest' | 'commit' | null;
  /** The id of the run. */
  readonly run_id: string | null;
  /** Whether a run is in flight. */
  readonly in_flight: boolean;
  /** Whether the run has been in flight for so long that a new run may replace it. */
  readonly stale: boolean;
}

export type Statuses = StatusOfMedium | StatusOfRun;

export interface SuggestedMapping {
  /** The id of the face within its video. */
  readonly face_id: number;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The name; null if unknown. */
  readonly name: string | null;
  /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
  readonly accuracy: number | null;
  /** How the match was found. */
  readonly channel: MatchChannel;
  /** The evidence for it. */
  readonly evidence: JsonObject;
}

/** The result of a suggest run: suggested matches, and the faces and speakers without one. */
export interface SuggestionBlock {
  /** The id of the run. */
  readonly run_id: string;
  /** When the suggestions were written. */
  readonly generated_at: string;
  /** Pairs of a face and the speaker it belongs to. */
  readonly mappings: ReadonlyArray<SuggestedMapping>;
  /** Speakers that match none of the faces, each with the reason. */
  readonly unmatched_speakers: ReadonlyArray<UnmatchedSpeaker>;
  /** Faces that match none of the speakers. */
  readonly unmatched_faces: ReadonlyArray<number>;
}

/** The category of a tag, which determines who may write it. */
export type TagCategory = 'provider' | 'demographic' | 'survey' | 'system' | 'label' | 'user';

export interface TagRegistry {
  /** The entries. */
  readonly entries: ReadonlyArray<TagRegistryEntry>;
}

export interface TagRegistryBody {
  /** The category. */
  readonly category: TagCategory;
  /** The type of the values. */
  readonly value_type: TagValueType;
  /** A description of the tag. */
  readonly description?: string | null | undefined;
}

export interface TagRegistryEntry {
  /** The key. */
  readonly key: string;
  /** The category. */
  readonly category: TagCategory;
  /** The type of the values. */
  readonly value_type: TagValueType;
  /** A description of the tag. */
  readonly description: string | null;
}

/** A string, number, boolean or list of strings, as set in the tag registry. */
export type TagValue = string | number | boolean | ReadonlyArray<string>;

/** The type of the values of a tag. */
export type TagValueType = 'string' | 'number' | 'boolean' | 'string_list';

export interface TagView {
  /** The key. */
  readonly key: string;
  /** The value of the tag; its type is set in the tag registry. */
  readonly value: TagValue;
  /** The category. */
  readonly category: TagCategory;
  /** Where the tag comes from: `importer.<name>` or `user.<account>`. */
  readonly source: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** The account that wrote it. */
  readonly updated_by: string;
}

export interface TalkingScore {
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
  /** Probability that the face is the active speaker. */
  readonly score: number;
}

export interface TranscriptBody {
  /** The utterances, in order. */
  readonly transcript: ReadonlyArray<Utterance>;
}

export interface TranscriptUtterance {
  /** Index of the utterance in the transcript as it was submitted, from 0. */
  readonly index: number;
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
  /** The text that was said, or that is shown on the screen. */
  readonly text: string;
}

export interface UnmatchedFace {
  /** The status. */
  readonly status: 'completed';
  /** The face after the change. */
  readonly face: Face | null;
}

export interface UnmatchedSpeaker {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The reason. */
  readonly reason: string;
  /** The most likely faces, best first. */
  readonly candidates?: ReadonlyArray<MatchCandidate> | undefined;
  /** Probability that the speaker is not visible in the video. */
  readonly nobody?: number | undefined;
}

export interface Usage {
  /** The start of the time range, which is included; null: no limit. */
  readonly from: string | null;
  /** The end of the time range, which is excluded; null: no limit. */
  readonly to: string | null;
  /** The sums per group, in ascending order. */
  readonly groups: ReadonlyArray<UsageGroup>;
  /** The sum of all charges in the time range. */
  readonly total: UsageTotal;
}

export interface UsageGroup {
  /** The number of charges. */
  readonly charges: number;
  /** An amount of credits. */
  readonly amount: number;
  /** The day, in UTC. */
  readonly day?: string | undefined;
  /** The month, in UTC. */
  readonly month?: string | undefined;
  /** The category. */
  readonly category?: string | undefined;
  /** The id of the API key; this is not the secret key itself. */
  readonly key_id?: string | undefined;
}

/** The sum of all charges in the time range. */
export interface UsageTotal {
  /** The number of charges. */
  readonly charges: number;
  /** An amount of credits. */
  readonly amount: number;
}

export interface UserTagsBody {
  /** The tags. */
  readonly tags: ReadonlyArray<{
    /** The key. */
    readonly key: string;
    /** The value of the tag; its type is set in the tag registry. */
    readonly value: unknown;
  }>;
  /** If true, the request is checked and answered as usual, but nothing is written. */
  readonly dry_run?: boolean | null | undefined;
}

export interface Utterance {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The text that was said, or that is shown on the screen. */
  readonly text: string;
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
}

export interface VideoAnalysisBody {
  /** The status. */
  readonly status: ProcessingStatus;
  /** The faces. */
  readonly faces: ReadonlyArray<{
    /** The id within its record. */
    readonly id: number;
    /** The times at which the face is visible. */
    readonly tracks: ReadonlyArray<Interval>;
    /** The name; null if unknown. */
    readonly name?: string | null | undefined;
    /** Personality data of the person; null if there is none. */
    readonly personality_traits?: JsonObject | null | undefined;
    /** Active-speaker scores of the face over time. */
    readonly talking?: ReadonlyArray<TalkingScore> | null | undefined;
    /** Names shown on the screen near the face. */
    readonly captions?: ReadonlyArray<WrittenCaption> | null | undefined;
    /** Where in the picture the face is seen, so that people recognise it. */
    readonly boxes?: ReadonlyArray<Box> | null | undefined;
  }>;
  /** Whether names follow the voice and the face if the analysis numbers differently than the one before (default); false: the numbers mean what they meant. */
  readonly align?: boolean | null | undefined;
}

export interface VideoDetailsBody {
  /** The title; null if there is none. */
  readonly title?: string | null | undefined;
  /** URL at which people can play the video. The service never fetches it. */
  readonly media_url?: string | null | undefined;
}

/** A video with its faces. */
export interface VideoRecord {
  /** The id of the video. */
  readonly video_id: string;
  /** The account that owns it. */
  readonly owner_id: string;
  /** The title; null if there is none. */
  readonly title: string | null;
  /** The kind. */
  readonly kind: MediaKind;
  /** URL at which people can play the video. The service never fetches it. */
  readonly media_url: string | null;
  /** The status. */
  readonly status: ProcessingStatus;
  /** The id of the audio. */
  readonly audio_id: string | null;
  /** The faces. */
  readonly faces: ReadonlyArray<{
    /** The id within its record. */
    readonly id: number;
    /** The name; null if unknown. */
    readonly name: string | null;
    /** The id of the speaker within its audio. */
    readonly speaker_id: number | null;
    /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
    readonly accuracy: number | null;
    /** Personality data of the person; null if there is none. */
    readonly personality_traits: JsonObject | null;
  }>;
  /** The newest match run and the stored suggestions. */
  readonly speaker_face_match: {
    /** The status. */
    readonly status: 'queue' | 'completed' | 'failed' | null;
    /** When the run was queued. */
    readonly queued_at: string | null;
    /** Whether the run suggests matches or commits them. */
    readonly mode: 'suggest' | 'commit' | null;
    /** The suggestions of the last suggest run; null if there are none. */
    readonly suggestions: SuggestionBlock | null;
  };
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** The tags. */
  readonly tags: ReadonlyArray<TagView>;
}

/** Who gave the name of a face, before and after a change. */
export interface WhoseName {
  /** The value before the change. */
  readonly before: NamedBy;
  /** The value after the change. */
  readonly after: NamedBy;
}

/** The spending limit of a period, and what was spent. */
export interface WindowOfSpending {
  /** The maximum spending in the period, in credits; null: no limit. */
  readonly limit: number;
  /** The length of the period, in seconds. */
  readonly period_seconds: number;
  /** The credits spent in the current period. */
  readonly spent: number;
}

export interface WriteBackBody {
  /** The id of the run. */
  readonly run_id?: string | null | undefined;
  /** The revision of the video whose ids are used; for a write-back by default that of the trigger of its run. */
  readonly video_revision?: number | null | undefined;
  /** The status. */
  readonly status?: 'completed' | 'failed' | null | undefined;
  /** The error message. */
  readonly error?: string | null | undefined;
  /** The matches that were found. */
  readonly matches?:
    | ReadonlyArray<{
        /** The id of the face within its video. */
        readonly face_id: number;
        /** The id of the speaker within its audio. */
        readonly speaker_id: number;
        /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
        readonly accuracy: number;
        /** How the match was found. */
        readonly channel?: 'name' | 'co_occurrence' | null | undefined;
        /** The evidence for it. */
        readonly evidence?: JsonObject | null | undefined;
      }>
    | null
    | undefined;
  /** Speakers that match none of the faces, each with the reason. */
  readonly unmatched_speakers?:
    | ReadonlyArray<{
        /** The id of the speaker within its audio. */
        readonly speaker_id: number;
        /** The reason. */
        readonly reason: string;
        /** The most likely faces, best first. */
        readonly candidates?:
          | ReadonlyArray<{
              /** The id of the face within its video. */
              readonly face_id: number;
              /** Estimated probability that the match is correct, 0 to 1; null if a person made the match. */
              readonly accuracy: number;
              /** The speaker that the face was matched to instead. */
              readonly matched_speaker_id?: number | null | undefined;
            }>
          | null
          | undefined;
        /** Probability that the speaker is not visible in the video. */
        readonly nobody?: number | null | undefined;
      }>
    | null
    | undefined;
}

export interface WriteBackReceipt {
  /** The status. */
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  /** The id of the run. */
  readonly run_id: string | null;
  /** The reason. */
  readonly reason?: IgnoredReason | undefined;
  /** What was skipped. */
  readonly skipped?: ReadonlyArray<SkippedMatch> | undefined;
}

export interface WrittenCaption {
  /** Start, in seconds from the start of the medium. */
  readonly start: number;
  /** End, in seconds from the start of the medium. */
  readonly end: number;
  /** The text that was said, or that is shown on the screen. */
  readonly text: string;
}

/** A rejection requires a face. */
export interface WrittenDecision {
  /** The id of the speaker within its audio. */
  readonly speaker_id: number;
  /** The id of the face within its video. */
  readonly face_id: number | null;
  /** `confirmed` or `rejected`. */
  readonly verdict: LinkVerdict;
}

export interface WrittenTags {
  /** The status. */
  readonly status: 'completed';
  /** The keys that were added. */
  readonly created: ReadonlyArray<string>;
  /** The keys whose value was changed. */
  readonly updated: ReadonlyArray<string>;
  /** The keys that already had the given value. */
  readonly unchanged: ReadonlyArray<string>;
}

/** The operations of the service by their ids. */
export interface Api {
  readonly accounts: {
    /** Create an account: `POST /v1/accounts` */
    create(body?: OpenAccountBody, options?: CallOptions): Call<AccountView>;
    /** List the accounts: `GET /v1/accounts` */
    list(
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<AccountView>;
    /** Get an account: `GET /v1/accounts/{account_id}` */
    get(account_id: string, options?: CallOptions): Call<AccountView>;
    /** Rename an account: `PATCH /v1/accounts/{account_id}` */
    update(account_id: string, body?: AccountDetailsBody, options?: CallOptions): Call<AccountView>;
  };
  readonly audios: {
    /** Revert a change of an audio: `POST /v2/audios/{audio_id}/history/{position}/revert` */
    revert(audio_id: string, position: string, body?: RevertBody, options?: CallOptions): Call<RevertedChange>;
    /** Register an audio: `POST /v2/audios` */
    create(body?: RegisterAudioBody, options?: CallOptions): Call<AudioRecord>;
    /** List audios: `GET /v2/audios` */
    list(
      query?: {
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
        readonly wait?: number | undefined;
        readonly status?: 'queue' | 'processing' | 'completed' | 'failed' | undefined;
        readonly title?: string | undefined;
        readonly created_from?: string | undefined;
        readonly created_to?: string | undefined;
        readonly sort?: 'created_at' | 'updated_at' | 'title' | undefined;
        readonly order?: 'asc' | 'desc' | undefined;
        readonly video_id?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<AudioRecord>;
    /** Change the title: `PATCH /v2/audios/{audio_id}` */
    update(audio_id: string, body?: AudioDetailsBody, options?: CallOptions): Call<AudioRecord>;
    /** Get an audio: `GET /v2/audios/{audio_id}` */
    get(audio_id: string, query?: { readonly at?: string | undefined }, options?: CallOptions): Call<AudioRecord>;
    /** Erase an audio: `DELETE /v2/audios/{audio_id}` */
    erase(audio_id: string, options?: CallOptions): Call<ErasedMedium>;
    /** List the events of an audio: `GET /v2/audios/{audio_id}/history` */
    history(
      audio_id: string,
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<HistoryEvent>;
    /** Write back the analysis of an audio: `PUT /v2/audios/{audio_id}/analysis` */
    recordAnalysis(
      audio_id: string,
      body: AudioAnalysisBody | string,
      options?: CallOptions & {
        readonly query?: {
          readonly format?: string | undefined;
          readonly recording?: string | undefined;
          readonly provider_supplied?: boolean | undefined;
          readonly fps?: string | undefined;
        };
      },
    ): Call<AnalysisReceipt>;
    /** Replace the transcript: `PUT /v1/audios/{audio_id}/transcript/replace` */
    replaceTranscript(audio_id: string, body: TranscriptBody, options?: CallOptions): Call<ReplacedTranscript>;
    /** List speaker turns: `GET /v2/audios/{audio_id}/segments` */
    segments(
      audio_id: string,
      query?: {
        readonly speaker_id?: number | undefined;
        readonly from?: number | undefined;
        readonly to?: number | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<Segment>;
    /** Get the transcript: `GET /v2/audios/{audio_id}/transcript` */
    transcript(
      audio_id: string,
      query?: {
        readonly speaker_id?: number | undefined;
        readonly from?: number | undefined;
        readonly to?: number | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<TranscriptUtterance>;
  };
  readonly audit: {
    /** List the events of the log: `GET /v1/audit/events` */
    events(
      query?: {
        readonly stream?: string | undefined;
        readonly category?: string | undefined;
        readonly type?: string | undefined;
        readonly actor?: string | undefined;
        readonly request_id?: string | undefined;
        readonly hide?: 'bookkeeping' | undefined;
        readonly order?: 'asc' | 'desc' | undefined;
        readonly from?: string | undefined;
        readonly to?: string | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<LoggedEvent>;
    /** List late write-backs: `GET /v1/audit/late-writes` */
    lateWrites(
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<LateWriteView>;
  };
  readonly credits: {
    /** Grant or correct credits: `POST /v1/accounts/{account_id}/credits` */
    grant(account_id: string, body: BookCreditsBody, options?: CallOptions): Call<Balance>;
    /** Get the balance and the spending window: `GET /v1/accounts/{account_id}/credits` */
    get(account_id: string, options?: CallOptions): Call<AccountCredits>;
    /** Set or clear the spending window: `PUT /v1/accounts/{account_id}/spending-window` */
    setWindow(account_id: string, body: SpendingWindowBody, options?: CallOptions): Call<SpendingWindow>;
    /** List ledger entries: `GET /v1/accounts/{account_id}/ledger` */
    ledger(
      account_id: string,
      query?: {
        readonly from?: string | undefined;
        readonly to?: string | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<LedgerEntry>;
    /** Sum up charges: `GET /v1/accounts/{account_id}/usage` */
    usage(
      account_id: string,
      query?: {
        readonly from?: string | undefined;
        readonly to?: string | undefined;
        readonly group_by?: string | undefined;
      },
      options?: CallOptions,
    ): Call<Usage>;
  };
  readonly decisions: {
    /** Decide about matches: `POST /v2/videos/{video_id}/speaker-face-match/decisions` */
    create(video_id: string, body: DecisionsBody, options?: CallOptions): Call<Completed>;
    /** List current decisions: `GET /v2/videos/{video_id}/speaker-face-match/decisions` */
    list(video_id: string, options?: CallOptions): Call<Decisions>;
  };
  readonly faces: {
    /** Write back personality data of a face: `PUT /v2/videos/{video_id}/faces/{face_id}/personality-traits` */
    recordTraits(
      video_id: string,
      face_id: number,
      body: PersonalityTraitsBody,
      options?: CallOptions,
    ): Call<PersonalityTraits>;
    /** Rename faces: `PUT /v1/videos/{video_id}/faces/names` */
    rename(
      video_id: string,
      body: ReadonlyArray<{
        /** The id of the face within its video. */
        readonly face_id: number;
        /** The name; null if unknown. */
        readonly name: string;
      }>,
      options?: CallOptions,
    ): Call<ReadonlyArray<NamedFace>>;
  };
  readonly keys: {
    /** Create an API key: `POST /v1/accounts/{account_id}/keys` */
    create(account_id: string, body?: IssueKeyBody, options?: CallOptions): Call<NewKey>;
    /** List the API keys of an account: `GET /v1/accounts/{account_id}/keys` */
    list(
      account_id: string,
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<ApiKey>;
    /** Revoke an API key: `DELETE /v1/accounts/{account_id}/keys/{key_id}` */
    revoke(account_id: string, key_id: string, options?: CallOptions): Call<RevokedKey>;
  };
  readonly matches: {
    /** Match faces to speakers: `PUT /v2/videos/{video_id}/speaker-face-match` */
    commit(video_id: string, body: MatchFacesBody, options?: CallOptions): Call<Completed>;
    /** Start a match run that commits: `POST /v2/videos/{video_id}/speaker-face-match` */
    run(video_id: string, body?: MatchRunBody, options?: CallOptions): Call<StartedRun>;
    /** Start a match run that suggests: `POST /v2/videos/{video_id}/speaker-face-match/suggestions` */
    suggest(video_id: string, body?: MatchRunBody, options?: CallOptions): Call<StartedRun>;
    /** Get the stored suggestions: `GET /v2/videos/{video_id}/speaker-face-match/suggestions` */
    suggestions(video_id: string, options?: CallOptions): Call<SuggestionBlock>;
    /** Write back the result of a match run: `PUT /v2/videos/{video_id}/matched_speakers` */
    writeBack(video_id: string, body: WriteBackBody, options?: CallOptions): Call<WriteBackReceipt>;
    /** Remove the match of a face: `DELETE /v2/videos/{video_id}/faces/{face_id}/match` */
    delete(video_id: string, face_id: number, options?: CallOptions): Call<UnmatchedFace>;
    /** Get the status of a video: `GET /v2/videos/{video_id}/statuses` */
    status(
      video_id: string,
      query?: { readonly speaker_face_match_status?: boolean | undefined },
      options?: CallOptions,
    ): Call<Statuses>;
  };
  readonly me: {
    /** Get the calling key and account: `GET /v1/me` */
    get(options?: CallOptions): Call<Me>;
    /** Create a short-lived key for the same account: `POST /v1/me/keys` */
    createKey(body?: MakeKeyBody, options?: CallOptions): Call<NewKey>;
    /** Revoke a key created with another key: `DELETE /v1/me/keys/{key_id}` */
    revokeKey(key_id: string, options?: CallOptions): Call<RevokedKey>;
  };
  readonly names: {
    /** Infer and write names of speakers: `POST /v2/audios/{audio_id}/speaker-name-inference` */
    infer(audio_id: string, body: NameInferenceBody, options?: CallOptions): Call<ReadonlyArray<ResultRow>>;
    /** Infer names of speakers without writing them: `POST /v2/audios/{audio_id}/speaker-name-inference/suggestions` */
    suggest(audio_id: string, body: NameInferenceBody, options?: CallOptions): Call<ReadonlyArray<ResultRow>>;
    /** Estimate the cost of an inference: `POST /v2/audios/{audio_id}/speaker-name-inference/estimate` */
    estimate(audio_id: string, body: NameInferenceBody, options?: CallOptions): Call<CostEstimate>;
  };
  readonly retention: {
    /** Set the retention period: `PUT /v1/accounts/{account_id}/retention` */
    set(account_id: string, body: RetentionBody, options?: CallOptions): Call<Retention>;
    /** Get the retention period: `GET /v1/accounts/{account_id}/retention` */
    get(account_id: string, options?: CallOptions): Call<Retention>;
  };
  readonly review: {
    /** List review questions: `GET /v2/review` */
    list(
      query?: {
        readonly video_id?: string | undefined;
        readonly kind?: 'link' | 'name' | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<Question>;
  };
  readonly runs: {
    /** Revert a match run: `POST /v2/videos/{video_id}/match-runs/{run_id}/revert` */
    revert(video_id: string, run_id: string, body?: RevertBody, options?: CallOptions): Call<RevertedRun>;
    /** List the match runs of a video: `GET /v2/videos/{video_id}/match-runs` */
    list(
      video_id: string,
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<MatchRun>;
    /** Get a match run: `GET /v2/videos/{video_id}/match-runs/{run_id}` */
    get(
      video_id: string,
      run_id: string,
      query?: { readonly wait?: number | undefined },
      options?: CallOptions,
    ): Call<MatchRun>;
    /** List match runs of all videos: `GET /v2/match-runs` */
    listAll(
      query?: {
        readonly state?: 'in_flight' | 'stale' | 'completed' | 'failed' | 'superseded' | 'erased' | undefined;
        readonly wait?: number | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<MatchRun>;
  };
  readonly service: {
    /** Check that the process is running: `GET /healthz` */
    health(options?: CallOptions): Call<Health>;
    /** Check that the service can handle requests: `GET /readyz` */
    readiness(options?: CallOptions): Call<Readiness>;
  };
  readonly sessions: {
    /** Check that realtime sessions can be created: `GET /v2/realtime/health` */
    health(options?: CallOptions): Call<EngineHealth>;
    /** Get the price of realtime sessions: `GET /v2/realtime/price` */
    price(options?: CallOptions): Call<SessionPrice>;
    /** Create a realtime session: `POST /v2/realtime/session` */
    create(body?: CreateSessionBody, options?: CallOptions): Call<NewSession>;
    /** Erase an ended session: `DELETE /v2/realtime/session/{session_id}` */
    erase(session_id: string, options?: CallOptions): Call<ErasedSession>;
    /** Get a session: `GET /v2/realtime/session/{session_id}` */
    get(session_id: string, options?: CallOptions): Call<Session>;
    /** Send a WebRTC offer: `POST /v2/realtime/session/{session_id}/offer` */
    offer(session_id: string, body: OfferBody, options?: CallOptions): Call<SessionAnswer>;
    /** Add an ICE candidate: `POST /v2/realtime/session/{session_id}/ice` */
    addCandidate(session_id: string, body: CandidateBody, options?: CallOptions): Call<AcceptedCandidate>;
    /** End a session: `POST /v2/realtime/session/{session_id}/end` */
    end(session_id: string, options?: CallOptions): Call<EndedSession>;
    /** Create another token: `POST /v2/realtime/session/{session_id}/token` */
    renewToken(session_id: string, options?: CallOptions): Call<SessionToken>;
  };
  readonly speakers: {
    /** Rename speakers: `PUT /v1/audios/{audio_id}/speakers/names` */
    rename(
      audio_id: string,
      body: ReadonlyArray<{
        /** The id of the speaker within its audio. */
        readonly speaker_id: number;
        /** The name; null if unknown. */
        readonly name: string;
      }>,
      options?: CallOptions,
    ): Call<RenamedSpeakers>;
    /** Set roles of speakers: `PUT /v1/audios/{audio_id}/speakers/roles` */
    setRoles(
      audio_id: string,
      body: ReadonlyArray<{
        /** The id of the speaker within its audio. */
        readonly speaker_id: number;
        /** The role of the speaker in the call; null if unknown. */
        readonly role: 'agent' | 'customer' | null;
      }>,
      options?: CallOptions,
    ): Call<SpeakerRoles>;
    /** Merge a speaker into another: `POST /v2/audios/{audio_id}/speakers/merge` */
    merge(audio_id: string, body: MergeSpeakersBody, options?: CallOptions): Call<MergedSpeakers>;
    /** Delete a speaker: `DELETE /v2/audios/{audio_id}/speakers/{speaker_id}` */
    delete(audio_id: string, speaker_id: number, options?: CallOptions): Call<DeletedSpeaker>;
  };
  readonly tagRegistry: {
    /** List the tag registry: `GET /v2/tag-registry` */
    list(options?: CallOptions): Call<TagRegistry>;
    /** Register a tag key: `PUT /v2/tag-registry/{key}` */
    register(key: string, body: TagRegistryBody, options?: CallOptions): Call<TagRegistryEntry>;
  };
  readonly tags: {
    /** Import tags of a provider: `POST /v2/videos/{video_id}/provider-tags` */
    import(video_id: string, body: ProviderTagsBody, options?: CallOptions): Call<WrittenTags>;
    /** Set tags: `POST /v2/videos/{video_id}/tags` */
    set(video_id: string, body: UserTagsBody, options?: CallOptions): Call<WrittenTags>;
    /** List the tags of a video: `GET /v2/videos/{video_id}/tags` */
    list(
      video_id: string,
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<TagView>;
    /** Delete a tag: `DELETE /v2/videos/{video_id}/tags/{key}` */
    delete(video_id: string, key: string, options?: CallOptions): Call<RemovedTag>;
  };
  readonly videos: {
    /** Revert a change of a video: `POST /v2/videos/{video_id}/history/{position}/revert` */
    revert(video_id: string, position: string, body?: RevertBody, options?: CallOptions): Call<RevertedChange>;
    /** Register a video: `POST /v2/videos` */
    create(body?: RegisterVideoBody, options?: CallOptions): Call<VideoRecord>;
    /** List videos: `GET /v2/videos` */
    list(
      query?: {
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
        readonly wait?: number | undefined;
        readonly status?: 'queue' | 'processing' | 'completed' | 'failed' | undefined;
        readonly title?: string | undefined;
        readonly created_from?: string | undefined;
        readonly created_to?: string | undefined;
        readonly sort?: 'created_at' | 'updated_at' | 'title' | undefined;
        readonly order?: 'asc' | 'desc' | undefined;
        readonly audio_id?: string | undefined;
        readonly needs_review?: boolean | undefined;
        readonly tag?: string | undefined;
        readonly expand?: 'audio' | undefined;
      },
      options?: CallOptions,
    ): Pager<ListedVideo>;
    /** Change the title or media URL: `PATCH /v2/videos/{video_id}` */
    update(video_id: string, body?: VideoDetailsBody, options?: CallOptions): Call<VideoRecord>;
    /** Get a video: `GET /v2/videos/{video_id}` */
    get(video_id: string, query?: { readonly at?: string | undefined }, options?: CallOptions): Call<VideoRecord>;
    /** Erase a video: `DELETE /v2/videos/{video_id}` */
    erase(video_id: string, options?: CallOptions): Call<ErasedMedium>;
    /** List the events of a video: `GET /v2/videos/{video_id}/history` */
    history(
      video_id: string,
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<HistoryEvent>;
    /** Write back the analysis of a video: `PUT /v2/videos/{video_id}/analysis` */
    recordAnalysis(
      video_id: string,
      body: VideoAnalysisBody | string,
      options?: CallOptions & {
        readonly query?: {
          readonly format?: string | undefined;
          readonly recording?: string | undefined;
          readonly provider_supplied?: boolean | undefined;
          readonly fps?: string | undefined;
        };
      },
    ): Call<AnalysisReceipt>;
    /** List face tracks: `GET /v2/videos/{video_id}/tracks` */
    tracks(
      video_id: string,
      query?: {
        readonly face_id?: number | undefined;
        readonly from?: number | undefined;
        readonly to?: number | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
        readonly boxes?: boolean | undefined;
      },
      options?: CallOptions,
    ): Pager<FaceEvidence>;
  };
}

/** Operations with paged answers, with the name of the list. */
export const lists: Partial<Record<OperationId, string>> = {
  'review.list': 'questions',
  'runs.list': 'match_runs',
  'runs.listAll': 'match_runs',
  'videos.list': 'videos',
  'videos.history': 'events',
  'tags.list': 'tags',
  'audios.list': 'audios',
  'audios.history': 'events',
  'videos.tracks': 'faces',
  'audios.segments': 'segments',
  'audios.transcript': 'transcript',
  'accounts.list': 'accounts',
  'keys.list': 'keys',
  'credits.ledger': 'entries',
  'audit.events': 'events',
  'audit.lateWrites': 'late_writes',
};

/** Operations with neither a body nor a query. */
export const withoutInput: ReadonlySet<OperationId> = new Set<OperationId>([
  'service.health',
  'service.readiness',
  'sessions.health',
  'sessions.price',
  'sessions.erase',
  'sessions.get',
  'sessions.end',
  'sessions.renewToken',
  'matches.suggestions',
  'decisions.list',
  'matches.delete',
  'videos.erase',
  'tags.delete',
  'tagRegistry.list',
  'audios.erase',
  'speakers.delete',
  'accounts.get',
  'keys.revoke',
  'retention.get',
  'me.get',
  'me.revokeKey',
  'credits.get',
]);
