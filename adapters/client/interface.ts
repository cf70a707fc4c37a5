// Printed from the service's OpenAPI document, which is made from its codecs; a test compares the two.
import type { OperationId } from '../runtime/operations.js';
import type { Call } from './call.js';
import type { Pager } from './pager.js';
import type { CallOptions } from './request.js';

export type JsonObject = { readonly [field: string]: unknown };

export interface AcceptedCandidate {
  readonly status: 'accepted';
}

export interface AccountCredits {
  readonly account_id: string;
  /** A number of credits, exact to 6 decimal places. */
  readonly balance: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly held: number;
  readonly window: WindowOfSpending | null;
}

export interface AccountView {
  readonly account_id: string;
  readonly name: string | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
}

export interface Actor {
  readonly key_id: string;
  readonly account_id: string;
}

export interface AnalysisReceipt {
  readonly status: ProcessingStatus;
  readonly understood?: JsonObject | undefined;
}

export interface ApiKey {
  readonly key_id: string;
  readonly account_id: string;
  readonly label: string | null;
  readonly admin: boolean;
  readonly permissions: ReadonlyArray<Permission>;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly expires_at: string | null;
  readonly made_by: string | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly revoked_at: string | null;
}

export type Attribution = 'own' | 'assumed' | 'unattributed' | 'name_channel';

export interface AudioAnalysisBody {
  readonly status: ProcessingStatus;
  readonly speakers: ReadonlyArray<{
    readonly speaker_id: number;
    readonly name?: string | null | undefined;
    readonly role?: SpeakerRole | null | undefined;
    readonly synthetic?: boolean | null | undefined;
  }>;
  readonly segments: ReadonlyArray<SpeakerTurn>;
  readonly transcript?: ReadonlyArray<Utterance> | null | undefined;
  readonly provider_supplied?: boolean | null | undefined;
  readonly speech_segments?: string | null | undefined;
}

export interface AudioDetailsBody {
  readonly title?: string | null | undefined;
}

export interface AudioRecord {
  readonly audio_id: string;
  readonly owner_id: string;
  readonly title: string | null;
  readonly status: ProcessingStatus;
  readonly kind: MediaKind;
  readonly video_id: string | null;
  readonly speakers: ReadonlyArray<RecordedSpeaker>;
  readonly transcript_available: boolean;
  readonly provider_supplied: boolean;
  readonly transcript_replaced: boolean;
  readonly speech_segments: string | null;
  readonly manual_name_inference_runs: ReadonlyArray<unknown>;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly updated_at: string;
  readonly name_inference: NameInference;
}

export interface Balance {
  /** A number of credits, exact to 6 decimal places. */
  readonly balance: number;
}

export interface BookCreditsBody {
  /** A number of credits, exact to 6 decimal places. */
  readonly amount: number;
  readonly reason: string;
}

export interface CandidateBody {
  readonly candidate: string;
  readonly sdp_mid?: string | null | undefined;
  readonly sdp_m_line_index?: number | null | undefined;
}

export interface Caption {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Completed {
  readonly status: 'completed';
  readonly message: string;
}

export interface CostEstimate {
  /** A number of credits, exact to 6 decimal places. */
  readonly credits_min: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly credits_max: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly balance: number;
  readonly admitted: boolean;
}

export interface CreateSessionBody {
  /** What a client notes down with a session: at most 64 KiB and 32 levels. */
  readonly metadata?: JsonObject | null | undefined;
}

export interface DealPerson {
  readonly person_id: string;
  readonly name: string;
}

export interface Decisions {
  readonly decisions: ReadonlyArray<LinkDecision>;
}

export interface DecisionsBody {
  readonly decisions: ReadonlyArray<WrittenDecision>;
}

export interface DeletedSpeaker {
  readonly status: 'completed';
  readonly speaker_id: number;
}

export interface EndedSession {
  readonly session_id: string;
  readonly status: 'ended';
  readonly duration_seconds: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly credits_charged: number;
}

export interface EngineHealth {
  readonly status: 'ok' | 'unreachable';
  readonly retryable?: boolean | undefined;
  readonly retry_after_seconds?: number | undefined;
}

/** What an erasure is answered with; `receipt` names the event of the log. */
export interface Erased {
  readonly status: 'erased';
  readonly erased_at: string;
  readonly receipt: { readonly position: string; readonly event_id: string };
}

export type EvidencePattern =
  | 'self_introduction'
  | 'introduced_by_other'
  | 'addressed_by_other'
  | 'sign_off'
  | 'third_party_mention';

export interface Face {
  readonly id: number;
  readonly name: string | null;
  readonly speaker_id: number | null;
  /** How sure it is, from 0 to 1. */
  readonly accuracy: number | null;
  readonly personality_traits: JsonObject | null;
}

export interface FaceAttributes {
  readonly name: string | null;
  readonly speaker_id: number | null;
  /** How sure it is, from 0 to 1. */
  readonly accuracy: number | null;
  readonly personality_traits: JsonObject | null;
}

export interface FaceChange {
  readonly face_id: number;
  readonly before: FaceAttributes;
  readonly after: FaceAttributes;
  readonly named_by: WhoseName | null;
}

export interface FaceEvidence {
  readonly face_id: number;
  readonly tracks: ReadonlyArray<Interval>;
  readonly talking: ReadonlyArray<TalkingScore>;
  readonly captions: ReadonlyArray<Caption>;
}

export interface Health {
  readonly status: 'ok';
}

export interface HistoryEvent {
  readonly position: string;
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string | null;
  readonly actor: Actor | null;
  readonly request_id: string | null;
  readonly causation_id: string | null;
  readonly data?: unknown;
}

export interface IceServer {
  readonly urls: ReadonlyArray<string>;
  readonly username?: string | undefined;
  readonly credential?: string | undefined;
}

export type IgnoredReason = 'run_superseded' | 'run_ended' | 'nothing_to_fail';

export type IneligibleReason =
  | 'meeting'
  | 'provider_supplied'
  | 'transcript_replaced'
  | 'speech_segments'
  | 'transcript_not_ready';

/** A stretch of media time in seconds; `start` is not after `end`. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

export interface IssueKeyBody {
  readonly label?: string | null | undefined;
  readonly admin?: boolean | null | undefined;
  readonly permissions?: ReadonlyArray<Permission> | null | undefined;
  readonly expires_in_seconds?: number | null | undefined;
}

export interface LateArrival {
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string;
  readonly reason: IgnoredReason;
  readonly status: 'completed' | 'failed';
  readonly matches: ReadonlyArray<RecordedMatch>;
  readonly error: string | null;
}

export interface LateWriteView {
  readonly position: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string;
  readonly video_id: string | null;
  readonly run_id: string;
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  readonly reason: IgnoredReason | null;
  readonly attribution: Attribution | null;
  readonly candidate_run_ids: ReadonlyArray<string>;
  readonly late_write_suspected: boolean;
  readonly late: boolean;
  readonly matches: ReadonlyArray<{
    readonly face_id: number;
    readonly speaker_id: number;
    /** How sure it is, from 0 to 1. */
    readonly accuracy: number | null;
  }>;
  readonly changes: ReadonlyArray<FaceChange>;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly reverted_at: string | null;
  readonly actor: {
    readonly key_id: string;
    readonly account_id: string;
  };
  readonly request_id: string;
}

export type LedgerCategory = 'grant' | 'correction' | 'name_inference' | 'realtime';

export interface LedgerEntry {
  readonly entry_id: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string;
  readonly kind: 'grant' | 'charge' | 'correction';
  readonly category: LedgerCategory;
  /** A number of credits, exact to 6 decimal places. */
  readonly amount: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly balance_after: number;
  readonly reason: string;
  readonly request_id: string;
  readonly run_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly audio_id?: string | undefined;
}

export interface LinkDecision {
  readonly speaker_id: number;
  readonly face_id: number | null;
  readonly verdict: 'confirmed' | 'rejected';
  readonly by: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string;
  readonly position: string;
  readonly via: 'decision' | 'put';
}

export type LinkVerdict = 'confirmed' | 'rejected';

export interface ListedVideo {
  readonly video_id: string;
  readonly owner_id: string;
  readonly title: string | null;
  readonly kind: MediaKind;
  readonly media_url: string | null;
  readonly status: ProcessingStatus;
  readonly audio_id: string | null;
  readonly faces: ReadonlyArray<{
    readonly id: number;
    readonly name: string | null;
    readonly speaker_id: number | null;
    /** How sure it is, from 0 to 1. */
    readonly accuracy: number | null;
    readonly personality_traits: JsonObject | null;
  }>;
  readonly speaker_face_match: {
    readonly status: 'queue' | 'completed' | 'failed' | null;
    /** RFC 3339 in UTC, with milliseconds. */
    readonly queued_at: string | null;
    readonly mode: MatchMode | null;
    readonly suggestions: SuggestionBlock | null;
  };
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly updated_at: string;
  readonly tags: ReadonlyArray<TagView>;
  readonly audio?: AudioRecord | null | undefined;
}

export interface LoggedEvent {
  readonly position: string;
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string | null;
  readonly actor: Actor | null;
  readonly request_id: string | null;
  readonly causation_id: string | null;
  readonly data?: unknown;
  readonly stream: string;
}

export interface MakeKeyBody {
  readonly label?: string | null | undefined;
  readonly admin?: boolean | null | undefined;
  readonly permissions?: ReadonlyArray<Permission> | null | undefined;
  readonly expires_in_seconds?: number | null | undefined;
}

export interface Mapping {
  readonly face_id: number;
  readonly speaker_id: number;
  readonly name?: string | null | undefined;
}

export interface MatchCandidate {
  readonly face_id: number;
  /** How sure it is, from 0 to 1. */
  readonly accuracy: number;
  readonly matched_speaker_id: number | null;
}

export type MatchChannel = 'name' | 'co_occurrence';

export interface MatchFacesBody {
  readonly mappings: ReadonlyArray<Mapping>;
}

export type MatchMode = 'suggest' | 'commit';

export interface MatchRun {
  readonly run_id: string;
  readonly video_id: string | null;
  readonly audio_id: string | null;
  readonly mode: MatchMode | null;
  readonly target_speaker_ids: ReadonlyArray<number> | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly queued_at: string | null;
  readonly outcome: 'completed' | 'failed' | 'erased' | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly ended_at: string | null;
  readonly attribution: Attribution | null;
  readonly candidate_run_ids: ReadonlyArray<string>;
  readonly late_write_suspected: boolean;
  readonly late: boolean;
  readonly error: string | null;
  readonly superseded_by: string | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly superseded_at: string | null;
  readonly changed_faces: ReadonlyArray<number>;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly reverted_at: string | null;
  readonly late_arrivals: ReadonlyArray<LateArrival>;
  readonly state: RunState;
  readonly decisions: ReadonlyArray<LinkDecision>;
}

export interface MatchRunBody {
  readonly target_speaker_ids?: ReadonlyArray<number> | null | undefined;
}

export interface Me {
  readonly account_id: string;
  readonly name: string | null;
  readonly key_id: string;
  readonly label: string | null;
  readonly admin: boolean;
  readonly permissions: ReadonlyArray<Permission>;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly expires_at: string | null;
  /** A number of credits, exact to 6 decimal places. */
  readonly balance: number;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string | null;
}

export type MediaKind = 'upload' | 'meeting';

export interface MergeSpeakersBody {
  readonly from: number;
  readonly into: number;
}

export interface MergedSpeakers {
  readonly status: 'completed';
  readonly from: number;
  readonly into: number;
}

export interface NameInference {
  readonly eligible: boolean;
  readonly reasons: ReadonlyArray<IneligibleReason>;
}

export interface NameInferenceBody {
  readonly target_speaker_ids: ReadonlyArray<number>;
  readonly infer_roles?: boolean | undefined;
}

export type NameReason =
  | 'no_proposal'
  | 'quote_not_found'
  | 'name_not_in_quote'
  | 'wrong_speaker'
  | 'not_a_person_name'
  | 'duplicate_name'
  | 'conflicting_evidence';

export type NamedBy = 'person' | 'speaker' | 'analysis';

export interface NamedFace {
  readonly face_id: number;
  readonly name: string;
}

export interface NewKey {
  readonly key_id: string;
  readonly key: string;
  readonly label: string | null;
  readonly admin: boolean;
  readonly permissions: ReadonlyArray<Permission>;
  readonly account_id: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly expires_at: string | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
}

export interface NewSession {
  readonly session_id: string;
  readonly token: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly token_expires_at: string;
  readonly ice_servers: ReadonlyArray<IceServer>;
  readonly results_url: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly expires_at: string;
}

export interface OfferBody {
  readonly type: 'offer';
  readonly sdp: string;
}

export interface OpenAccountBody {
  readonly account_id?: string | null | undefined;
  readonly name?: string | null | undefined;
}

export type Permission = 'MEDIA_WRITE' | 'WORKER';

export interface PersonalityTraits {
  readonly personality_traits: JsonObject;
}

export interface PersonalityTraitsBody {
  /** What was learned of a person: at most 32 levels and 10,000 values. */
  readonly personality_traits: JsonObject;
}

export type ProcessingStatus = 'queue' | 'processing' | 'completed' | 'failed';

export interface ProviderTagsBody {
  readonly source: string;
  readonly tags: ReadonlyArray<{
    readonly key: string;
    /** Any value but an absent one; the registry says of which kind. */
    readonly value: unknown;
  }>;
  readonly dry_run?: boolean | null | undefined;
}

export interface Question {
  readonly kind: 'link' | 'name';
  readonly video_id: string;
  readonly audio_id: string | null;
  readonly speaker_id: number;
  readonly candidates: ReadonlyArray<{
    readonly face_id: number;
    readonly accuracy: number;
  }>;
  readonly nobody: number;
  readonly gain: number;
  readonly evidence: JsonObject;
  readonly names?:
    | ReadonlyArray<{
        readonly name: string;
        readonly source: string;
        readonly quote?: string | undefined;
        readonly quote_location?: QuoteLocation | undefined;
      }>
    | undefined;
}

export interface QuoteLocation {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  readonly reasons?: ReadonlyArray<string> | undefined;
  readonly warnings?: ReadonlyArray<string> | undefined;
}

export interface RecordFields {
  readonly record: 'face' | 'speaker' | 'tag' | 'video' | 'audio';
  readonly id: number | string;
  readonly fields: ReadonlyArray<string>;
}

export interface RecordedMatch {
  readonly face_id: number;
  readonly speaker_id: number;
  /** How sure it is, from 0 to 1. */
  readonly accuracy: number;
}

export interface RecordedSpeaker {
  readonly speaker_id: number;
  readonly name: string | null;
  readonly role: SpeakerRole | null;
  readonly synthetic: boolean;
  readonly deal_person_id: string | null;
}

export interface RegisterAudioBody {
  readonly audio_id?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly video_id?: string | null | undefined;
  readonly kind?: MediaKind | null | undefined;
  readonly deal_persons?: ReadonlyArray<DealPerson> | null | undefined;
}

export interface RegisterVideoBody {
  readonly video_id?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly kind?: MediaKind | null | undefined;
  readonly media_url?: string | null | undefined;
  readonly audio_id?: string | null | undefined;
}

export interface RemovedTag {
  readonly status: 'completed';
  readonly key: string;
}

export interface RenamedSpeakers {
  readonly speakers: ReadonlyArray<{
    readonly speaker_id: number;
    readonly name: string;
  }>;
  readonly skipped: ReadonlyArray<number>;
}

export interface ReplacedTranscript {
  readonly status: 'completed';
  readonly utterances: number;
}

export interface ResultRow {
  readonly speaker_id: number;
  readonly video_id: string | null;
  readonly name?: string | undefined;
  readonly quote?: string | undefined;
  readonly pattern?: EvidencePattern | undefined;
  readonly quote_location?: QuoteLocation | undefined;
  readonly reason?: NameReason | undefined;
  readonly role_accepted?: boolean | undefined;
  readonly role?: SpeakerRole | undefined;
  readonly role_quote?: string | undefined;
  readonly role_quote_location?: QuoteLocation | undefined;
  readonly role_reason?: RoleReason | undefined;
}

export interface RevertBody {
  readonly dry_run?: boolean | null | undefined;
}

export interface RevertedChange {
  readonly status: 'reverted';
  readonly position: string;
  readonly reverted: ReadonlyArray<RecordFields>;
  readonly changed_since: ReadonlyArray<RecordFields>;
}

export interface RevertedRun {
  readonly run_id: string;
  readonly status: 'reverted';
  readonly reverted: ReadonlyArray<number>;
  readonly changed_since: ReadonlyArray<number>;
}

export interface RevokedKey {
  readonly key_id: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly revoked_at: string;
}

export type RoleReason = 'role_already_set' | 'no_role_proposal' | 'role_quote_not_found' | 'role_wrong_speaker';

export type RunState = 'in_flight' | 'stale' | 'completed' | 'failed' | 'superseded' | 'erased';

export interface Segment {
  readonly speaker_id: number;
  readonly start: number;
  readonly end: number;
}

export interface Session {
  readonly session_id: string;
  readonly status: 'created' | 'negotiated' | 'connected' | 'disconnected';
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** A number of credits, exact to 6 decimal places. */
  readonly credits_charged: number;
}

export interface SessionAnswer {
  readonly type: 'answer';
  readonly sdp: string;
}

export interface SessionPrice {
  /** A number of credits, exact to 6 decimal places. */
  readonly price_per_minute: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly balance: number;
}

export interface SessionToken {
  readonly token: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly token_expires_at: string;
}

export interface SkippedMatch {
  readonly face_id: number;
  readonly speaker_id: number;
  readonly reason: 'pair_rejected' | 'speaker_not_seen' | 'speaker_confirmed' | 'face_confirmed';
}

export type SpeakerRole = 'agent' | 'customer';

export interface SpeakerRoles {
  readonly speakers: ReadonlyArray<{
    readonly speaker_id: number;
    readonly role: SpeakerRole | null;
  }>;
  readonly skipped: ReadonlyArray<number>;
}

export interface SpeakerTurn {
  readonly speaker_id: number;
  readonly start: number;
  readonly end: number;
}

export interface SpendingWindow {
  /** A number of credits, exact to 6 decimal places. */
  readonly limit: number | null;
  readonly period_seconds: number | null;
}

/** `limit: null` asks for no window, whatever else is given. */
export interface SpendingWindowBody {
  readonly limit: number | null;
  readonly period_seconds?: number | undefined;
}

export interface StartedRun {
  readonly video_id: string;
  readonly audio_id: string | null;
  readonly status: 'processing';
  readonly message: string;
  readonly run_id: string;
}

export interface StatusOfMedium {
  readonly status: ProcessingStatus;
}

export interface StatusOfRun {
  readonly speaker_face_match_status: 'queue' | 'completed' | 'failed' | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly queued_at: string | null;
  readonly mode: MatchMode | null;
  readonly run_id: string | null;
  readonly in_flight: boolean;
  readonly stale: boolean;
}

export type Statuses = StatusOfMedium | StatusOfRun;

export interface SuggestedMapping {
  readonly face_id: number;
  readonly speaker_id: number;
  readonly name: string | null;
  /** How sure it is, from 0 to 1. */
  readonly accuracy: number | null;
  readonly channel: MatchChannel;
  readonly evidence: JsonObject;
}

export interface SuggestionBlock {
  readonly run_id: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly generated_at: string;
  readonly mappings: ReadonlyArray<SuggestedMapping>;
  readonly unmatched_speakers: ReadonlyArray<UnmatchedSpeaker>;
  readonly unmatched_faces: ReadonlyArray<number>;
}

export type TagCategory = 'provider' | 'demographic' | 'survey' | 'system' | 'label' | 'user';

export interface TagRegistry {
  readonly entries: ReadonlyArray<TagRegistryEntry>;
}

export interface TagRegistryBody {
  readonly category: TagCategory;
  readonly value_type: TagValueType;
  readonly description?: string | null | undefined;
}

export interface TagRegistryEntry {
  readonly key: string;
  readonly category: TagCategory;
  readonly value_type: TagValueType;
  readonly description: string | null;
}

export type TagValue = string | number | boolean | ReadonlyArray<string>;

export type TagValueType = 'string' | 'number' | 'boolean' | 'string_list';

export interface TagView {
  readonly key: string;
  readonly value: TagValue;
  readonly category: TagCategory;
  readonly source: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly updated_at: string;
  readonly updated_by: string;
}

export interface TalkingScore {
  readonly start: number;
  readonly end: number;
  /** How sure it is, from 0 to 1. */
  readonly score: number;
}

export interface TranscriptBody {
  readonly transcript: ReadonlyArray<Utterance>;
}

export interface TranscriptUtterance {
  readonly index: number;
  readonly speaker_id: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface UnmatchedFace {
  readonly status: 'completed';
  readonly face: Face | null;
}

export interface UnmatchedSpeaker {
  readonly speaker_id: number;
  readonly reason: string;
  readonly candidates?: ReadonlyArray<MatchCandidate> | undefined;
  readonly nobody?: number | undefined;
}

export interface Usage {
  /** RFC 3339 in UTC, with milliseconds. */
  readonly from: string | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly to: string | null;
  readonly groups: ReadonlyArray<UsageGroup>;
  readonly total: UsageTotal;
}

export interface UsageGroup {
  readonly charges: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly amount: number;
  readonly day?: string | undefined;
  readonly month?: string | undefined;
  readonly category?: string | undefined;
  readonly key_id?: string | undefined;
}

export interface UsageTotal {
  readonly charges: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly amount: number;
}

export interface UserTagsBody {
  readonly tags: ReadonlyArray<{
    readonly key: string;
    /** Any value but an absent one; the registry says of which kind. */
    readonly value: unknown;
  }>;
  readonly dry_run?: boolean | null | undefined;
}

export interface Utterance {
  readonly speaker_id: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface VideoAnalysisBody {
  readonly status: ProcessingStatus;
  readonly faces: ReadonlyArray<{
    readonly id: number;
    readonly tracks: ReadonlyArray<Interval>;
    readonly name?: string | null | undefined;
    /** What was learned of a person: at most 32 levels and 10,000 values. */
    readonly personality_traits?: JsonObject | null | undefined;
    readonly talking?: ReadonlyArray<TalkingScore> | null | undefined;
    readonly captions?: ReadonlyArray<Caption> | null | undefined;
  }>;
}

export interface VideoDetailsBody {
  readonly title?: string | null | undefined;
  readonly media_url?: string | null | undefined;
}

export interface VideoRecord {
  readonly video_id: string;
  readonly owner_id: string;
  readonly title: string | null;
  readonly kind: MediaKind;
  readonly media_url: string | null;
  readonly status: ProcessingStatus;
  readonly audio_id: string | null;
  readonly faces: ReadonlyArray<{
    readonly id: number;
    readonly name: string | null;
    readonly speaker_id: number | null;
    /** How sure it is, from 0 to 1. */
    readonly accuracy: number | null;
    readonly personality_traits: JsonObject | null;
  }>;
  readonly speaker_face_match: {
    readonly status: 'queue' | 'completed' | 'failed' | null;
    /** RFC 3339 in UTC, with milliseconds. */
    readonly queued_at: string | null;
    readonly mode: MatchMode | null;
    readonly suggestions: SuggestionBlock | null;
  };
  /** RFC 3339 in UTC, with milliseconds. */
  readonly created_at: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly updated_at: string;
  readonly tags: ReadonlyArray<TagView>;
}

export interface WhoseName {
  readonly before: NamedBy;
  readonly after: NamedBy;
}

export interface WindowOfSpending {
  /** A number of credits, exact to 6 decimal places. */
  readonly limit: number;
  readonly period_seconds: number;
  /** A number of credits, exact to 6 decimal places. */
  readonly spent: number;
}

export interface WriteBackBody {
  readonly run_id?: string | null | undefined;
  readonly status?: WriteBackStatus | null | undefined;
  readonly error?: string | null | undefined;
  readonly matches?:
    | ReadonlyArray<{
        readonly face_id: number;
        readonly speaker_id: number;
        /** How sure it is, from 0 to 1. */
        readonly accuracy: number;
        readonly channel?: MatchChannel | null | undefined;
        readonly evidence?: JsonObject | null | undefined;
      }>
    | null
    | undefined;
  readonly unmatched_speakers?:
    | ReadonlyArray<{
        readonly speaker_id: number;
        readonly reason: string;
        readonly candidates?:
          | ReadonlyArray<{
              readonly face_id: number;
              /** How sure it is, from 0 to 1. */
              readonly accuracy: number;
              readonly matched_speaker_id?: number | null | undefined;
            }>
          | null
          | undefined;
      }>
    | null
    | undefined;
}

export interface WriteBackReceipt {
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  readonly run_id: string | null;
  readonly reason?: IgnoredReason | undefined;
  readonly skipped?: ReadonlyArray<SkippedMatch> | undefined;
}

export type WriteBackStatus = 'completed' | 'failed';

/** A rejection names a face. */
export interface WrittenDecision {
  readonly speaker_id: number;
  readonly face_id: number | null;
  readonly verdict: LinkVerdict;
}

export interface WrittenTags {
  readonly status: 'completed';
  readonly created: ReadonlyArray<string>;
  readonly updated: ReadonlyArray<string>;
  readonly unchanged: ReadonlyArray<string>;
}

/** The operations of the service by their ids. */
export interface Api {
  readonly accounts: {
    /** Open an account: `POST /v1/accounts` */
    create(body?: OpenAccountBody, options?: CallOptions): Call<AccountView>;
  };
  readonly audios: {
    /** Undo a change of an audio: `POST /v2/audios/{audio_id}/history/{position}/revert` */
    revert(audio_id: string, position: string, body?: RevertBody, options?: CallOptions): Call<RevertedChange>;
    /** Register an audio: `POST /v2/audios` */
    create(body?: RegisterAudioBody, options?: CallOptions): Call<AudioRecord>;
    /** List audios: `GET /v2/audios` */
    list(
      query?: {
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
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
    /** Erase for good: `DELETE /v2/audios/{audio_id}` */
    erase(audio_id: string, options?: CallOptions): Call<Erased>;
    /** Show an audio: `GET /v2/audios/{audio_id}` */
    get(audio_id: string, query?: { readonly at?: string | undefined }, options?: CallOptions): Call<AudioRecord>;
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
        };
      },
    ): Call<AnalysisReceipt>;
    /** Replace the transcript: `PUT /v1/audios/{audio_id}/transcript/replace` */
    replaceTranscript(audio_id: string, body: TranscriptBody, options?: CallOptions): Call<ReplacedTranscript>;
    /** Show who speaks when: `GET /v2/audios/{audio_id}/segments` */
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
    /** Show what was said: `GET /v2/audios/{audio_id}/transcript` */
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
    /** List events of the whole log: `GET /v1/audit/events` */
    events(
      query?: {
        readonly stream?: string | undefined;
        readonly category?: string | undefined;
        readonly type?: string | undefined;
        readonly actor?: string | undefined;
        readonly request_id?: string | undefined;
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
    /** Book credits: `POST /v1/accounts/{account_id}/credits` */
    add(account_id: string, body: BookCreditsBody, options?: CallOptions): Call<Balance>;
    /** Show the balance and the spending window: `GET /v1/accounts/{account_id}/credits` */
    get(account_id: string, options?: CallOptions): Call<AccountCredits>;
    /** Set or clear the spending window: `PUT /v1/accounts/{account_id}/spending-window` */
    setWindow(account_id: string, body: SpendingWindowBody, options?: CallOptions): Call<SpendingWindow>;
    /** List what was booked: `GET /v1/accounts/{account_id}/ledger` */
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
    /** Decide about faces and speakers: `POST /v2/videos/{video_id}/speaker-face-match/decisions` */
    create(video_id: string, body: DecisionsBody, options?: CallOptions): Call<Completed>;
    /** List the decisions that stand: `GET /v2/videos/{video_id}/speaker-face-match/decisions` */
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
    /** Name faces: `PUT /v1/videos/{video_id}/faces/names` */
    rename(
      video_id: string,
      body: ReadonlyArray<{
        readonly face_id: number;
        /** A name that is not blank. */
        readonly name: string;
      }>,
      options?: CallOptions,
    ): Call<ReadonlyArray<NamedFace>>;
  };
  readonly keys: {
    /** Issue an API key: `POST /v1/accounts/{account_id}/keys` */
    create(account_id: string, body?: IssueKeyBody, options?: CallOptions): Call<NewKey>;
    /** List the keys of an account: `GET /v1/accounts/{account_id}/keys` */
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
    /** Start a run that commits: `POST /v2/videos/{video_id}/speaker-face-match` */
    run(video_id: string, body?: MatchRunBody, options?: CallOptions): Call<StartedRun>;
    /** Start a run that suggests: `POST /v2/videos/{video_id}/speaker-face-match/suggestions` */
    suggest(video_id: string, body?: MatchRunBody, options?: CallOptions): Call<StartedRun>;
    /** Show the stored suggestions: `GET /v2/videos/{video_id}/speaker-face-match/suggestions` */
    suggestions(video_id: string, options?: CallOptions): Call<SuggestionBlock>;
    /** Write back the result of a match run: `PUT /v2/videos/{video_id}/matched_speakers` */
    writeBack(video_id: string, body: WriteBackBody, options?: CallOptions): Call<WriteBackReceipt>;
    /** Take the match of a face away: `DELETE /v2/videos/{video_id}/faces/{face_id}/match` */
    delete(video_id: string, face_id: number, options?: CallOptions): Call<UnmatchedFace>;
    /** Show the status of a video: `GET /v2/videos/{video_id}/statuses` */
    status(
      video_id: string,
      query?: { readonly speaker_face_match_status?: boolean | undefined },
      options?: CallOptions,
    ): Call<Statuses>;
  };
  readonly me: {
    /** Who am I?: `GET /v1/me` */
    get(options?: CallOptions): Call<Me>;
    /** Make a short-lived key of the own account: `POST /v1/me/keys` */
    createKey(body?: MakeKeyBody, options?: CallOptions): Call<NewKey>;
    /** Revoke a key that a key made: `DELETE /v1/me/keys/{key_id}` */
    revokeKey(key_id: string, options?: CallOptions): Call<RevokedKey>;
  };
  readonly names: {
    /** Infer names of speakers, and write them: `POST /v2/audios/{audio_id}/speaker-name-inference` */
    infer(audio_id: string, body: NameInferenceBody, options?: CallOptions): Call<ReadonlyArray<ResultRow>>;
    /** Infer names of speakers, and write nothing: `POST /v2/audios/{audio_id}/speaker-name-inference/suggestions` */
    suggest(audio_id: string, body: NameInferenceBody, options?: CallOptions): Call<ReadonlyArray<ResultRow>>;
    /** Estimate what an inference costs: `POST /v2/audios/{audio_id}/speaker-name-inference/estimate` */
    estimate(audio_id: string, body: NameInferenceBody, options?: CallOptions): Call<CostEstimate>;
  };
  readonly review: {
    /** List open questions: `GET /v2/review` */
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
    /** Undo what a run changed: `POST /v2/videos/{video_id}/match-runs/{run_id}/revert` */
    revert(video_id: string, run_id: string, body?: RevertBody, options?: CallOptions): Call<RevertedRun>;
    /** List the match runs of a video: `GET /v2/videos/{video_id}/match-runs` */
    list(
      video_id: string,
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Pager<MatchRun>;
    /** Show a match run: `GET /v2/videos/{video_id}/match-runs/{run_id}` */
    get(
      video_id: string,
      run_id: string,
      query?: { readonly wait?: number | undefined },
      options?: CallOptions,
    ): Call<MatchRun>;
    /** List match runs of all videos: `GET /v2/match-runs` */
    listAll(
      query?: {
        readonly state?: 'in_flight' | 'stale' | 'completed' | 'failed' | 'superseded' | undefined;
        readonly wait?: number | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<MatchRun>;
  };
  readonly service: {
    /** Is the process up?: `GET /healthz` */
    health(options?: CallOptions): Call<Health>;
    /** Can the service serve?: `GET /readyz` */
    readiness(options?: CallOptions): Call<Readiness>;
  };
  readonly sessions: {
    /** Can realtime sessions be begun?: `GET /v2/realtime/health` */
    health(options?: CallOptions): Call<EngineHealth>;
    /** Show the price of a session: `GET /v2/realtime/price` */
    price(options?: CallOptions): Call<SessionPrice>;
    /** Create a realtime session: `POST /v2/realtime/session` */
    create(body?: CreateSessionBody, options?: CallOptions): Call<NewSession>;
    /** Negotiate media: `POST /v2/realtime/session/{session_id}/offer` */
    offer(session_id: string, body: OfferBody, options?: CallOptions): Call<SessionAnswer>;
    /** Add an ICE candidate: `POST /v2/realtime/session/{session_id}/ice` */
    addCandidate(session_id: string, body: CandidateBody, options?: CallOptions): Call<AcceptedCandidate>;
    /** Show a session: `GET /v2/realtime/session/{session_id}` */
    get(session_id: string, options?: CallOptions): Call<Session>;
    /** End a session: `POST /v2/realtime/session/{session_id}/end` */
    end(session_id: string, options?: CallOptions): Call<EndedSession>;
    /** Make one more token: `POST /v2/realtime/session/{session_id}/token` */
    renewToken(session_id: string, options?: CallOptions): Call<SessionToken>;
  };
  readonly speakers: {
    /** Name speakers: `PUT /v1/audios/{audio_id}/speakers/names` */
    rename(
      audio_id: string,
      body: ReadonlyArray<{
        readonly speaker_id: number;
        /** A name that is not blank. */
        readonly name: string;
      }>,
      options?: CallOptions,
    ): Call<RenamedSpeakers>;
    /** Set roles of speakers: `PUT /v1/audios/{audio_id}/speakers/roles` */
    setRoles(
      audio_id: string,
      body: ReadonlyArray<{
        readonly speaker_id: number;
        readonly role: SpeakerRole | null;
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
    /** Take a tag away: `DELETE /v2/videos/{video_id}/tags/{key}` */
    delete(video_id: string, key: string, options?: CallOptions): Call<RemovedTag>;
  };
  readonly videos: {
    /** Undo a change of a video: `POST /v2/videos/{video_id}/history/{position}/revert` */
    revert(video_id: string, position: string, body?: RevertBody, options?: CallOptions): Call<RevertedChange>;
    /** Register a video: `POST /v2/videos` */
    create(body?: RegisterVideoBody, options?: CallOptions): Call<VideoRecord>;
    /** List videos: `GET /v2/videos` */
    list(
      query?: {
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
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
    /** Change title or media URL: `PATCH /v2/videos/{video_id}` */
    update(video_id: string, body?: VideoDetailsBody, options?: CallOptions): Call<VideoRecord>;
    /** Erase for good: `DELETE /v2/videos/{video_id}` */
    erase(video_id: string, options?: CallOptions): Call<Erased>;
    /** Show a video: `GET /v2/videos/{video_id}` */
    get(video_id: string, query?: { readonly at?: string | undefined }, options?: CallOptions): Call<VideoRecord>;
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
        };
      },
    ): Call<AnalysisReceipt>;
    /** Show when faces are to be seen: `GET /v2/videos/{video_id}/tracks` */
    tracks(
      video_id: string,
      query?: {
        readonly face_id?: number | undefined;
        readonly from?: number | undefined;
        readonly to?: number | undefined;
        readonly limit?: number | undefined;
        readonly cursor?: string | undefined;
      },
      options?: CallOptions,
    ): Pager<FaceEvidence>;
  };
}

/** Operations that answer pages of a list, by the name that it has there. */
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
  'keys.list': 'keys',
  'credits.ledger': 'entries',
  'audit.events': 'events',
  'audit.lateWrites': 'late_writes',
};

/** Operations that take neither a body nor a query. */
export const withoutInput: ReadonlySet<OperationId> = new Set<OperationId>([
  'service.health',
  'service.readiness',
  'sessions.health',
  'sessions.price',
  'sessions.get',
  'sessions.end',
  'sessions.renewToken',
  'matches.suggestions',
  'decisions.list',
  'matches.delete',
  'tags.delete',
  'tagRegistry.list',
  'speakers.delete',
  'keys.revoke',
  'me.get',
  'me.revokeKey',
  'credits.get',
  'videos.erase',
  'audios.erase',
]);
