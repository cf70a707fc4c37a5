import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { LRUCache } from 'lru-cache';
import { type AccessCommand, type AccessEvent, type AccessRefusal, accessEvents } from '../domain/access/contract.js';
import { type AccessState, access } from '../domain/access/decider.js';
import type { AudioCommand, AudioRefusal } from '../domain/audio/contract.js';
import { audio } from '../domain/audio/decider.js';
import { type AudioEvent, audioEvents } from '../domain/audio/events.js';
import type { AudioState } from '../domain/audio/state.js';
import {
  type CreditAccountCommand,
  type CreditAccountEvent,
  type CreditAccountRefusal,
  creditAccountEvents,
} from '../domain/credit-account/contract.js';
import { creditAccount } from '../domain/credit-account/decider.js';
import type { CreditAccountState } from '../domain/credit-account/state.js';
import {
  type IdempotencyKeyCommand,
  type IdempotencyKeyEvent,
  type IdempotencyKeyRefusal,
  idempotencyKeyEvents,
} from '../domain/idempotency-key/contract.js';
import { type IdempotencyKeyState, idempotencyKey } from '../domain/idempotency-key/decider.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import { type RecordedEvent, type Position, isEventOf } from '../domain/kernel/recorded-event.js';
import {
  type MatchRunCommand,
  type MatchRunEvent,
  type MatchRunRefusal,
  matchRunEvents,
} from '../domain/match-run/contract.js';
import { type MatchRunState, matchRun } from '../domain/match-run/decider.js';
import {
  type NameInferenceCommand,
  type NameInferenceEvent,
  type NameInferenceRefusal,
  nameInferenceEvents,
} from '../domain/name-inference/contract.js';
import { type NameInferenceState, nameInference } from '../domain/name-inference/decider.js';
import { type RegisterTagKey, type TagRegistryEvent, tagRegistryEvents } from '../domain/tag-registry/contract.js';
import { type TagRegistryState, tagRegistry } from '../domain/tag-registry/decider.js';
import {
  type AtCapacity,
  type RealtimeCapacityCommand,
  type RealtimeCapacityEvent,
  realtimeCapacityEvents,
} from '../domain/realtime-capacity/contract.js';
import { type RealtimeCapacityState, realtimeCapacity } from '../domain/realtime-capacity/decider.js';
import {
  type RealtimeSessionCommand,
  type RealtimeSessionEvent,
  type RealtimeSessionRefusal,
  realtimeSessionEvents,
} from '../domain/realtime-session/contract.js';
import { type RealtimeSessionState, realtimeSession } from '../domain/realtime-session/decider.js';
import type { VideoCommand, VideoRefusal } from '../domain/video/contract.js';
import { video } from '../domain/video/decider.js';
import { type VideoEvent, videoEvents } from '../domain/video/events.js';
import type { VideoState } from '../domain/video/state.js';
import type { CommandContext, RequestContext } from './commands/context.js';
import type { Failure, RevisionChanged, UnreadableEvent } from './failures.js';
import type { Decider } from '../domain/kernel/decider.js';
import type { AnyEvent } from './commands/read-event.js';
import { type Aggregate, type CommandResult, aggregate } from './commands/handle-command.js';
import type { Clock } from './ports/clock.js';
import type { EventStore, StoreUnavailable } from './ports/event-store.js';
import type { Ids } from './ports/ids.js';
import type { PersonalKeys, OnErasure } from './ports/key-vault.js';
import type { Log } from './ports/log.js';
import { type Snapshots, noSnapshots } from './ports/snapshots.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../projections/queries.js';

/** The types of aggregates, by the names that use cases use. */
interface Kinds {
  readonly videos: Kind<VideoCommand, VideoState, VideoEvent, VideoRefusal>;
  readonly audios: Kind<AudioCommand, AudioState, AudioEvent, AudioRefusal>;
  readonly matchRuns: Kind<MatchRunCommand, MatchRunState, MatchRunEvent, MatchRunRefusal>;
  readonly accounts: Kind<AccessCommand, AccessState, AccessEvent, AccessRefusal>;
  readonly creditAccounts: Kind<CreditAccountCommand, CreditAccountState, CreditAccountEvent, CreditAccountRefusal>;
  readonly nameInferences: Kind<NameInferenceCommand, NameInferenceState, NameInferenceEvent, NameInferenceRefusal>;
  readonly idempotencyKeys: Kind<
    IdempotencyKeyCommand,
    IdempotencyKeyState,
    IdempotencyKeyEvent,
    IdempotencyKeyRefusal
  >;
  readonly tagRegistries: Kind<RegisterTagKey, TagRegistryState, TagRegistryEvent, never>;
  readonly realtimeSessions: Kind<
    RealtimeSessionCommand,
    RealtimeSessionState,
    RealtimeSessionEvent,
    RealtimeSessionRefusal
  >;
  readonly realtimeCapacities: Kind<RealtimeCapacityCommand, RealtimeCapacityState, RealtimeCapacityEvent, AtCapacity>;
}

interface Kind<Command, State, Event, Refusal> {
  readonly command: Command;
  readonly state: State;
  readonly event: Event;
  readonly refusal: Refusal;
}

export type Aggregates = {
  readonly [Name in keyof Kinds]: Aggregate<
    Kinds[Name]['command'],
    Kinds[Name]['state'],
    Kinds[Name]['event'],
    Kinds[Name]['refusal']
  >;
};

/** A command that was handled. */
export interface Performed<State, Event> extends CommandResult<State, Event> {
  /** Whether the reactions to its events are done; otherwise the reaction process runs them later. */
  readonly reacted: boolean;
}

/**
 * Gives a command of a request to an aggregate, which must have the revision in the request's `If-Match`, if any. Pass
 * the same `context` for each try of a command that is tried more than once.
 */
export type Perform = <Name extends keyof Kinds>(
  request: RequestContext,
  to: Name,
  id: string,
  command: Kinds[Name]['command'],
  context?: CommandContext,
) => TE.TaskEither<
  Kinds[Name]['refusal'] | RevisionChanged | Failure,
  Performed<Kinds[Name]['state'], Kinds[Name]['event']>
>;

/** What the application is built from. */
export interface Dependencies extends Aggregates {
  readonly store: EventStore;
  readonly requestEvents: RequestEvents;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly onErasure: OnErasure;
  readonly keys: PersonalKeys;
  /** The events whose reactions this instance has run lately, so that the process need not run them again. */
  readonly reacted: LRUCache<string, true>;
  /** Called with the event that starts a match run, for the embedded worker of this instance. */
  readonly onRunStarted: (event: RecordedEvent<DomainEvent>) => void;
  /** The stale window of a queued run, in seconds. */
  readonly stale_seconds: number;
}

/** What use cases and processes work with. */
export interface Application extends Dependencies {
  /** Handles a command and runs the reactions to its events. Succeeds even if these fail: the reaction process runs them later. */
  readonly perform: Perform;
  /** The same, but fails if the reactions fail: for answers that must not be sent before, say, a charge is booked. */
  readonly performWithReactions: Perform;
}

/** All aggregates on a store. */
export const aggregates = (
  store: EventStore,
  onErasure: OnErasure = constVoid,
  snapshots: Snapshots = noSnapshots,
): Aggregates => {
  const of = <Command, State, Event extends AnyEvent, Refusal>(
    decider: Decider<Command, State, Event, Refusal>,
    isOwn: (event: AnyEvent) => event is Event,
    kept: Snapshots = noSnapshots,
  ) => aggregate(store, decider, isOwn, onErasure, kept);
  return {
    videos: of(video, isEventOf(videoEvents)),
    audios: of(audio, isEventOf(audioEvents)),
    matchRuns: of(matchRun, isEventOf(matchRunEvents)),
    accounts: of(access, isEventOf(accessEvents)),
    creditAccounts: of(creditAccount, isEventOf(creditAccountEvents), snapshots),
    nameInferences: of(nameInference, isEventOf(nameInferenceEvents)),
    idempotencyKeys: of(idempotencyKey, isEventOf(idempotencyKeyEvents)),
    tagRegistries: of(tagRegistry, isEventOf(tagRegistryEvents)),
    realtimeSessions: of(realtimeSession, isEventOf(realtimeSessionEvents)),
    realtimeCapacities: of(realtimeCapacity, isEventOf(realtimeCapacityEvents), snapshots),
  };
};

/** The parts of the application that a use case needs. */
export type Uses<Names extends keyof Application> = Pick<Application, Names>;

/** The events of a request cannot be read now. */
export type EventsNotFound = StoreUnavailable | ReadModelBehind | ReadModelsUnavailable | InvalidCursor;

/**
 * What links an event of a request to the others. It is without the event's data, because a client may use one request id
 * for any number of changes.
 */
export interface RequestEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly event_id: string;
  /** The event or command that caused it. */
  readonly causation_id: string;
}

/** All events with a request id in some streams, up to the current head of the log. */
export type RequestEvents = (
  streams: ReadonlyArray<string>,
  request_id: string,
) => TaskEither<EventsNotFound | UnreadableEvent, ReadonlyArray<RequestEvent>>;
