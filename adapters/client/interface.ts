// Printed from the service's OpenAPI document, which is made from its codecs; a test compares the two.
import type { OperationId } from '../runtime/operations.js';
import type { Call } from './call.js';
import type { Pager } from './pager.js';
import type { CallOptions } from './request.js';

export type JsonObject = { readonly [field: string]: unknown };

export interface AcceptedCandidate {
  /** What became of it, or how far it is. */
  readonly status: 'accepted';
}

export interface AccountCredits {
  /** The account. */
  readonly account_id: string;
  /** What the account has left, in credits. */
  readonly balance: number;
  /** What calls under way hold, in credits. */
  readonly held: number;
  /** The spending window; null: there is none. */
  readonly window: WindowOfSpending | null;
}

export interface AccountView {
  /** The account. */
  readonly account_id: string;
  /** The name; null: none is known. */
  readonly name: string | null;
  /** When it was created. */
  readonly created_at: string;
}

/** A key and its account. */
export interface Actor {
  /** The id of the key, which is not the key itself. */
  readonly key_id: string;
  /** The account. */
  readonly account_id: string;
}

export interface AnalysisReceipt {
  /** What became of it, or how far it is. */
  readonly status: ProcessingStatus;
  /** How the document of the provider was read. */
  readonly understood?: JsonObject | undefined;
}

export interface ApiKey {
  /** The id of the key, which is not the key itself. */
  readonly key_id: string;
  /** The account. */
  readonly account_id: string;
  /** What the key is for, in words of its owner. */
  readonly label: string | null;
  /** Whether the key may do everything. */
  readonly admin: boolean;
  /** What the key may do beside what its account owns. */
  readonly permissions: ReadonlyArray<Permission>;
  /** Until when it is valid; null: for ever. */
  readonly expires_at: string | null;
  /** The key that made it; null: an administrator issued it. */
  readonly made_by: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When the key was revoked; null: it was not. */
  readonly revoked_at: string | null;
}

export interface AudioAnalysisBody {
  /** What became of it, or how far it is. */
  readonly status: ProcessingStatus;
  /** The speakers of the audio. */
  readonly speakers: ReadonlyArray<{
    /** The speaker, within its audio. */
    readonly speaker_id: number;
    /** The name; null: none is known. */
    readonly name?: string | null | undefined;
    /** What the speaker is in the call; null: not known. */
    readonly role?: 'agent' | 'customer' | null | undefined;
    /** Whether it is a synthetic track, and nobody speaks. */
    readonly synthetic?: boolean | null | undefined;
  }>;
  /** Who speaks when. */
  readonly segments: ReadonlyArray<SpeakerTurn>;
  /** What was said, in order. */
  readonly transcript?: ReadonlyArray<Utterance> | null | undefined;
  /** Whether a provider supplied the transcript. */
  readonly provider_supplied?: boolean | null | undefined;
  /** A pointer to segments that another system keeps. */
  readonly speech_segments?: string | null | undefined;
}

export interface AudioDetailsBody {
  /** The title; null: it has none. */
  readonly title?: string | null | undefined;
}

/** An audio with its speakers. */
export interface AudioRecord {
  /** The audio. */
  readonly audio_id: string;
  /** The account that owns it. */
  readonly owner_id: string;
  /** The title; null: it has none. */
  readonly title: string | null;
  /** What became of it, or how far it is. */
  readonly status: ProcessingStatus;
  /** Of what kind it is. */
  readonly kind: MediaKind;
  /** The video. */
  readonly video_id: string | null;
  /** The speakers of the audio. */
  readonly speakers: ReadonlyArray<RecordedSpeaker>;
  /** Whether there is a transcript. */
  readonly transcript_available: boolean;
  /** Whether a provider supplied the transcript. */
  readonly provider_supplied: boolean;
  /** Whether the transcript was replaced. */
  readonly transcript_replaced: boolean;
  /** A pointer to segments that another system keeps. */
  readonly speech_segments: string | null;
  /** The inferences whose names were written here. */
  readonly manual_name_inference_runs: ReadonlyArray<unknown>;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** Whether names can be inferred of the audio. */
  readonly name_inference: NameInference;
}

export interface Balance {
  /** What the account has left, in credits. */
  readonly balance: number;
}

export interface BookCreditsBody {
  /** A number of credits. */
  readonly amount: number;
  /** Why. */
  readonly reason: string;
}

export interface CandidateBody {
  /** The candidate, as `RTCIceCandidate` tells it; empty: there are no more. */
  readonly candidate: string;
  /** Which medium of the description the candidate is for. */
  readonly sdp_mid?: string | null | undefined;
  /** Which medium of the description the candidate is for, from 0. */
  readonly sdp_m_line_index?: number | null | undefined;
}

export interface Caption {
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
  /** What was said, or is to be read. */
  readonly text: string;
}

export interface Completed {
  /** What became of it, or how far it is. */
  readonly status: 'completed';
  /** What is wrong, or was done, for people. */
  readonly message: string;
}

export interface CostEstimate {
  /** What the run costs at least, in credits. */
  readonly credits_min: number;
  /** What the run costs at most, in credits. */
  readonly credits_max: number;
  /** What the account has left, in credits. */
  readonly balance: number;
  /** Whether a run would be admitted now. */
  readonly admitted: boolean;
}

export interface CreateSessionBody {
  /** What the client notes down with the session. */
  readonly metadata?: JsonObject | null | undefined;
}

export interface DealPerson {
  /** The id of the person. */
  readonly person_id: string;
  /** The name; null: none is known. */
  readonly name: string;
}

export interface Decisions {
  /** What people decided. */
  readonly decisions: ReadonlyArray<LinkDecision>;
}

export interface DecisionsBody {
  /** What people decided. */
  readonly decisions: ReadonlyArray<WrittenDecision>;
}

export interface DeletedSpeaker {
  /** What became of it, or how far it is. */
  readonly status: 'completed';
  /** The speaker, within its audio. */
  readonly speaker_id: number;
}

export interface EndedSession {
  /** The realtime session. */
  readonly session_id: string;
  /** What became of it, or how far it is. */
  readonly status: 'ended';
  /** How many seconds were charged for. */
  readonly duration_seconds: number;
  /** What was charged, in credits. */
  readonly credits_charged: number;
}

export interface EngineHealth {
  /** What became of it, or how far it is. */
  readonly status: 'ok' | 'unreachable';
  /** Whether the same request may succeed later. */
  readonly retryable?: boolean | undefined;
  /** After how many seconds to try again. */
  readonly retry_after_seconds?: number | undefined;
}

export interface ErasedMedium {
  /** What became of it, or how far it is. */
  readonly status: 'erased';
  /** RFC 3339 in UTC, with milliseconds. */
  readonly erased_at: string;
  /** The event of the erasure. */
  readonly receipt: {
    /** The position of the event in the log. */
    readonly position: string;
    /** The id of the event. */
    readonly event_id: string;
  };
}

export interface ErasedSession {
  /** What became of it, or how far it is. */
  readonly status: 'erased';
  /** RFC 3339 in UTC, with milliseconds. */
  readonly erased_at: string;
}

/** How a quote tells a name: who says it, and of whom. */
export type EvidencePattern =
  | 'self_introduction'
  | 'introduced_by_other'
  | 'addressed_by_other'
  | 'sign_off'
  | 'third_party_mention';

/** A face of a video. */
export interface Face {
  /** The id, within its record. */
  readonly id: number;
  /** The name; null: none is known. */
  readonly name: string | null;
  /** The speaker, within its audio. */
  readonly speaker_id: number | null;
  /** How sure the match is; null where a person said it. */
  readonly accuracy: number | null;
  /** What was learned of the person; null: nothing. */
  readonly personality_traits: JsonObject | null;
}

/** What a match changes of a face. */
export interface FaceAttributes {
  /** The name; null: none is known. */
  readonly name: string | null;
  /** The speaker, within its audio. */
  readonly speaker_id: number | null;
  /** How sure the match is; null where a person said it. */
  readonly accuracy: number | null;
  /** What was learned of the person; null: nothing. */
  readonly personality_traits: JsonObject | null;
}

export interface FaceChange {
  /** The face, within its video. */
  readonly face_id: number;
  /** As it was before the change. */
  readonly before: FaceAttributes;
  /** As it is after the change. */
  readonly after: FaceAttributes;
  /** Who gave the name, before and after; null: as it was. */
  readonly named_by: WhoseName | null;
}

export interface FaceEvidence {
  /** The face, within its video. */
  readonly face_id: number;
  /** When the face is to be seen. */
  readonly tracks: ReadonlyArray<Interval>;
  /** How sure it is that the face speaks, over time. */
  readonly talking: ReadonlyArray<TalkingScore>;
  /** Names on the screen near the face. */
  readonly captions: ReadonlyArray<Caption>;
}

export interface Health {
  /** What became of it, or how far it is. */
  readonly status: 'ok';
}

export interface HistoryEvent {
  /** The position of the event in the log. */
  readonly position: string;
  /** The place of the event in its stream, from 0. */
  readonly revision: number;
  /** The id of the event. */
  readonly event_id: string;
  /** Of what type it is. */
  readonly type: string;
  /** The version of the type. */
  readonly version: number;
  /** When it happened. */
  readonly at: string | null;
  /** The key that caused it, and its account. */
  readonly actor: Actor | null;
  /** The request that caused it. */
  readonly request_id: string | null;
  /** The event or command that caused it. */
  readonly causation_id: string | null;
  /** The facts of the event. */
  readonly data?: unknown;
  /** That its data was erased with the record. */
  readonly erased?: true | undefined;
  /** That its data cannot be read, for the key of the record is missing. */
  readonly key_missing?: true | undefined;
}

export interface IceServer {
  /** The addresses of the server. */
  readonly urls: ReadonlyArray<string>;
  /** The name for the server. */
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

/** A stretch of media time in seconds; `start` is not after `end`. */
export interface Interval {
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
}

export interface IssueKeyBody {
  /** What the key is for, in words of its owner. */
  readonly label?: string | null | undefined;
  /** Whether the key may do everything. */
  readonly admin?: boolean | null | undefined;
  /** What the key may do beside what its account owns. */
  readonly permissions?: ReadonlyArray<Permission> | null | undefined;
  /** For how many seconds the key is valid; null: for ever, or the usual time. */
  readonly expires_in_seconds?: number | null | undefined;
}

export interface LateArrival {
  /** When it happened. */
  readonly at: string;
  /** Why. */
  readonly reason: IgnoredReason;
  /** What became of it, or how far it is. */
  readonly status: 'completed' | 'failed';
  /** Which face was found to be whose. */
  readonly matches: ReadonlyArray<RecordedMatch>;
  /** What went wrong. */
  readonly error: string | null;
}

export interface LateWriteView {
  /** The position of the event in the log. */
  readonly position: string;
  /** When it happened. */
  readonly at: string;
  /** The video. */
  readonly video_id: string | null;
  /** The run. */
  readonly run_id: string;
  /** What became of it, or how far it is. */
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  /** Why. */
  readonly reason: 'run_superseded' | 'run_ended' | 'nothing_to_fail' | null;
  /** Whether the write-back named its run, or was assumed to come from it. */
  readonly attribution: 'own' | 'assumed' | 'unattributed' | 'name_channel' | null;
  /** The runs that could have sent it. */
  readonly candidate_run_ids: ReadonlyArray<string>;
  /** Whether it may have come from a run that was stale. */
  readonly late_write_suspected: boolean;
  /** Whether it came after the run had ended. */
  readonly late: boolean;
  /** Which face was found to be whose. */
  readonly matches: ReadonlyArray<{
    /** The face, within its video. */
    readonly face_id: number;
    /** The speaker, within its audio. */
    readonly speaker_id: number;
    /** How sure the match is; null where a person said it. */
    readonly accuracy: number | null;
  }>;
  /** Each face before and after. */
  readonly changes: ReadonlyArray<FaceChange>;
  /** When it was reverted; null: it was not. */
  readonly reverted_at: string | null;
  /** The key that caused it, and its account. */
  readonly actor: {
    /** The id of the key, which is not the key itself. */
    readonly key_id: string;
    /** The account. */
    readonly account_id: string;
  };
  /** The request that caused it. */
  readonly request_id: string;
}

/** What credits were booked for. */
export type LedgerCategory = 'grant' | 'correction' | 'name_inference' | 'realtime';

export interface LedgerEntry {
  /** The id of the entry. */
  readonly entry_id: string;
  /** When it happened. */
  readonly at: string;
  /** Of what kind it is. */
  readonly kind: 'grant' | 'charge' | 'correction';
  /** The group that it belongs to. */
  readonly category: LedgerCategory;
  /** A number of credits. */
  readonly amount: number;
  /** The balance after this entry, in credits. */
  readonly balance_after: number;
  /** Why. */
  readonly reason: string;
  /** The request that caused it. */
  readonly request_id: string;
  /** The run. */
  readonly run_id?: string | undefined;
  /** The realtime session. */
  readonly session_id?: string | undefined;
  /** The audio. */
  readonly audio_id?: string | undefined;
}

export interface LinkDecision {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** The face, within its video. */
  readonly face_id: number | null;
  /** Whether it is so or is not. */
  readonly verdict: 'confirmed' | 'rejected';
  /** The account that decided it. */
  readonly by: string;
  /** When it happened. */
  readonly at: string;
  /** The position of the event in the log. */
  readonly position: string;
  /** Whether it was a decision, or a PUT of matches. */
  readonly via: 'decision' | 'put';
}

/** Whether a face belongs to a speaker. */
export type LinkVerdict = 'confirmed' | 'rejected';

export interface ListedVideo {
  /** The video. */
  readonly video_id: string;
  /** The account that owns it. */
  readonly owner_id: string;
  /** The title; null: it has none. */
  readonly title: string | null;
  /** Of what kind it is. */
  readonly kind: MediaKind;
  /** Where people can play it; the service never fetches it. */
  readonly media_url: string | null;
  /** What became of it, or how far it is. */
  readonly status: ProcessingStatus;
  /** The audio. */
  readonly audio_id: string | null;
  /** The faces of the video. */
  readonly faces: ReadonlyArray<{
    /** The id, within its record. */
    readonly id: number;
    /** The name; null: none is known. */
    readonly name: string | null;
    /** The speaker, within its audio. */
    readonly speaker_id: number | null;
    /** How sure the match is; null where a person said it. */
    readonly accuracy: number | null;
    /** What was learned of the person; null: nothing. */
    readonly personality_traits: JsonObject | null;
  }>;
  /** The newest match run, and the block of suggestions. */
  readonly speaker_face_match: {
    /** What became of it, or how far it is. */
    readonly status: 'queue' | 'completed' | 'failed' | null;
    /** When the run was queued. */
    readonly queued_at: string | null;
    /** Whether the run suggests or commits. */
    readonly mode: 'suggest' | 'commit' | null;
    /** The block of the last suggest run; null: there is none. */
    readonly suggestions: SuggestionBlock | null;
  };
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** The tags. */
  readonly tags: ReadonlyArray<TagView>;
  /** The record of the audio; null where the video has none. */
  readonly audio?: AudioRecord | null | undefined;
}

export interface LoggedEvent {
  /** The position of the event in the log. */
  readonly position: string;
  /** The place of the event in its stream, from 0. */
  readonly revision: number;
  /** The id of the event. */
  readonly event_id: string;
  /** Of what type it is. */
  readonly type: string;
  /** The version of the type. */
  readonly version: number;
  /** When it happened. */
  readonly at: string | null;
  /** The key that caused it, and its account. */
  readonly actor: Actor | null;
  /** The request that caused it. */
  readonly request_id: string | null;
  /** The event or command that caused it. */
  readonly causation_id: string | null;
  /** The facts of the event. */
  readonly data?: unknown;
  /** The stream that the event belongs to. */
  readonly stream: string;
  /** That its data was erased with the record. */
  readonly erased?: true | undefined;
  /** That its data cannot be read, for the key of the record is missing. */
  readonly key_missing?: true | undefined;
}

export interface MakeKeyBody {
  /** What the key is for, in words of its owner. */
  readonly label?: string | null | undefined;
  /** Whether the key may do everything. */
  readonly admin?: boolean | null | undefined;
  /** What the key may do beside what its account owns. */
  readonly permissions?: ReadonlyArray<Permission> | null | undefined;
  /** For how many seconds the key is valid; null: for ever, or the usual time. */
  readonly expires_in_seconds?: number | null | undefined;
}

export interface Mapping {
  /** The face, within its video. */
  readonly face_id: number;
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** The name; null: none is known. */
  readonly name?: string | null | undefined;
}

export interface MatchCandidate {
  /** The face, within its video. */
  readonly face_id: number;
  /** How sure the match is; null where a person said it. */
  readonly accuracy: number;
  /** The speaker whom the face is matched to instead. */
  readonly matched_speaker_id: number | null;
}

/** What a match was found by: equal names, or a face and a voice at the same time. */
export type MatchChannel = 'name' | 'co_occurrence';

export interface MatchFacesBody {
  /** Which face is whose. */
  readonly mappings: ReadonlyArray<Mapping>;
}

/** A search for the faces of speakers, from its beginning to its end. */
export interface MatchRun {
  /** The run. */
  readonly run_id: string;
  /** The video. */
  readonly video_id: string | null;
  /** The audio. */
  readonly audio_id: string | null;
  /** Whether the run suggests or commits. */
  readonly mode: 'suggest' | 'commit' | null;
  /** The speakers that it is about; null or absent: all. */
  readonly target_speaker_ids: ReadonlyArray<number> | null;
  /** When the run was queued. */
  readonly queued_at: string | null;
  /** How the run ended; null while it has not. */
  readonly outcome: 'completed' | 'failed' | 'erased' | null;
  /** When it ended; null while it has not. */
  readonly ended_at: string | null;
  /** Whether the write-back named its run, or was assumed to come from it. */
  readonly attribution: 'own' | 'assumed' | 'unattributed' | 'name_channel' | null;
  /** The runs that could have sent it. */
  readonly candidate_run_ids: ReadonlyArray<string>;
  /** Whether it may have come from a run that was stale. */
  readonly late_write_suspected: boolean;
  /** Whether it came after the run had ended. */
  readonly late: boolean;
  /** What went wrong. */
  readonly error: string | null;
  /** The newer run that took over; null: none did. */
  readonly superseded_by: string | null;
  /** When a newer run took over; null: none did. */
  readonly superseded_at: string | null;
  /** The faces that the write-back changed. */
  readonly changed_faces: ReadonlyArray<number>;
  /** When it was reverted; null: it was not. */
  readonly reverted_at: string | null;
  /** Write-backs that changed nothing. */
  readonly late_arrivals: ReadonlyArray<LateArrival>;
  /** How it stands now. */
  readonly state: RunState;
  /** What people decided. */
  readonly decisions: ReadonlyArray<LinkDecision>;
}

export interface MatchRunBody {
  /** The speakers that it is about; null or absent: all. */
  readonly target_speaker_ids?: ReadonlyArray<number> | null | undefined;
}

export interface Me {
  /** The account. */
  readonly account_id: string;
  /** The name; null: none is known. */
  readonly name: string | null;
  /** The id of the key, which is not the key itself. */
  readonly key_id: string;
  /** What the key is for, in words of its owner. */
  readonly label: string | null;
  /** Whether the key may do everything. */
  readonly admin: boolean;
  /** What the key may do beside what its account owns. */
  readonly permissions: ReadonlyArray<Permission>;
  /** Until when it is valid; null: for ever. */
  readonly expires_at: string | null;
  /** What the account has left, in credits. */
  readonly balance: number;
  /** When it was created. */
  readonly created_at: string | null;
}

/** Where a recording comes from. */
export type MediaKind = 'upload' | 'meeting';

export interface MergeSpeakersBody {
  /** Where it begins, or the speaker who is merged. */
  readonly from: number;
  /** The speaker who stays. */
  readonly into: number;
}

export interface MergedSpeakers {
  /** What became of it, or how far it is. */
  readonly status: 'completed';
  /** Where it begins, or the speaker who is merged. */
  readonly from: number;
  /** The speaker who stays. */
  readonly into: number;
}

/** Whether names can be inferred of an audio, and if not, why. */
export interface NameInference {
  /** Whether names can be inferred. */
  readonly eligible: boolean;
  /** All that keeps from it. */
  readonly reasons: ReadonlyArray<IneligibleReason>;
}

export interface NameInferenceBody {
  /** The speakers that it is about; null or absent: all. */
  readonly target_speaker_ids: ReadonlyArray<number>;
  /** Whether roles are asked for as well. */
  readonly infer_roles?: boolean | undefined;
}

/** Why a name does not stand. */
export type NameReason =
  | 'no_proposal'
  | 'quote_not_found'
  | 'name_not_in_quote'
  | 'wrong_speaker'
  | 'not_a_person_name'
  | 'duplicate_name'
  | 'conflicting_evidence';

/** Whose name a face has: of an analysis, a person, or a speaker. */
export type NamedBy = 'person' | 'speaker' | 'analysis';

export interface NamedFace {
  /** The face, within its video. */
  readonly face_id: number;
  /** The name; null: none is known. */
  readonly name: string;
}

export interface NewKey {
  /** The id of the key, which is not the key itself. */
  readonly key_id: string;
  /** The key. */
  readonly key: string;
  /** What the key is for, in words of its owner. */
  readonly label: string | null;
  /** Whether the key may do everything. */
  readonly admin: boolean;
  /** What the key may do beside what its account owns. */
  readonly permissions: ReadonlyArray<Permission>;
  /** The account. */
  readonly account_id: string;
  /** Until when it is valid; null: for ever. */
  readonly expires_at: string | null;
  /** When it was created. */
  readonly created_at: string;
}

export interface NewSession {
  /** The realtime session. */
  readonly session_id: string;
  /** The token of the session. */
  readonly token: string;
  /** Until when the token is valid. */
  readonly token_expires_at: string;
  /** Servers through which media find their way, as `RTCPeerConnection` takes them. */
  readonly ice_servers: ReadonlyArray<IceServer>;
  /** Where the results socket is. */
  readonly results_url: string;
  /** Until when it is valid; null: for ever. */
  readonly expires_at: string;
}

export interface OfferBody {
  /** Of what type it is. */
  readonly type: 'offer';
  /** The session description of WebRTC. */
  readonly sdp: string;
}

export interface OpenAccountBody {
  /** The account. */
  readonly account_id?: string | null | undefined;
  /** The name; null: none is known. */
  readonly name?: string | null | undefined;
}

export type Permission = 'MEDIA_WRITE' | 'WORKER';

export interface PersonalityTraits {
  /** What was learned of the person; null: nothing. */
  readonly personality_traits: JsonObject;
}

export interface PersonalityTraitsBody {
  /** What was learned of the person; null: nothing. */
  readonly personality_traits: JsonObject;
}

/** How far the analysis of a recording is. */
export type ProcessingStatus = 'queue' | 'processing' | 'completed' | 'failed';

export interface ProviderTagsBody {
  /** Where the tag comes from: `importer.<name>` or `user.<account>`. */
  readonly source: string;
  /** The tags. */
  readonly tags: ReadonlyArray<{
    /** The key. */
    readonly key: string;
    /** The value of the tag, of the kind that the registry says. */
    readonly value: unknown;
  }>;
  /** Answers the same and writes nothing. */
  readonly dry_run?: boolean | null | undefined;
}

/** A speaker of a video whose face is to be found by a person. */
export interface Question {
  /** Of what kind it is. */
  readonly kind: 'link' | 'name';
  /** The video. */
  readonly video_id: string;
  /** The audio. */
  readonly audio_id: string | null;
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** The likeliest faces, the best first. */
  readonly candidates: ReadonlyArray<{
    /** The face, within its video. */
    readonly face_id: number;
    /** How sure the match is; null where a person said it. */
    readonly accuracy: number;
  }>;
  /** How likely it is that the speaker is not to be seen. */
  readonly nobody: number;
  /** How many links are expected to become right by the answer. */
  readonly gain: number;
  /** What speaks for it. */
  readonly evidence: JsonObject;
  /** Names of the speaker that wait for a decision. */
  readonly names?: ReadonlyArray<QuestionName> | undefined;
}

export interface QuestionName {
  /** The name; null: none is known. */
  readonly name: string;
  /** Where the tag comes from: `importer.<name>` or `user.<account>`. */
  readonly source: 'inference' | 'caption';
  /** The words that tell the name. */
  readonly quote?: string | undefined;
  /** Where the quote is. */
  readonly quote_location?: QuoteLocation | undefined;
}

/** Which utterance a quote is from, and its times. */
export interface QuoteLocation {
  /** The place in the transcript as it was sent, from 0. */
  readonly index: number;
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
}

export interface Readiness {
  /** What became of it, or how far it is. */
  readonly status: 'ready' | 'not_ready';
  /** All that keeps from it. */
  readonly reasons?: ReadonlyArray<string> | undefined;
  /** What an operator should know. */
  readonly warnings?: ReadonlyArray<string> | undefined;
}

export interface RecordFields {
  /** Of what kind of thing the fields are. */
  readonly record: 'face' | 'speaker' | 'tag' | 'video' | 'audio';
  /** The id, within its record. */
  readonly id: number | string;
  /** The fields by their names. */
  readonly fields: ReadonlyArray<string>;
}

export interface RecordedMatch {
  /** The face, within its video. */
  readonly face_id: number;
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** How sure the match is; null where a person said it. */
  readonly accuracy: number;
}

export interface RecordedSpeaker {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** The name; null: none is known. */
  readonly name: string | null;
  /** What the speaker is in the call; null: not known. */
  readonly role: 'agent' | 'customer' | null;
  /** Whether it is a synthetic track, and nobody speaks. */
  readonly synthetic: boolean;
  /** The person of the deal who the speaker is. */
  readonly deal_person_id: string | null;
}

export interface RegisterAudioBody {
  /** The audio. */
  readonly audio_id?: string | null | undefined;
  /** The title; null: it has none. */
  readonly title?: string | null | undefined;
  /** The video. */
  readonly video_id?: string | null | undefined;
  /** Of what kind it is. */
  readonly kind?: 'upload' | 'meeting' | null | undefined;
  /** The persons whom the conversation is about or with. */
  readonly deal_persons?: ReadonlyArray<DealPerson> | null | undefined;
}

export interface RegisterVideoBody {
  /** The video. */
  readonly video_id?: string | null | undefined;
  /** The title; null: it has none. */
  readonly title?: string | null | undefined;
  /** Of what kind it is. */
  readonly kind?: 'upload' | 'meeting' | null | undefined;
  /** Where people can play it; the service never fetches it. */
  readonly media_url?: string | null | undefined;
  /** The audio. */
  readonly audio_id?: string | null | undefined;
}

export interface RemovedTag {
  /** What became of it, or how far it is. */
  readonly status: 'completed';
  /** The key. */
  readonly key: string;
}

export interface RenamedSpeakers {
  /** The speakers of the audio. */
  readonly speakers: ReadonlyArray<{
    /** The speaker, within its audio. */
    readonly speaker_id: number;
    /** The name; null: none is known. */
    readonly name: string;
  }>;
  /** What was left out. */
  readonly skipped: ReadonlyArray<number>;
}

export interface ReplacedTranscript {
  /** What became of it, or how far it is. */
  readonly status: 'completed';
  /** How many utterances the transcript has. */
  readonly utterances: number;
}

/** What came of the inference for one speaker: a name with its evidence, or the reason why there is none. */
export interface ResultRow {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** The video. */
  readonly video_id: string | null;
  /** The name; null: none is known. */
  readonly name?: string | undefined;
  /** The words that tell the name. */
  readonly quote?: string | undefined;
  /** How the quote tells the name. */
  readonly pattern?: EvidencePattern | undefined;
  /** Where the quote is. */
  readonly quote_location?: QuoteLocation | undefined;
  /** Why. */
  readonly reason?: NameReason | undefined;
  /** Whether the role stands by its evidence. */
  readonly role_accepted?: boolean | undefined;
  /** What the speaker is in the call; null: not known. */
  readonly role?: SpeakerRole | undefined;
  /** The words that tell the role. */
  readonly role_quote?: string | undefined;
  /** Where the quote of the role is. */
  readonly role_quote_location?: QuoteLocation | undefined;
  /** Why the role does not stand. */
  readonly role_reason?: RoleReason | undefined;
}

export interface Retention {
  /** After how many days without an event a recording is erased; null: never. */
  readonly days: number | null;
}

export interface RetentionBody {
  /** After how many days without an event a recording is erased; null: never. */
  readonly days: number | null;
}

export interface RevertBody {
  /** Answers the same and writes nothing. */
  readonly dry_run?: boolean | null | undefined;
}

export interface RevertedChange {
  /** What became of it, or how far it is. */
  readonly status: 'reverted';
  /** The position of the event in the log. */
  readonly position: string;
  /** What was put back. */
  readonly reverted: ReadonlyArray<RecordFields>;
  /** What was left alone, because it was changed since. */
  readonly changed_since: ReadonlyArray<RecordFields>;
}

export interface RevertedRun {
  /** The run. */
  readonly run_id: string;
  /** What became of it, or how far it is. */
  readonly status: 'reverted';
  /** What was put back. */
  readonly reverted: ReadonlyArray<number>;
  /** What was left alone, because it was changed since. */
  readonly changed_since: ReadonlyArray<number>;
}

export interface RevokedKey {
  /** The id of the key, which is not the key itself. */
  readonly key_id: string;
  /** When the key was revoked; null: it was not. */
  readonly revoked_at: string;
}

/** Why a role does not stand. */
export type RoleReason = 'role_already_set' | 'no_role_proposal' | 'role_quote_not_found' | 'role_wrong_speaker';

/** Where a match run is between its beginning and its end. */
export type RunState = 'in_flight' | 'stale' | 'completed' | 'failed' | 'superseded' | 'erased';

export interface Segment {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
}

export interface Session {
  /** The realtime session. */
  readonly session_id: string;
  /** What became of it, or how far it is. */
  readonly status: 'created' | 'negotiated' | 'connected' | 'disconnected';
  /** When it was created. */
  readonly created_at: string;
  /** What was charged, in credits. */
  readonly credits_charged: number;
}

export interface SessionAnswer {
  /** Of what type it is. */
  readonly type: 'answer';
  /** The session description of WebRTC. */
  readonly sdp: string;
}

export interface SessionPrice {
  /** What a minute costs, in credits. */
  readonly price_per_minute: number;
  /** What the account has left, in credits. */
  readonly balance: number;
}

export interface SessionToken {
  /** The token of the session. */
  readonly token: string;
  /** Until when the token is valid. */
  readonly token_expires_at: string;
}

export interface SkippedMatch {
  /** The face, within its video. */
  readonly face_id: number;
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** Why. */
  readonly reason: 'pair_rejected' | 'speaker_not_seen' | 'speaker_confirmed' | 'face_confirmed';
}

/** What a speaker is in a call. */
export type SpeakerRole = 'agent' | 'customer';

export interface SpeakerRoles {
  /** The speakers of the audio. */
  readonly speakers: ReadonlyArray<{
    /** The speaker, within its audio. */
    readonly speaker_id: number;
    /** What the speaker is in the call; null: not known. */
    readonly role: 'agent' | 'customer' | null;
  }>;
  /** What was left out. */
  readonly skipped: ReadonlyArray<number>;
}

export interface SpeakerTurn {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
}

export interface SpendingWindow {
  /** What may be spent in the period, in credits; null: there is no limit. */
  readonly limit: number | null;
  /** The length of the period, in seconds. */
  readonly period_seconds: number | null;
}

/** `limit: null` asks for no window, whatever else is given. */
export interface SpendingWindowBody {
  readonly limit: number | null;
  readonly period_seconds?: number | undefined;
}

export interface StartedRun {
  /** The video. */
  readonly video_id: string;
  /** The audio. */
  readonly audio_id: string | null;
  /** What became of it, or how far it is. */
  readonly status: 'processing';
  /** What is wrong, or was done, for people. */
  readonly message: string;
  /** The run. */
  readonly run_id: string;
}

/** How far the analysis of a recording is. */
export interface StatusOfMedium {
  /** What became of it, or how far it is. */
  readonly status: ProcessingStatus;
}

/** How far the newest match run of a video is. */
export interface StatusOfRun {
  /** The status of the newest match run; null: there was none. */
  readonly speaker_face_match_status: 'queue' | 'completed' | 'failed' | null;
  /** When the run was queued. */
  readonly queued_at: string | null;
  /** Whether the run suggests or commits. */
  readonly mode: 'suggest' | 'commit' | null;
  /** The run. */
  readonly run_id: string | null;
  /** Whether a run is in flight. */
  readonly in_flight: boolean;
  /** Whether the run was queued so long ago that it counts no more. */
  readonly stale: boolean;
}

export type Statuses = StatusOfMedium | StatusOfRun;

export interface SuggestedMapping {
  /** The face, within its video. */
  readonly face_id: number;
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** The name; null: none is known. */
  readonly name: string | null;
  /** How sure the match is; null where a person said it. */
  readonly accuracy: number | null;
  /** What the match was found by. */
  readonly channel: MatchChannel;
  /** What speaks for it. */
  readonly evidence: JsonObject;
}

/** What a suggest run found: likely matches, and who is left over. */
export interface SuggestionBlock {
  /** The run. */
  readonly run_id: string;
  /** When the run answered. */
  readonly generated_at: string;
  /** Which face is whose. */
  readonly mappings: ReadonlyArray<SuggestedMapping>;
  /** Speakers to whom none of the faces belongs, each with the reason. */
  readonly unmatched_speakers: ReadonlyArray<UnmatchedSpeaker>;
  /** Faces that belong to none of the speakers. */
  readonly unmatched_faces: ReadonlyArray<number>;
}

/** The group of a tag, which says who may write it. */
export type TagCategory = 'provider' | 'demographic' | 'survey' | 'system' | 'label' | 'user';

export interface TagRegistry {
  /** The entries. */
  readonly entries: ReadonlyArray<TagRegistryEntry>;
}

export interface TagRegistryBody {
  /** The group that it belongs to. */
  readonly category: TagCategory;
  /** Of what kind the values are. */
  readonly value_type: TagValueType;
  /** What the tag says. */
  readonly description?: string | null | undefined;
}

export interface TagRegistryEntry {
  /** The key. */
  readonly key: string;
  /** The group that it belongs to. */
  readonly category: TagCategory;
  /** Of what kind the values are. */
  readonly value_type: TagValueType;
  /** What the tag says. */
  readonly description: string | null;
}

/** A text, a number, true or false, or a list of texts, as the registry says. */
export type TagValue = string | number | boolean | ReadonlyArray<string>;

/** Of what kind the values of a tag are. */
export type TagValueType = 'string' | 'number' | 'boolean' | 'string_list';

export interface TagView {
  /** The key. */
  readonly key: string;
  /** The value of the tag, of the kind that the registry says. */
  readonly value: TagValue;
  /** The group that it belongs to. */
  readonly category: TagCategory;
  /** Where the tag comes from: `importer.<name>` or `user.<account>`. */
  readonly source: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** The account that wrote it. */
  readonly updated_by: string;
}

export interface TalkingScore {
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
  /** How sure it is that the face speaks. */
  readonly score: number;
}

export interface TranscriptBody {
  /** What was said, in order. */
  readonly transcript: ReadonlyArray<Utterance>;
}

export interface TranscriptUtterance {
  /** The place in the transcript as it was sent, from 0. */
  readonly index: number;
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
  /** What was said, or is to be read. */
  readonly text: string;
}

export interface UnmatchedFace {
  /** What became of it, or how far it is. */
  readonly status: 'completed';
  /** The face as it is now. */
  readonly face: Face | null;
}

export interface UnmatchedSpeaker {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** Why. */
  readonly reason: string;
  /** The likeliest faces, the best first. */
  readonly candidates?: ReadonlyArray<MatchCandidate> | undefined;
  /** How likely it is that the speaker is not to be seen. */
  readonly nobody?: number | undefined;
}

export interface Usage {
  /** Where it begins, or the speaker who is merged. */
  readonly from: string | null;
  /** Where it ends. */
  readonly to: string | null;
  /** The sums of each group, in ascending order. */
  readonly groups: ReadonlyArray<UsageGroup>;
  /** All charges of the time. */
  readonly total: UsageTotal;
}

export interface UsageGroup {
  /** How many charges there were. */
  readonly charges: number;
  /** A number of credits. */
  readonly amount: number;
  /** The day, in UTC. */
  readonly day?: string | undefined;
  /** The month, in UTC. */
  readonly month?: string | undefined;
  /** The group that it belongs to. */
  readonly category?: string | undefined;
  /** The id of the key, which is not the key itself. */
  readonly key_id?: string | undefined;
}

/** All charges of a time, summed. */
export interface UsageTotal {
  /** How many charges there were. */
  readonly charges: number;
  /** A number of credits. */
  readonly amount: number;
}

export interface UserTagsBody {
  /** The tags. */
  readonly tags: ReadonlyArray<{
    /** The key. */
    readonly key: string;
    /** The value of the tag, of the kind that the registry says. */
    readonly value: unknown;
  }>;
  /** Answers the same and writes nothing. */
  readonly dry_run?: boolean | null | undefined;
}

export interface Utterance {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** What was said, or is to be read. */
  readonly text: string;
  /** Where it begins, in seconds of the medium. */
  readonly start: number;
  /** Where it ends, in seconds of the medium. */
  readonly end: number;
}

export interface VideoAnalysisBody {
  /** What became of it, or how far it is. */
  readonly status: ProcessingStatus;
  /** The faces of the video. */
  readonly faces: ReadonlyArray<{
    /** The id, within its record. */
    readonly id: number;
    /** When the face is to be seen. */
    readonly tracks: ReadonlyArray<Interval>;
    /** The name; null: none is known. */
    readonly name?: string | null | undefined;
    /** What was learned of the person; null: nothing. */
    readonly personality_traits?: JsonObject | null | undefined;
    /** How sure it is that the face speaks, over time. */
    readonly talking?: ReadonlyArray<TalkingScore> | null | undefined;
    /** Names on the screen near the face. */
    readonly captions?: ReadonlyArray<Caption> | null | undefined;
  }>;
}

export interface VideoDetailsBody {
  /** The title; null: it has none. */
  readonly title?: string | null | undefined;
  /** Where people can play it; the service never fetches it. */
  readonly media_url?: string | null | undefined;
}

/** A video with its faces. */
export interface VideoRecord {
  /** The video. */
  readonly video_id: string;
  /** The account that owns it. */
  readonly owner_id: string;
  /** The title; null: it has none. */
  readonly title: string | null;
  /** Of what kind it is. */
  readonly kind: MediaKind;
  /** Where people can play it; the service never fetches it. */
  readonly media_url: string | null;
  /** What became of it, or how far it is. */
  readonly status: ProcessingStatus;
  /** The audio. */
  readonly audio_id: string | null;
  /** The faces of the video. */
  readonly faces: ReadonlyArray<{
    /** The id, within its record. */
    readonly id: number;
    /** The name; null: none is known. */
    readonly name: string | null;
    /** The speaker, within its audio. */
    readonly speaker_id: number | null;
    /** How sure the match is; null where a person said it. */
    readonly accuracy: number | null;
    /** What was learned of the person; null: nothing. */
    readonly personality_traits: JsonObject | null;
  }>;
  /** The newest match run, and the block of suggestions. */
  readonly speaker_face_match: {
    /** What became of it, or how far it is. */
    readonly status: 'queue' | 'completed' | 'failed' | null;
    /** When the run was queued. */
    readonly queued_at: string | null;
    /** Whether the run suggests or commits. */
    readonly mode: 'suggest' | 'commit' | null;
    /** The block of the last suggest run; null: there is none. */
    readonly suggestions: SuggestionBlock | null;
  };
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** The tags. */
  readonly tags: ReadonlyArray<TagView>;
}

/** Whose name a face had before a change, and after it. */
export interface WhoseName {
  /** As it was before the change. */
  readonly before: NamedBy;
  /** As it is after the change. */
  readonly after: NamedBy;
}

/** What may be spent in a period, and was. */
export interface WindowOfSpending {
  /** What may be spent in the period, in credits; null: there is no limit. */
  readonly limit: number;
  /** The length of the period, in seconds. */
  readonly period_seconds: number;
  /** What was spent in the period, in credits. */
  readonly spent: number;
}

export interface WriteBackBody {
  /** The run. */
  readonly run_id?: string | null | undefined;
  /** What became of it, or how far it is. */
  readonly status?: 'completed' | 'failed' | null | undefined;
  /** What went wrong. */
  readonly error?: string | null | undefined;
  /** Which face was found to be whose. */
  readonly matches?:
    | ReadonlyArray<{
        /** The face, within its video. */
        readonly face_id: number;
        /** The speaker, within its audio. */
        readonly speaker_id: number;
        /** How sure the match is; null where a person said it. */
        readonly accuracy: number;
        /** What the match was found by. */
        readonly channel?: 'name' | 'co_occurrence' | null | undefined;
        /** What speaks for it. */
        readonly evidence?: JsonObject | null | undefined;
      }>
    | null
    | undefined;
  /** Speakers to whom none of the faces belongs, each with the reason. */
  readonly unmatched_speakers?:
    | ReadonlyArray<{
        /** The speaker, within its audio. */
        readonly speaker_id: number;
        /** Why. */
        readonly reason: string;
        /** The likeliest faces, the best first. */
        readonly candidates?:
          | ReadonlyArray<{
              /** The face, within its video. */
              readonly face_id: number;
              /** How sure the match is; null where a person said it. */
              readonly accuracy: number;
              /** The speaker whom the face is matched to instead. */
              readonly matched_speaker_id?: number | null | undefined;
            }>
          | null
          | undefined;
        /** How likely it is that the speaker is not to be seen. */
        readonly nobody?: number | null | undefined;
      }>
    | null
    | undefined;
}

export interface WriteBackReceipt {
  /** What became of it, or how far it is. */
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  /** The run. */
  readonly run_id: string | null;
  /** Why. */
  readonly reason?: IgnoredReason | undefined;
  /** What was left out. */
  readonly skipped?: ReadonlyArray<SkippedMatch> | undefined;
}

/** A rejection names a face. */
export interface WrittenDecision {
  /** The speaker, within its audio. */
  readonly speaker_id: number;
  /** The face, within its video. */
  readonly face_id: number | null;
  /** Whether it is so or is not. */
  readonly verdict: LinkVerdict;
}

export interface WrittenTags {
  /** What became of it, or how far it is. */
  readonly status: 'completed';
  /** The keys that are new. */
  readonly created: ReadonlyArray<string>;
  /** The keys whose values are others now. */
  readonly updated: ReadonlyArray<string>;
  /** The keys whose values stood there already. */
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
    /** Show an audio: `GET /v2/audios/{audio_id}` */
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
        /** The face, within its video. */
        readonly face_id: number;
        /** The name; null: none is known. */
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
  readonly retention: {
    /** Set how long media are kept: `PUT /v1/accounts/{account_id}/retention` */
    set(account_id: string, body: RetentionBody, options?: CallOptions): Call<Retention>;
    /** Show how long media are kept: `GET /v1/accounts/{account_id}/retention` */
    get(account_id: string, options?: CallOptions): Call<Retention>;
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
        readonly state?: 'in_flight' | 'stale' | 'completed' | 'failed' | 'superseded' | 'erased' | undefined;
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
    /** Erase a session that has ended: `DELETE /v2/realtime/session/{session_id}` */
    erase(session_id: string, options?: CallOptions): Call<ErasedSession>;
    /** Show a session: `GET /v2/realtime/session/{session_id}` */
    get(session_id: string, options?: CallOptions): Call<Session>;
    /** Negotiate media: `POST /v2/realtime/session/{session_id}/offer` */
    offer(session_id: string, body: OfferBody, options?: CallOptions): Call<SessionAnswer>;
    /** Add an ICE candidate: `POST /v2/realtime/session/{session_id}/ice` */
    addCandidate(session_id: string, body: CandidateBody, options?: CallOptions): Call<AcceptedCandidate>;
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
        /** The speaker, within its audio. */
        readonly speaker_id: number;
        /** The name; null: none is known. */
        readonly name: string;
      }>,
      options?: CallOptions,
    ): Call<RenamedSpeakers>;
    /** Set roles of speakers: `PUT /v1/audios/{audio_id}/speakers/roles` */
    setRoles(
      audio_id: string,
      body: ReadonlyArray<{
        /** The speaker, within its audio. */
        readonly speaker_id: number;
        /** What the speaker is in the call; null: not known. */
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
    /** Show a video: `GET /v2/videos/{video_id}` */
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
  'keys.revoke',
  'retention.get',
  'me.get',
  'me.revokeKey',
  'credits.get',
]);
