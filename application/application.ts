import type * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { LRUCache } from 'lru-cache';
import { accessEvents, accessRefusals } from '../domain/access/contract.js';
import { access } from '../domain/access/decider.js';
import { audio } from '../domain/audio/decider.js';
import { audioRefusals } from '../domain/audio/contract.js';
import { audioEvents } from '../domain/audio/events.js';
import { creditAccountEvents, creditAccountRefusals } from '../domain/credit-account/contract.js';
import { creditAccount } from '../domain/credit-account/decider.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import { idempotencyKeyEvents } from '../domain/idempotency-key/contract.js';
import { idempotencyKey } from '../domain/idempotency-key/decider.js';
import type { Decider } from '../domain/kernel/decider.js';
import { type Position, type RecordedEvent, isEventOf } from '../domain/kernel/recorded-event.js';
import { matchRunEvents } from '../domain/match-run/contract.js';
import { matchRun } from '../domain/match-run/decider.js';
import { nameInferenceEvents } from '../domain/name-inference/contract.js';
import { nameInference } from '../domain/name-inference/decider.js';
import { realtimeCapacityEvents } from '../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../domain/realtime-capacity/decider.js';
import { realtimeSessionEvents, realtimeSessionRefusals } from '../domain/realtime-session/contract.js';
import { realtimeSession } from '../domain/realtime-session/decider.js';
import { tagRegistryEvents } from '../domain/tag-registry/contract.js';
import { tagRegistry } from '../domain/tag-registry/decider.js';
import { videoRefusals } from '../domain/video/contract.js';
import { video } from '../domain/video/decider.js';
import { videoEvents } from '../domain/video/events.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../projections/queries.js';
import type { CommandContext, RequestContext } from './commands/context.js';
import { type Aggregate, type CommandResult, aggregate } from './commands/handle-command.js';
import type { AnyEvent } from './commands/read-event.js';
import type { Failure, RevisionChanged, UnreadableEvent } from './failures.js';
import type { Clock } from './ports/clock.js';
import type { Compare } from './ports/matcher.js';
import type { EventStore, StoreUnavailable } from './ports/event-store.js';
import type { Ids } from './ports/ids.js';
import type { OnErasure, PersonalKeys } from './ports/key-vault.js';
import type { Log } from './ports/log.js';
import { type Snapshots, noSnapshots } from './ports/snapshots.js';

/** All aggregates on a store, by the names that use cases use. */
export const aggregates = (store: EventStore, onErasure: OnErasure = constVoid, snapshots: Snapshots = noSnapshots) => {
  const of = <Command, State, Event extends AnyEvent, Refusal>(
    decider: Decider<Command, State, Event, Refusal>,
    isOwn: (event: AnyEvent) => event is Event,
  ) => aggregate(store, decider, isOwn, onErasure, snapshots);
  return {
    videos: of(video, isEventOf(videoEvents)),
    audios: of(audio, isEventOf(audioEvents)),
    matchRuns: of(matchRun, isEventOf(matchRunEvents)),
    accounts: of(access, isEventOf(accessEvents)),
    creditAccounts: of(creditAccount, isEventOf(creditAccountEvents)),
    nameInferences: of(nameInference, isEventOf(nameInferenceEvents)),
    idempotencyKeys: of(idempotencyKey, isEventOf(idempotencyKeyEvents)),
    tagRegistries: of(tagRegistry, isEventOf(tagRegistryEvents)),
    realtimeSessions: of(realtimeSession, isEventOf(realtimeSessionEvents)),
    realtimeCapacities: of(realtimeCapacity, isEventOf(realtimeCapacityEvents)),
  };
};

type Kind<Of> =
  Of extends Aggregate<infer Command, infer State, infer Event, infer Refusal>
    ? { readonly command: Command; readonly state: State; readonly event: Event; readonly refusal: Refusal }
    : never;
export type Kinds = {
  readonly [Name in keyof ReturnType<typeof aggregates>]: Kind<ReturnType<typeof aggregates>[Name]>;
};

export type Aggregates = {
  readonly [Name in keyof Kinds]: Aggregate<
    Kinds[Name]['command'],
    Kinds[Name]['state'],
    Kinds[Name]['event'],
    Kinds[Name]['refusal']
  >;
};

/** The refusals that each command can get; of an aggregate that is not in it, all of the aggregate. */
const declaredRefusals = {
  videos: videoRefusals,
  audios: audioRefusals,
  accounts: accessRefusals,
  creditAccounts: creditAccountRefusals,
  realtimeSessions: realtimeSessionRefusals,
};
type Declared = typeof declaredRefusals;

/** Refusals that any command to a video or an audio can get. */
const undeclared = ['UnknownVideo', 'UnknownAudio'] as const;

type TagOf<Name, Type> = Name extends keyof Declared
  ? Type extends keyof Declared[Name]
    ? Declared[Name][Type] extends ReadonlyArray<infer Tag>
      ? Tag | (typeof undeclared)[number]
      : never
    : never
  : string;

/** The refusals of a command. */
export type RefusalOf<Name extends keyof Kinds, Command extends { readonly type: string }> = Extract<
  Kinds[Name]['refusal'],
  { readonly _tag: TagOf<Name, Command['type']> }
>;

const declaredFor: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = declaredRefusals;

/** Makes a type guard for the refusals of a command. */
export const isRefusalOf =
  <Name extends keyof Kinds, Command extends Kinds[Name]['command']>(to: Name, { type }: Command) =>
  (refusal: { readonly _tag: string }): refusal is RefusalOf<Name, Command> => {
    const declared = declaredFor[to]?.[type];
    return declared === undefined || [...undeclared, ...declared].includes(refusal._tag);
  };

/** The aggregates to which commands follow from events of others. */
type Following = 'videos' | 'audios' | 'matchRuns' | 'creditAccounts' | 'realtimeSessions' | 'realtimeCapacities';

/** A command to another stream that follows from an event. */
export type FollowUp<To extends Following = Following> = {
  readonly [Name in Following]: { readonly to: Name; readonly id: string; readonly command: Kinds[Name]['command'] };
}[To];

/** A command that was handled. */
export interface Performed<State, Event> extends CommandResult<State, Event> {
  /** Why the reactions to its events were not run: the reaction process runs them later. Null if they were. */
  readonly unreacted: Failure | null;
}

/**
 * Gives a command of a request to an aggregate, which must have the revision in the request's `If-Match`, if any. Pass
 * the same `context` for each try of a command that is tried more than once.
 */
export type Perform = <Name extends keyof Kinds, const Command extends Kinds[Name]['command']>(
  request: RequestContext,
  to: Name,
  id: string,
  command: Command,
  context?: CommandContext,
) => TE.TaskEither<
  RefusalOf<Name, Command> | RevisionChanged | Failure,
  Performed<Kinds[Name]['state'], Kinds[Name]['event']>
>;

/** What the application is built from. */
export interface Dependencies extends Aggregates {
  readonly store: EventStore;
  readonly requestEvents: RequestEvents;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Finds which ids of an analysis continue which earlier ones. */
  readonly compare: Compare;
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
  /** The events of a command that is performed; with `dry_run` those that it would have, and nothing is written. */
  readonly eventsOf: <Name extends keyof Kinds, const Command extends Kinds[Name]['command']>(
    request: RequestContext,
    to: Name,
    id: string,
    command: Command,
    dry_run: boolean,
    context?: CommandContext,
  ) => TE.TaskEither<RefusalOf<Name, Command> | RevisionChanged | Failure, ReadonlyArray<Kinds[Name]['event']>>;
}

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
  readonly correlation_id: string;
  /** The event or command that caused it. */
  readonly causation_id: string;
}

/** All events with a request id in some streams, up to the current head of the log. */
export type RequestEvents = (
  streams: ReadonlyArray<string>,
  request_id: string,
) => TE.TaskEither<EventsNotFound | UnreadableEvent, ReadonlyArray<RequestEvent>>;
