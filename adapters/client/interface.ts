import type { OperationId } from '../runtime/operations.js';
import type { Call } from './call.js';
import type { Pager } from './pager.js';
import type { CallOptions } from './request.js';

export type JsonObject = { readonly [key: string]: unknown };
export type ProcessingStatus = 'queue' | 'processing' | 'completed' | 'failed';
export type SpeakerRole = 'agent' | 'customer';
export interface Interval {
  readonly start: number;
  readonly end: number;
}
export interface Face {
  readonly id: number;
  readonly name: string | null;
  readonly speaker_id: number | null;
  readonly accuracy: number | null;
  readonly personality_traits: JsonObject | null;
}
export interface Tag {
  readonly key: string;
  readonly value: string | number | boolean | ReadonlyArray<string>;
  readonly category: string;
  readonly source: string;
  readonly updated_at: string;
  readonly updated_by: string;
}
/** What an erasure is answered with; `receipt` names the event of the log. */
export interface Erased {
  readonly status: 'erased';
  readonly erased_at: string;
  readonly receipt: { readonly position: string; readonly event_id: string };
}
export interface Mapping {
  readonly face_id: number;
  readonly speaker_id: number;
  readonly name: string | null;
  readonly accuracy: number | null;
  readonly channel: 'name' | 'co_occurrence';
  readonly evidence: JsonObject;
}
export interface MatchCandidate {
  readonly face_id: number;
  readonly accuracy: number;
  readonly matched_speaker_id: number | null;
}
export interface UnmatchedSpeaker {
  readonly speaker_id: number;
  readonly reason: string;
  readonly candidates?: ReadonlyArray<MatchCandidate>;
  readonly nobody?: number;
}
export interface SuggestionBlock {
  readonly run_id: string;
  readonly generated_at: string;
  readonly mappings: ReadonlyArray<Mapping>;
  readonly unmatched_speakers: ReadonlyArray<UnmatchedSpeaker>;
  readonly unmatched_faces: ReadonlyArray<number>;
}
export interface Video {
  readonly video_id: string;
  readonly owner_id: string;
  readonly title: string | null;
  readonly kind: 'upload' | 'meeting';
  readonly media_url: string | null;
  readonly status: ProcessingStatus;
  readonly audio_id: string | null;
  readonly faces: ReadonlyArray<Face>;
  readonly speaker_face_match: {
    readonly status: 'queue' | 'completed' | 'failed' | null;
    readonly queued_at: string | null;
    readonly mode: 'suggest' | 'commit' | null;
    readonly suggestions: SuggestionBlock | null;
  };
  readonly created_at: string;
  readonly updated_at: string;
  readonly tags: ReadonlyArray<Tag>;
  readonly audio?: Audio | null;
}
export interface Speaker {
  readonly speaker_id: number;
  readonly name: string | null;
  readonly role: SpeakerRole | null;
  readonly synthetic: boolean;
  readonly deal_person_id?: string | null;
}
export interface Audio {
  readonly audio_id: string;
  readonly owner_id: string;
  readonly title: string | null;
  readonly status: ProcessingStatus;
  readonly kind: 'upload' | 'meeting';
  readonly video_id: string | null;
  readonly speakers: ReadonlyArray<Speaker>;
  readonly transcript_available: boolean;
  readonly provider_supplied: boolean;
  readonly transcript_replaced: boolean;
  readonly speech_segments: string | null;
  readonly manual_name_inference_runs: ReadonlyArray<{
    readonly run_id: string;
    readonly at: string;
    readonly by: string;
    readonly target_speaker_ids: ReadonlyArray<number>;
    readonly results: ReadonlyArray<NameRow>;
  }>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name_inference: { readonly eligible: boolean; readonly reasons: ReadonlyArray<string> };
}
export interface QuoteLocation {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}
export interface NameRow {
  readonly speaker_id: number;
  readonly video_id: string | null;
  readonly name?: string;
  readonly quote?: string;
  readonly pattern?: string;
  readonly quote_location?: QuoteLocation;
  readonly reason?: string;
  readonly role_accepted?: boolean;
  readonly role?: SpeakerRole;
  readonly role_quote?: string;
  readonly role_quote_location?: QuoteLocation;
  readonly role_reason?: string;
}
export interface LinkDecision {
  readonly speaker_id: number;
  readonly face_id: number | null;
  readonly verdict: 'confirmed' | 'rejected';
  readonly by: string;
  readonly at: string;
  readonly position: string;
  readonly via: 'decision' | 'put';
}
export interface MatchRun {
  readonly run_id: string;
  readonly video_id: string | null;
  readonly audio_id: string | null;
  readonly mode: 'suggest' | 'commit' | null;
  readonly target_speaker_ids: ReadonlyArray<number> | null;
  readonly queued_at: string | null;
  readonly outcome: 'completed' | 'failed' | 'erased' | null;
  readonly ended_at: string | null;
  readonly state: 'in_flight' | 'stale' | 'completed' | 'failed' | 'superseded' | 'erased';
  readonly attribution: string | null;
  readonly candidate_run_ids: ReadonlyArray<string>;
  readonly late_write_suspected: boolean;
  readonly late: boolean;
  readonly error: string | null;
  readonly superseded_by: string | null;
  readonly superseded_at: string | null;
  readonly changed_faces: ReadonlyArray<number>;
  readonly reverted_at: string | null;
  readonly late_arrivals: ReadonlyArray<JsonObject>;
  readonly decisions: ReadonlyArray<LinkDecision>;
}
export interface RecordedEvent {
  readonly position: string;
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly at: string;
  readonly actor: { readonly key_id: string; readonly account_id: string };
  readonly request_id: string;
  readonly causation_id: string;
  readonly data: JsonObject;
  readonly stream?: string;
}
export interface RecordFields {
  readonly record: 'face' | 'speaker' | 'tag' | 'video' | 'audio';
  readonly id: number | string;
  readonly fields: ReadonlyArray<string>;
}
export interface Reverted {
  readonly status: 'reverted';
  readonly position: string;
  readonly reverted: ReadonlyArray<RecordFields>;
  readonly changed_since: ReadonlyArray<RecordFields>;
}
export interface Key {
  readonly key_id: string;
  readonly account_id: string;
  readonly label: string | null;
  readonly admin: boolean;
  readonly permissions: ReadonlyArray<string>;
  readonly expires_at: string | null;
  readonly made_by: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
}
export interface LedgerEntry {
  readonly entry_id: string;
  readonly at: string;
  readonly kind: 'grant' | 'charge' | 'correction';
  readonly category: string;
  readonly amount: number;
  readonly balance_after: number;
  readonly reason: string;
  readonly run_id?: string;
  readonly session_id?: string;
  readonly audio_id?: string;
  readonly request_id: string;
}
export interface Question {
  readonly kind: 'link' | 'name';
  readonly video_id: string;
  readonly audio_id: string;
  readonly speaker_id: number;
  readonly candidates: ReadonlyArray<{ readonly face_id: number; readonly accuracy: number }>;
  readonly nobody: number;
  readonly gain: number;
  readonly evidence: JsonObject;
  readonly names?: ReadonlyArray<{
    readonly name: string;
    readonly source: string;
    readonly quote?: string;
    readonly quote_location?: QuoteLocation;
  }>;
}
export interface FaceEvidence {
  readonly face_id: number;
  readonly tracks: ReadonlyArray<Interval>;
  readonly talking: ReadonlyArray<Interval & { readonly score: number }>;
  readonly captions: ReadonlyArray<Interval & { readonly text: string }>;
}
export interface Segment extends Interval {
  readonly speaker_id: number;
}
export interface Utterance extends Segment {
  readonly index: number;
  readonly text: string;
}
export interface UsageGroup {
  readonly day?: string;
  readonly month?: string;
  readonly category?: string;
  readonly key_id?: string;
  readonly charges: number;
  readonly amount: number;
}
export interface Session {
  readonly session_id: string;
  readonly token: string;
  readonly token_expires_at: string;
  readonly ice_servers: ReadonlyArray<{
    readonly urls: string | ReadonlyArray<string>;
    readonly username?: string;
    readonly credential?: string;
  }>;
  readonly results_url: string;
  readonly expires_at: string;
}
interface Framed {
  readonly session_id: string;
  readonly at: string;
}
export type ResultsFrame = Framed &
  (
    | { readonly type: 'ready'; readonly balance: number }
    | { readonly type: 'media'; readonly state: 'connected' | 'disconnected' | 'failed' }
    | {
        readonly type: 'result';
        readonly seq: number;
        readonly kind: 'voice_activity';
        readonly start: number;
        readonly end: number;
        readonly speaking: boolean;
        readonly level_dbfs: number;
      }
    | { readonly type: 'usage'; readonly credits_charged: number; readonly balance: number }
    | { readonly type: 'warning'; readonly code: 'credits_low'; readonly seconds_left: number }
    | {
        readonly type: 'error';
        readonly error: string;
        readonly code: string;
        readonly retryable: boolean;
        readonly retry_after_seconds?: number;
      }
  );
interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}
interface SpanQuery extends PageQuery {
  readonly from?: number;
  readonly to?: number;
}
interface RecordQuery extends PageQuery {
  readonly status?: ProcessingStatus;
  readonly title?: string;
  readonly created_from?: string;
  readonly created_to?: string;
  readonly sort?: 'created_at' | 'updated_at' | 'title';
  readonly order?: 'asc' | 'desc';
}
type Written = { readonly status: string };
export interface StartedRun {
  readonly video_id: string;
  readonly audio_id: string;
  readonly status: 'processing';
  readonly message: string;
  readonly run_id: string;
}

/** The operations of the service by their ids. */
export interface Api {
  readonly service: {
    /** `GET /healthz` */
    health(options?: CallOptions): Call<{ readonly status: 'ok' }>;
    /** `GET /readyz` */
    readiness(options?: CallOptions): Call<{ readonly status: 'ready'; readonly warnings?: ReadonlyArray<string> }>;
  };
  readonly accounts: {
    /** `POST /v1/accounts` */
    create(
      body?: { readonly account_id?: string | null; readonly name?: string | null },
      options?: CallOptions,
    ): Call<{ readonly account_id: string; readonly name: string | null; readonly created_at: string }>;
  };
  readonly keys: {
    /** `POST /v1/accounts/{account_id}/keys` */
    create(
      account_id: string,
      body?: {
        readonly label?: string | null;
        readonly admin?: boolean | null;
        readonly permissions?: ReadonlyArray<string> | null;
        readonly expires_in_seconds?: number | null;
      },
      options?: CallOptions,
    ): Call<Key & { readonly key: string }>;
    /** `GET /v1/accounts/{account_id}/keys` */
    list(account_id: string, query?: PageQuery, options?: CallOptions): Pager<Key>;
    /** `DELETE /v1/accounts/{account_id}/keys/{key_id}` */
    revoke(
      account_id: string,
      key_id: string,
      options?: CallOptions,
    ): Call<{ readonly key_id: string; readonly revoked_at: string }>;
  };
  readonly me: {
    /** `GET /v1/me` */
    get(options?: CallOptions): Call<{
      readonly account_id: string;
      readonly name: string | null;
      readonly key_id: string;
      readonly label: string | null;
      readonly admin: boolean;
      readonly permissions: ReadonlyArray<string>;
      readonly expires_at: string | null;
      readonly balance: number;
      readonly created_at: string | null;
    }>;
    /** `POST /v1/me/keys` */
    createKey(
      body?: {
        readonly label?: string | null;
        readonly admin?: boolean | null;
        readonly permissions?: ReadonlyArray<string> | null;
        readonly expires_in_seconds?: number | null;
      },
      options?: CallOptions,
    ): Call<Key & { readonly key: string }>;
    /** `DELETE /v1/me/keys/{key_id}` */
    revokeKey(key_id: string, options?: CallOptions): Call<{ readonly key_id: string; readonly revoked_at: string }>;
  };
  readonly credits: {
    /** `POST /v1/accounts/{account_id}/credits` */
    add(
      account_id: string,
      body: { readonly amount: number; readonly reason: string },
      options?: CallOptions,
    ): Call<{ readonly balance: number }>;
    /** `GET /v1/accounts/{account_id}/credits` */
    get(
      account_id: string,
      options?: CallOptions,
    ): Call<{
      readonly account_id: string;
      readonly balance: number;
      readonly held: number;
      readonly window: { readonly limit: number; readonly period_seconds: number; readonly spent: number } | null;
    }>;
    /** `PUT /v1/accounts/{account_id}/spending-window` */
    setWindow(
      account_id: string,
      body: { readonly limit: number | null; readonly period_seconds?: number },
      options?: CallOptions,
    ): Call<{ readonly limit: number | null; readonly period_seconds: number | null }>;
    /** `GET /v1/accounts/{account_id}/ledger` */
    ledger(
      account_id: string,
      query?: PageQuery & { readonly from?: string; readonly to?: string },
      options?: CallOptions,
    ): Pager<LedgerEntry>;
    /** `GET /v1/accounts/{account_id}/usage` */
    usage(
      account_id: string,
      query?: { readonly from?: string; readonly to?: string; readonly group_by?: string | ReadonlyArray<string> },
      options?: CallOptions,
    ): Call<{
      readonly from: string | null;
      readonly to: string | null;
      readonly groups: ReadonlyArray<UsageGroup>;
      readonly total: { readonly charges: number; readonly amount: number };
    }>;
  };
  readonly videos: {
    /** `POST /v2/videos` */
    create(
      body?: {
        readonly video_id?: string | null;
        readonly title?: string | null;
        readonly kind?: 'upload' | 'meeting' | null;
        readonly media_url?: string | null;
        readonly audio_id?: string | null;
      },
      options?: CallOptions,
    ): Call<Video>;
    /** `GET /v2/videos` */
    list(
      query?: RecordQuery & {
        readonly audio_id?: string;
        readonly needs_review?: boolean;
        readonly tag?: string;
        readonly expand?: 'audio';
      },
      options?: CallOptions,
    ): Pager<Video>;
    /** `GET /v2/videos/{video_id}` */
    get(video_id: string, query?: { readonly at?: string | number }, options?: CallOptions): Call<Video>;
    /** `PATCH /v2/videos/{video_id}` */
    update(
      video_id: string,
      body: { readonly title?: string | null; readonly media_url?: string | null },
      options?: CallOptions,
    ): Call<Video>;
    /** `DELETE /v2/videos/{video_id}`: erases it for good. */
    erase(video_id: string, options?: CallOptions): Call<Erased>;
    /** `PUT /v2/videos/{video_id}/analysis` */
    recordAnalysis(video_id: string, body: JsonObject | string, options?: CallOptions): Call<Written>;
    /** `GET /v2/videos/{video_id}/tracks` */
    tracks(
      video_id: string,
      query?: SpanQuery & { readonly face_id?: number },
      options?: CallOptions,
    ): Pager<FaceEvidence>;
    /** `GET /v2/videos/{video_id}/history` */
    history(video_id: string, query?: PageQuery, options?: CallOptions): Pager<RecordedEvent>;
    /** `POST /v2/videos/{video_id}/history/{position}/revert` */
    revert(
      video_id: string,
      position: string,
      body?: { readonly dry_run?: boolean | null },
      options?: CallOptions,
    ): Call<Reverted>;
  };
  readonly faces: {
    /** `PUT /v1/videos/{video_id}/faces/names` */
    rename(
      video_id: string,
      body: ReadonlyArray<{ readonly face_id: number; readonly name: string }>,
      options?: CallOptions,
    ): Call<ReadonlyArray<{ readonly face_id: number; readonly name: string }>>;
    /** `PUT /v2/videos/{video_id}/faces/{face_id}/personality-traits` */
    recordTraits(
      video_id: string,
      face_id: number,
      body: { readonly personality_traits: JsonObject },
      options?: CallOptions,
    ): Call<{ readonly personality_traits: JsonObject }>;
  };
  readonly audios: {
    /** `POST /v2/audios` */
    create(
      body?: {
        readonly audio_id?: string | null;
        readonly title?: string | null;
        readonly kind?: 'upload' | 'meeting' | null;
        readonly video_id?: string | null;
        readonly deal_persons?: ReadonlyArray<{ readonly person_id: string; readonly name: string }> | null;
      },
      options?: CallOptions,
    ): Call<Audio>;
    /** `GET /v2/audios` */
    list(query?: RecordQuery & { readonly video_id?: string }, options?: CallOptions): Pager<Audio>;
    /** `GET /v2/audios/{audio_id}` */
    get(audio_id: string, query?: { readonly at?: string | number }, options?: CallOptions): Call<Audio>;
    /** `PATCH /v2/audios/{audio_id}` */
    update(audio_id: string, body: { readonly title?: string | null }, options?: CallOptions): Call<Audio>;
    /** `DELETE /v2/audios/{audio_id}`: erases it for good. */
    erase(audio_id: string, options?: CallOptions): Call<Erased>;
    /** `PUT /v2/audios/{audio_id}/analysis` */
    recordAnalysis(audio_id: string, body: JsonObject | string, options?: CallOptions): Call<Written>;
    /** `GET /v2/audios/{audio_id}/segments` */
    segments(
      audio_id: string,
      query?: SpanQuery & { readonly speaker_id?: number },
      options?: CallOptions,
    ): Pager<Segment>;
    /** `GET /v2/audios/{audio_id}/transcript` */
    transcript(
      audio_id: string,
      query?: SpanQuery & { readonly speaker_id?: number },
      options?: CallOptions,
    ): Pager<Utterance>;
    /** `PUT /v1/audios/{audio_id}/transcript/replace` */
    replaceTranscript(
      audio_id: string,
      body: { readonly transcript: ReadonlyArray<Segment & { readonly text: string }> },
      options?: CallOptions,
    ): Call<Written & { readonly utterances: number }>;
    /** `GET /v2/audios/{audio_id}/history` */
    history(audio_id: string, query?: PageQuery, options?: CallOptions): Pager<RecordedEvent>;
    /** `POST /v2/audios/{audio_id}/history/{position}/revert` */
    revert(
      audio_id: string,
      position: string,
      body?: { readonly dry_run?: boolean | null },
      options?: CallOptions,
    ): Call<Reverted>;
  };
  readonly speakers: {
    /** `PUT /v1/audios/{audio_id}/speakers/names` */
    rename(
      audio_id: string,
      body: ReadonlyArray<{ readonly speaker_id: number; readonly name: string }>,
      options?: CallOptions,
    ): Call<{
      readonly speakers: ReadonlyArray<{ readonly speaker_id: number; readonly name: string }>;
      readonly skipped: ReadonlyArray<number>;
    }>;
    /** `PUT /v1/audios/{audio_id}/speakers/roles` */
    setRoles(
      audio_id: string,
      body: ReadonlyArray<{ readonly speaker_id: number; readonly role: SpeakerRole | null }>,
      options?: CallOptions,
    ): Call<{
      readonly speakers: ReadonlyArray<{ readonly speaker_id: number; readonly role: SpeakerRole | null }>;
      readonly skipped: ReadonlyArray<number>;
    }>;
    /** `POST /v2/audios/{audio_id}/speakers/merge` */
    merge(
      audio_id: string,
      body: { readonly from: number; readonly into: number },
      options?: CallOptions,
    ): Call<Written & { readonly from: number; readonly into: number }>;
    /** `DELETE /v2/audios/{audio_id}/speakers/{speaker_id}` */
    delete(
      audio_id: string,
      speaker_id: number,
      options?: CallOptions,
    ): Call<Written & { readonly speaker_id: number }>;
  };
  readonly matches: {
    /** `PUT /v2/videos/{video_id}/speaker-face-match` */
    commit(
      video_id: string,
      body: {
        readonly mappings: ReadonlyArray<{
          readonly face_id: number;
          readonly speaker_id: number;
          readonly name?: string | null;
        }>;
      },
      options?: CallOptions,
    ): Call<Written & { readonly message: string }>;
    /** `POST /v2/videos/{video_id}/speaker-face-match` */
    run(
      video_id: string,
      body?: { readonly target_speaker_ids?: ReadonlyArray<number> | null },
      options?: CallOptions,
    ): Call<StartedRun>;
    /** `POST /v2/videos/{video_id}/speaker-face-match/suggestions` */
    suggest(
      video_id: string,
      body?: { readonly target_speaker_ids?: ReadonlyArray<number> | null },
      options?: CallOptions,
    ): Call<StartedRun>;
    /** `GET /v2/videos/{video_id}/speaker-face-match/suggestions` */
    suggestions(video_id: string, options?: CallOptions): Call<SuggestionBlock>;
    /** `GET /v2/videos/{video_id}/statuses` */
    status(
      video_id: string,
      query?: { readonly speaker_face_match_status?: boolean },
      options?: CallOptions,
    ): Call<
      | { readonly status: ProcessingStatus }
      | {
          readonly speaker_face_match_status: 'queue' | 'completed' | 'failed' | null;
          readonly queued_at: string | null;
          readonly mode: 'suggest' | 'commit' | null;
          readonly run_id: string | null;
          readonly in_flight: boolean;
          readonly stale: boolean;
        }
    >;
    /** `PUT /v2/videos/{video_id}/matched_speakers` */
    writeBack(
      video_id: string,
      body: {
        readonly run_id?: string | null;
        readonly status?: 'completed' | 'failed' | null;
        readonly error?: string | null;
        readonly matches?: ReadonlyArray<{
          readonly face_id: number;
          readonly speaker_id: number;
          readonly accuracy: number;
        }> | null;
      },
      options?: CallOptions,
    ): Call<{
      readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
      readonly run_id: string;
      readonly reason?: string;
    }>;
    /** `DELETE /v2/videos/{video_id}/faces/{face_id}/match` */
    delete(video_id: string, face_id: number, options?: CallOptions): Call<Written & { readonly face: Face | null }>;
  };
  readonly decisions: {
    /** `POST /v2/videos/{video_id}/speaker-face-match/decisions` */
    create(
      video_id: string,
      body: {
        readonly decisions: ReadonlyArray<{
          readonly speaker_id: number;
          readonly face_id: number | null;
          readonly verdict: 'confirmed' | 'rejected';
        }>;
      },
      options?: CallOptions,
    ): Call<Written & { readonly message: string }>;
    /** `GET /v2/videos/{video_id}/speaker-face-match/decisions` */
    list(video_id: string, options?: CallOptions): Call<{ readonly decisions: ReadonlyArray<LinkDecision> }>;
  };
  readonly review: {
    /** `GET /v2/review` */
    list(
      query?: PageQuery & { readonly video_id?: string; readonly kind?: 'link' | 'name' },
      options?: CallOptions,
    ): Pager<Question>;
  };
  readonly runs: {
    /** `GET /v2/videos/{video_id}/match-runs` */
    list(video_id: string, query?: PageQuery, options?: CallOptions): Pager<MatchRun>;
    /** `GET /v2/videos/{video_id}/match-runs/{run_id}` */
    get(video_id: string, run_id: string, query?: { readonly wait?: number }, options?: CallOptions): Call<MatchRun>;
    /** `POST /v2/videos/{video_id}/match-runs/{run_id}/revert` */
    revert(
      video_id: string,
      run_id: string,
      body?: { readonly dry_run?: boolean | null },
      options?: CallOptions,
    ): Call<{
      readonly run_id: string;
      readonly status: 'reverted';
      readonly reverted: ReadonlyArray<number>;
      readonly changed_since: ReadonlyArray<number>;
    }>;
    /** `GET /v2/match-runs` */
    listAll(
      query?: PageQuery & { readonly state?: string; readonly wait?: number },
      options?: CallOptions,
    ): Pager<MatchRun>;
  };
  readonly names: {
    /** `POST /v2/audios/{audio_id}/speaker-name-inference` */
    infer(
      audio_id: string,
      body: { readonly target_speaker_ids: ReadonlyArray<number>; readonly infer_roles?: boolean },
      options?: CallOptions,
    ): Call<ReadonlyArray<NameRow>>;
    /** `POST /v2/audios/{audio_id}/speaker-name-inference/suggestions` */
    suggest(
      audio_id: string,
      body: { readonly target_speaker_ids: ReadonlyArray<number>; readonly infer_roles?: boolean },
      options?: CallOptions,
    ): Call<ReadonlyArray<NameRow>>;
    /** `POST /v2/audios/{audio_id}/speaker-name-inference/estimate` */
    estimate(
      audio_id: string,
      body: { readonly target_speaker_ids: ReadonlyArray<number>; readonly infer_roles?: boolean },
      options?: CallOptions,
    ): Call<{
      readonly credits_min: number;
      readonly credits_max: number;
      readonly balance: number;
      readonly admitted: boolean;
    }>;
  };
  readonly tags: {
    /** `POST /v2/videos/{video_id}/provider-tags` */
    import(
      video_id: string,
      body: {
        readonly source: string;
        readonly tags: ReadonlyArray<{ readonly key: string; readonly value: unknown }>;
        readonly dry_run?: boolean | null;
      },
      options?: CallOptions,
    ): Call<
      Written & {
        readonly created: ReadonlyArray<string>;
        readonly updated: ReadonlyArray<string>;
        readonly unchanged: ReadonlyArray<string>;
      }
    >;
    /** `POST /v2/videos/{video_id}/tags` */
    set(
      video_id: string,
      body: {
        readonly tags: ReadonlyArray<{ readonly key: string; readonly value: unknown }>;
        readonly dry_run?: boolean | null;
      },
      options?: CallOptions,
    ): Call<
      Written & {
        readonly created: ReadonlyArray<string>;
        readonly updated: ReadonlyArray<string>;
        readonly unchanged: ReadonlyArray<string>;
      }
    >;
    /** `GET /v2/videos/{video_id}/tags` */
    list(video_id: string, query?: PageQuery, options?: CallOptions): Pager<Tag>;
    /** `DELETE /v2/videos/{video_id}/tags/{key}` */
    delete(video_id: string, key: string, options?: CallOptions): Call<Written & { readonly key: string }>;
  };
  readonly tagRegistry: {
    /** `GET /v2/tag-registry` */
    list(options?: CallOptions): Call<{ readonly entries: ReadonlyArray<JsonObject> }>;
    /** `PUT /v2/tag-registry/{key}` */
    register(
      key: string,
      body: {
        readonly category: string;
        readonly value_type: 'string' | 'number' | 'boolean' | 'string_list';
        readonly description?: string | null;
      },
      options?: CallOptions,
    ): Call<JsonObject>;
  };
  readonly sessions: {
    /** `GET /v2/realtime/price` */
    price(options?: CallOptions): Call<{ readonly price_per_minute: number; readonly balance: number }>;
    /** `POST /v2/realtime/session` */
    create(body?: { readonly metadata?: JsonObject | null }, options?: CallOptions): Call<Session>;
    /** `GET /v2/realtime/session/{session_id}` */
    get(
      session_id: string,
      options?: CallOptions,
    ): Call<{
      readonly session_id: string;
      readonly status: 'created' | 'negotiated' | 'connected' | 'disconnected';
      readonly created_at: string;
      readonly credits_charged: number;
    }>;
    /** `POST /v2/realtime/session/{session_id}/offer` */
    offer(
      session_id: string,
      body: { readonly type: 'offer'; readonly sdp: string },
      options?: CallOptions,
    ): Call<{ readonly type: 'answer'; readonly sdp: string }>;
    /** `POST /v2/realtime/session/{session_id}/ice` */
    addCandidate(
      session_id: string,
      body: { readonly candidate: string; readonly sdp_mid?: string | null; readonly sdp_m_line_index?: number | null },
      options?: CallOptions,
    ): Call<{ readonly status: 'accepted' }>;
    /** `POST /v2/realtime/session/{session_id}/token` */
    renewToken(
      session_id: string,
      options?: CallOptions,
    ): Call<{ readonly token: string; readonly token_expires_at: string }>;
    /** `POST /v2/realtime/session/{session_id}/end` */
    end(
      session_id: string,
      options?: CallOptions,
    ): Call<{
      readonly session_id: string;
      readonly status: 'ended';
      readonly duration_seconds: number;
      readonly credits_charged: number;
    }>;
    /** `GET /v2/realtime/health` */
    health(options?: CallOptions): Call<{ readonly status: 'ok' | 'unreachable' }>;
  };
  readonly audit: {
    /** `GET /v1/audit/events` */
    events(
      query?: PageQuery & {
        readonly stream?: string;
        readonly category?: string;
        readonly type?: string;
        readonly actor?: string;
        readonly request_id?: string;
        readonly from?: string;
        readonly to?: string;
      },
      options?: CallOptions,
    ): Pager<RecordedEvent>;
    /** `GET /v1/audit/late-writes` */
    lateWrites(query?: PageQuery, options?: CallOptions): Pager<JsonObject>;
  };
}

/** Operations that answer pages of a list, by the name that it has there. */
export const lists: Partial<Record<OperationId, string>> = {
  'keys.list': 'keys',
  'credits.ledger': 'entries',
  'videos.list': 'videos',
  'videos.tracks': 'faces',
  'videos.history': 'events',
  'audios.list': 'audios',
  'audios.segments': 'segments',
  'audios.transcript': 'transcript',
  'audios.history': 'events',
  'review.list': 'questions',
  'runs.list': 'match_runs',
  'runs.listAll': 'match_runs',
  'tags.list': 'tags',
  'audit.events': 'events',
  'audit.lateWrites': 'late_writes',
};

/** Operations that take neither a body nor a query. */
export const withoutInput: ReadonlySet<OperationId> = new Set<OperationId>([
  'service.health',
  'service.readiness',
  'keys.revoke',
  'me.get',
  'me.revokeKey',
  'credits.get',
  'speakers.delete',
  'matches.suggestions',
  'matches.delete',
  'decisions.list',
  'tags.delete',
  'tagRegistry.list',
  'sessions.price',
  'sessions.get',
  'sessions.renewToken',
  'sessions.end',
  'sessions.health',
]);
