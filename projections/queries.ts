import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { AccountId, AudioId, KeyId, RunId, VideoId } from '../domain/kernel/ids.js';
import type { Position } from '../domain/kernel/recorded-event.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import type { LedgerEntry, UsagePart } from './credit-views.js';
import type { EventPlace, EventSelection, TimeRange } from './event-selection.js';
import type { ReviewQuestion, ReviewScope } from './review.js';
import type { RunState } from './run-status.js';
import type { VideoTagRow } from './tag-views.js';
import type { AccountView, ApiKeyView, AudioView, LateWriteView, MatchRunView, VideoRow, VideoView } from './views.js';
import type { ProcessingStatus } from '../domain/kernel/media.js';

export type ReadModelsUnavailable = { readonly _tag: 'ReadModelsUnavailable'; readonly reason: string };
/** The read models did not reach a position in time. */
export type ReadModelBehind = {
  readonly _tag: 'ReadModelBehind';
  readonly wanted: Position;
  readonly reached: Position | null;
};
export type InvalidCursor = { readonly _tag: 'InvalidCursor' };

export interface PageRequest {
  /** 1 to 1,000. */
  readonly limit: number;
  /** Cursor from the previous page; null for the first. */
  readonly cursor: string | null;
}

/**
 * A page of a list. It may hold fewer items than requested if they are large; it is the last page only if `next_cursor`
 * is null.
 */
export interface Listing<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly next_cursor: string | null;
}

export interface EventPageRequest extends PageRequest {
  /** End of the selection, from an earlier page; null for the newest event. */
  readonly until: string | null;
  /** Newest first. */
  readonly descending?: boolean;
}

/** Locations of events in the order of the page. */
export interface EventListing extends Listing<EventPlace> {
  /** Value of `until` that ends at the same event as this page's log. */
  readonly until: string;
}

/** The time of the query, and the stale window in seconds. */
export interface RunTime {
  readonly at: Timestamp;
  readonly stale_seconds: number;
}

/** Rows whose change can be waited for: one match run, or all of a table. */
export type Awaited = { readonly run_id: RunId } | 'match_runs' | 'videos' | 'audios';

/** A future change. */
export interface Change {
  /** Resolves when the change has happened or can no longer happen. */
  readonly happened: Promise<void>;
  /** Stops waiting. */
  readonly cancel: () => void;
}

type Answer<Result> = TaskEither<ReadModelsUnavailable, Result>;
type Page<Item> = TaskEither<ReadModelsUnavailable | InvalidCursor, Listing<Item>>;

/** A run with its newest late arrivals. `more_late_arrivals`: not all are included. */
export interface ListedRun extends MatchRunView {
  readonly more_late_arrivals?: boolean;
}

/** The queries of the read models. Every answer is as of the position that they have reached. */
export interface Queries {
  /** Waits until the read models have reached a position, for at most `timeout_ms`. */
  readonly reached: (position: Position, timeout_ms: number) => TaskEither<ReadModelBehind, void>;
  readonly video: (video_id: VideoId) => Answer<VideoView | null>;
  /** Without its tags, which may be many. */
  readonly untaggedVideo: (video_id: VideoId) => Answer<VideoRow | null>;
  /** Of a video, in the order in which they were first written. */
  readonly tags: (video_id: VideoId, page: PageRequest) => Page<VideoTagRow>;
  readonly videos: (selection: VideoSelection, page: PageRequest) => Page<ListedVideo>;
  readonly audio: (audio_id: AudioId) => Answer<AudioView | null>;
  readonly audios: (selection: RecordSelection, page: PageRequest) => Page<AudioView>;
  /** The open questions about an owner's videos or about one video, the most valuable first. */
  readonly review: (scope: ReviewScope, page: PageRequest) => Page<ReviewQuestion>;
  /** In queue order. */
  readonly matchRuns: (video_id: VideoId, page: PageRequest) => Page<ListedRun>;
  readonly matchRun: (run_id: RunId) => Answer<ListedRun | null>;
  /** The runs of all videos, optionally only those in a state at a time; oldest first. */
  readonly allMatchRuns: (state: RunState | null, now: RunTime, page: PageRequest) => Page<ListedRun>;
  /** The next change of these rows. Returns null once the read models are closed. */
  readonly change: (of: Awaited) => Change | null;
  /** Newest first. */
  readonly lateWrites: (page: PageRequest) => Page<LateWriteView>;
  /** By id. */
  readonly accounts: (page: PageRequest) => Page<AccountView>;
  readonly account: (account_id: AccountId) => Answer<AccountView | null>;
  /** In order of issue, including revoked keys; of inactive self-issued keys only the newest. */
  readonly keysOf: (account_id: AccountId, page: PageRequest) => Page<ApiKeyView>;
  readonly key: (key_id: KeyId) => Answer<ApiKeyView | null>;
  readonly keyByHash: (key_hash: string) => Answer<ApiKeyView | null>;
  /** Whether any account has an admin key that is not revoked. */
  readonly hasAdminKey: () => Answer<boolean>;
  /** An account's charges in a time range, by day, category and key. */
  readonly usage: (account_id: AccountId, range: TimeRange) => Answer<ReadonlyArray<UsagePart>>;
  /** Newest first. */
  readonly ledger: (account_id: AccountId, range: TimeRange, page: PageRequest) => Page<LedgerEntry>;
  /**
   * Locations of the selected events, oldest first unless the page is descending. A page may hold fewer than requested,
   * even none, if searching further takes too long.
   */
  readonly events: (
    selection: EventSelection,
    page: EventPageRequest,
  ) => TaskEither<ReadModelsUnavailable | InvalidCursor, EventListing>;
}

export type RecordSort = 'created_at' | 'updated_at' | 'title';

/** Filter and order of a list of videos or audios; null: no condition. */
export interface RecordSelection {
  readonly owner_id: AccountId | null;
  readonly status: ProcessingStatus | null;
  /** Id of the linked audio or video. */
  readonly linked_id: string | null;
  /** Part of the title, normalized by `foldedTitle`. */
  readonly title: string | null;
  readonly created: TimeRange;
  readonly sort: RecordSort;
  readonly descending: boolean;
}

export interface VideoSelection extends RecordSelection {
  readonly needs_review: boolean | null;
  /** The tag's value: a plain string, or its JSON. */
  readonly tag: { readonly key: string; readonly value: string } | null;
  /** Include the audio of each video. */
  readonly with_audio: boolean;
}

/** A listed video, with its audio if requested and present. */
export interface ListedVideo extends VideoView {
  readonly audio: AudioView | null;
}
