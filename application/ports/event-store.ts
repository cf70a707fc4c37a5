import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Json, JsonObject } from '../../domain/kernel/json.js';
import type { MediumErased } from '../../domain/kernel/erased.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Subject } from '../../domain/kernel/stream-name.js';

/** An event as it is handed to a store: not yet placed in a stream. */
export interface NewEvent {
  /** A UUID. Appending the same ids again at the same expected revision gives the first result. */
  readonly id: string;
  /** Name and version, as in `FacesMatched.v1`. */
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  /** Whose keys seal the data; none, or left out, for what is stored in clear. */
  readonly subjects?: ReadonlyArray<Subject>;
}

/** An event as a store holds it: plain JSON, not decoded. */
export interface StoredEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly metadata: Json;
  /**
   * Why the data cannot be read, which is empty then: its key was destroyed with what it tells of, or is missing. Left
   * out for all other events.
   */
  readonly withheld?: 'erased' | 'key_missing';
  /** When what it tells of was erased, where that is why. */
  readonly erased_at?: Timestamp;
}

/** The revision that a stream must have for an append to pass. */
export type ExpectedRevision = number | 'no_stream';

/** Another writer was faster, or the ids match an earlier append only in part. */
export interface RevisionConflict {
  readonly _tag: 'RevisionConflict';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: ExpectedRevision;
  /** The stream has the expected revision, but another event is there than the one that the append was to follow. */
  readonly other_history?: true;
}

/** The store could not be reached or did not answer; whether an append happened is then unknown. */
export interface StoreUnavailable {
  readonly _tag: 'StoreUnavailable';
  readonly reason: string;
  /** What is away is not the log but the vault of its keys, or the key of one medium alone. */
  readonly because?: 'key_vault' | 'key_missing';
}

/** The store takes no append of this size; nothing was written. */
export interface AppendTooLarge {
  readonly _tag: 'AppendTooLarge';
  readonly reason: string;
}

/** What was to be appended could not be read back: a fault of the service. Nothing was written. */
export interface AppendUnreadable {
  readonly _tag: 'AppendUnreadable';
  readonly reason: string;
}

/** Why an append did not happen, or is not known to have happened. */
export type AppendFailure = RevisionConflict | StoreUnavailable | AppendTooLarge | AppendUnreadable | MediumErased;

export interface Appended {
  /** The revision of the last event appended. */
  readonly revision: number;
  /** The position of the last event appended. */
  readonly position: Position;
  /** The same ids were there already: nothing was written now. A store that cannot tell leaves it out. */
  readonly repeated?: true;
}

/** Which events a reader wants; absent parts want all. */
export interface EventFilter {
  /** Stream categories: the part of a stream's name before its first hyphen. */
  readonly categories?: ReadonlyArray<string>;
  /** Stored types with version, as in `FacesMatched.v1`. */
  readonly types?: ReadonlyArray<string>;
}

export interface Page {
  readonly events: ReadonlyArray<StoredEvent>;
  /**
   * The last position that was looked at, whether or not its event passed the filter: the checkpoint to go on from.
   * Null when the log holds nothing after the position asked for.
   */
  readonly examined: Position | null;
}

export interface SubscriptionHandlers {
  /** Called with the next events in order, never before the last call's promise has settled. A rejection ends the subscription as `onFailure`. */
  readonly onPage: (page: Page) => Promise<void>;
  /** Called each time that there is nothing more to read for now. */
  readonly onCaughtUp?: () => void;
  /** Called once, when the subscription ends by itself; nothing follows. */
  readonly onFailure: (failure: unknown) => void;
}

export interface Subscription {
  /** Resolves once no handler is running or will run. */
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
   * reached the end of the stream when nothing comes. Large pages are then read without keeping other work waiting.
   */
  readonly read: (
    stream: string,
    afterRevision: number,
    limit: number,
    mostBytes?: number,
  ) => TaskEither<StoreUnavailable, ReadonlyArray<StoredEvent>>;
  /** The events of all streams after a position (null: from the first), at most `limit` that pass the filter, oldest first. */
  readonly readAll: (after: Position | null, filter: EventFilter, limit: number) => TaskEither<StoreUnavailable, Page>;
  /** All events after a position, then those to come, each once and in order. */
  readonly subscribe: (after: Position | null, filter: EventFilter, handlers: SubscriptionHandlers) => Subscription;
  /** Whether a text from outside has the form of this store's positions; the functions above throw or fail on others. */
  readonly isPosition: (text: string) => boolean;
  /** The position of the newest event; null for an empty log. */
  readonly head: () => TaskEither<StoreUnavailable, Position | null>;
  /**
   * Whether the log has this event at this position. False means that it is another log, or an older one, than the one
   * that the event was read from; positions alone do not tell, for a store may use some for itself.
   */
  readonly holds: (event: Pick<StoredEvent, 'position' | 'id'>) => TaskEither<StoreUnavailable, boolean>;
}
