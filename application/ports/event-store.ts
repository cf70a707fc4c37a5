import type { Tagged } from '../../domain/kernel/decider.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { LoggedEvent } from '../../projections/audit/event-hash.js';
import type { JsonObject, Position, Subject } from '../../domain/kernel/recorded-event.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';

/** How far each process has handled the log. After a crash, events after the last checkpoint are handled again. */
export interface Checkpoints {
  readonly load: (process: string) => TaskEither<StoreUnavailable, Position | null>;
  readonly save: (process: string, position: Position) => TaskEither<StoreUnavailable, void>;
}

/** An event to be appended. */
export interface NewEvent {
  /** A UUID. Appending the same ids again at the same expected revision gives the first result. */
  readonly id: string;
  /** Name and version, such as `FacesMatched.v1`. */
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  /** The subjects with whose keys the data is encrypted; absent or empty: not encrypted. */
  readonly subjects?: ReadonlyArray<Subject>;
}

/** An event as stored: plain JSON, not decoded. */
export interface StoredEvent extends LoggedEvent {
  /** The time of the erasure, if that is the reason. */
  readonly erased_at?: Timestamp;
}

/** The revision that a stream must have for an append to succeed. */
export type ExpectedRevision = number | 'no_stream';

/** The stream has another revision, or the ids match an earlier append only in part. */
export type RevisionConflict = Tagged<
  'RevisionConflict',
  { stream: string; expected: ExpectedRevision; actual: ExpectedRevision }
>;

/** The store could not be reached or did not answer; whether an append happened is then unknown. */
export interface StoreUnavailable {
  readonly _tag: 'StoreUnavailable';
  readonly reason: string;
  /** Set if not the log itself is unavailable, but the key vault or a single key. */
  readonly because?: 'key_vault' | 'key_missing';
}

/** The append exceeds the store's size limit; nothing was written. */
export type AppendTooLarge = Tagged<'AppendTooLarge', { reason: string }>;

/** The events could not be decoded again, which is a bug of the service. Nothing was written. */
export type AppendUnreadable = Tagged<'AppendUnreadable', { reason: string }>;

/** Why an append failed, or has an unknown outcome. */
export type AppendFailure = RevisionConflict | StoreUnavailable | AppendTooLarge | AppendUnreadable | MediumErased;

export interface Appended {
  /** The revision of the last event appended. */
  readonly revision: number;
  /** The position of the last event appended. */
  readonly position: Position;
  /** The same ids existed already and nothing was written. Absent if the store cannot tell. */
  readonly repeated?: true;
}

/** Selects events; absent parts select all. */
export interface EventFilter {
  /** Stream categories: the part of a stream's name before its first hyphen. */
  readonly categories?: ReadonlyArray<string>;
  /** Stored types with version, such as `FacesMatched.v1`. */
  readonly types?: ReadonlyArray<string>;
}

export interface Page {
  readonly events: ReadonlyArray<StoredEvent>;
  /**
   * The last position examined, whether or not its event passed the filter: the checkpoint to continue from. Null if the
   * log has nothing after the requested position.
   */
  readonly examined: Position | null;
}

export interface SubscriptionHandlers {
  /** Called with the next events, one call at a time. A rejection ends the subscription with `onFailure`. */
  readonly onPage: (page: Page) => Promise<void>;
  /** Called whenever the subscription has reached the head of the log. */
  readonly onCaughtUp?: () => void;
  /** Called once, if the subscription ends by itself. */
  readonly onFailure: (failure: unknown) => void;
}

export interface Subscription {
  /** Resolves when no handler is running or will run. */
  readonly close: () => Promise<void>;
}

/** The log of all events: one append-only stream per aggregate, one order over all. */
export interface EventStore {
  /**
   * Appends all events or none. Succeeds only after they are durable. At least one event.
   * The first revision of a stream is 0.
   */
  readonly append: (
    stream: string,
    expected: ExpectedRevision,
    events: ReadonlyArray<NewEvent>,
  ) => TaskEither<AppendFailure, Appended>;
  /**
   * The events of a stream after a revision (-1: from the first), at most `limit`, oldest first. With `mostBytes`, which
   * counts their data and metadata as JSON, fewer may come, though at least one where there is any: such a reader has
   * reached the end of the stream when nothing comes.
   */
  readonly read: (
    stream: string,
    afterRevision: number,
    limit: number,
    mostBytes?: number,
  ) => TaskEither<StoreUnavailable, ReadonlyArray<StoredEvent>>;
  /** The events of all streams after a position (null: from the first), at most `limit` that pass the filter, oldest first. */
  readonly readAll: (after: Position | null, filter: EventFilter, limit: number) => TaskEither<StoreUnavailable, Page>;
  /** Delivers all events after a position, then new ones, each once and in order. */
  readonly subscribe: (after: Position | null, filter: EventFilter, handlers: SubscriptionHandlers) => Subscription;
  /**
   * The position that an untrusted text names, with or without its leading zeros; null if it is none of this store. The
   * functions above throw or fail on other texts.
   */
  readonly positionIn: (text: string) => Position | null;
  /** The position of the newest event; null for an empty log. */
  readonly head: () => TaskEither<StoreUnavailable, Position | null>;
  /**
   * The event at a position; null if none begins there. An event that was read before is compared by its id: with another
   * one there, it was read from another log, or from a newer copy of it.
   */
  readonly at: (position: Position) => TaskEither<StoreUnavailable, StoredEvent | null>;
}
