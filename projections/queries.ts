import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { AccountId, AudioId, KeyId, RunId, VideoId } from '../domain/kernel/ids.js';
import type { Position } from '../domain/kernel/recorded-event.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import type { CreditAccountView, LedgerEntry, UsagePart } from './credit-views.js';
import type { EventPlace, EventSelection } from './event-selection.js';
import type { ReviewQuestion, ReviewScope } from './review.js';
import type { RunState } from './run-status.js';
import type { AccountView, ApiKeyView, AudioView, LateWriteView, MatchRunView, VideoView } from './views.js';
import type { ProcessingStatus } from '../domain/kernel/media.js';

/** The read models cannot be asked now. */
export interface ReadModelsUnavailable {
  readonly _tag: 'ReadModelsUnavailable';
  readonly reason: string;
}

/** The read models did not reach a position in time. */
export interface ReadModelBehind {
  readonly _tag: 'ReadModelBehind';
  readonly wanted: Position;
  readonly reached: Position | null;
}

/** A cursor that no page gave out. */
export interface InvalidCursor {
  readonly _tag: 'InvalidCursor';
}

export interface PageRequest {
  /** 1 to 1,000. */
  readonly limit: number;
  /** Where the last page said that the next begins; null for the first. */
  readonly cursor: string | null;
}

/** Times from `from` to before `to`; null for no limit. */
export interface TimeRange {
  readonly from: Timestamp | null;
  readonly to: Timestamp | null;
}

/** A part of a list: as many items as asked for, or fewer where they are large; only without a cursor is it the last. */
export interface Listing<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly next_cursor: string | null;
}

export interface EventPageRequest extends PageRequest {
  /** Where the selection ends: the newest event that an earlier page told of; null for the newest now. */
  readonly until: string | null;
}

/** Places of events in the order of the log. */
export interface EventListing extends Listing<EventPlace> {
  /** What `until` would be to end where this page's log ends. */
  readonly until: string;
}

/** A time of asking, and how many seconds after its trigger a run is stale. */
export interface RunTime {
  readonly at: Timestamp;
  readonly stale_seconds: number;
}

/** A change to come. */
export interface Change {
  /** Resolves when it has come, or will not come any more. */
  readonly happened: Promise<void>;
  /** It is waited for no longer. */
  readonly cancel: () => void;
}

type Answer<Result> = TaskEither<ReadModelsUnavailable, Result>;
type Page<Item> = TaskEither<ReadModelsUnavailable | InvalidCursor, Listing<Item>>;

/** A run with its late arrivals: where there are more than are shown, the newest are. */
export interface ListedRun extends MatchRunView {
  readonly more_late_arrivals?: boolean;
}

/** What can be asked of the read models. Every answer is as of the position that they have reached. */
export interface Queries {
  /** Waits until the read models show a position; at most so many milliseconds. */
  readonly reached: (position: Position, timeout_ms: number) => TaskEither<ReadModelBehind, void>;
  readonly video: (video_id: VideoId) => Answer<VideoView | null>;
  readonly videos: (selection: VideoSelection, page: PageRequest) => Page<ListedVideo>;
  readonly audio: (audio_id: AudioId) => Answer<AudioView | null>;
  readonly audios: (selection: RecordSelection, page: PageRequest) => Page<AudioView>;
  /** The open questions about an owner's videos, or about one video, the best first. */
  readonly review: (scope: ReviewScope, page: PageRequest) => Page<ReviewQuestion>;
  /** In the order in which they were queued. */
  readonly matchRuns: (video_id: VideoId, page: PageRequest) => Page<ListedRun>;
  readonly matchRun: (run_id: RunId) => Answer<ListedRun | null>;
  /** The runs of all videos that are in a state at a time, or all; oldest first. */
  readonly allMatchRuns: (state: RunState | null, now: RunTime, page: PageRequest) => Page<ListedRun>;
  /** The next change of a match run, or of any when null; null once the read models are closed. */
  readonly runChange: (run_id: RunId | null) => Change | null;
  /** Newest first. */
  readonly lateWrites: (page: PageRequest) => Page<LateWriteView>;
  readonly account: (account_id: AccountId) => Answer<AccountView | null>;
  /** In the order in which they were issued, revoked ones included; of the dead ones that keys made the newest alone. */
  readonly keysOf: (account_id: AccountId, page: PageRequest) => Page<ApiKeyView>;
  readonly key: (key_id: KeyId) => Answer<ApiKeyView | null>;
  readonly keyByHash: (key_hash: string) => Answer<ApiKeyView | null>;
  /** Whether some account holds an admin key that is not revoked. */
  readonly hasAdminKey: () => Answer<boolean>;
  /** An account's credits at a time that is not long past; null when nothing was ever booked on it. */
  readonly creditAccount: (account_id: AccountId, now: Timestamp) => Answer<CreditAccountView | null>;
  /** What an account was charged for in a time, by day, category and key. */
  readonly usage: (account_id: AccountId, range: TimeRange) => Answer<ReadonlyArray<UsagePart>>;
  /** Newest first. */
  readonly ledger: (account_id: AccountId, range: TimeRange, page: PageRequest) => Page<LedgerEntry>;
  /** Where the events of a selection are, oldest first; fewer than asked for, or none, where to find more takes long. */
  readonly events: (
    selection: EventSelection,
    page: EventPageRequest,
  ) => TaskEither<ReadModelsUnavailable | InvalidCursor, EventListing>;
}

export type RecordSort = 'created_at' | 'updated_at' | 'title';

/** What of the videos or audios is listed, and in which order; null: all. */
export interface RecordSelection {
  readonly owner_id: AccountId | null;
  readonly status: ProcessingStatus | null;
  /** The audio of a video, the video of an audio. */
  readonly linked_id: string | null;
  /** A part of the title, as `foldedTitle` makes it. */
  readonly title: string | null;
  /** From `from` to before `to`. */
  readonly created: { readonly from: Timestamp | null; readonly to: Timestamp | null };
  readonly sort: RecordSort;
  readonly descending: boolean;
}

export interface VideoSelection extends RecordSelection {
  readonly needs_review: boolean | null;
  /** The text of a tag's value: its JSON, or a text itself. */
  readonly tag: { readonly key: string; readonly value: string } | null;
  /** The audios are listed with their videos. */
  readonly with_audio: boolean;
}

/** A video of a list; its audio where that was asked for and there is one. */
export interface ListedVideo extends VideoView {
  readonly audio: AudioView | null;
}
