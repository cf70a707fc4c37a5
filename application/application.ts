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
import { type CreditAccountState, creditAccount } from '../domain/credit-account/decider.js';
import {
  type IdempotencyKeyCommand,
  type IdempotencyKeyEvent,
  type IdempotencyKeyRefusal,
  idempotencyKeyEvents,
} from '../domain/idempotency-key/contract.js';
import { type IdempotencyKeyState, idempotencyKey } from '../domain/idempotency-key/decider.js';
import { isEventOf } from '../domain/kernel/event-codecs.js';
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
import { type Aggregate, aggregate } from './handle-command.js';
import type { Clock } from './ports/clock.js';
import type { EventStore } from './ports/event-store.js';
import type { Ids } from './ports/ids.js';
import type { Log } from './ports/log.js';
import { type StoreNews, noNews } from './ports/store-news.js';
import type { CarriedOut } from './reactions/carried-out.js';

export interface Aggregates {
  readonly videos: Aggregate<VideoCommand, VideoState, VideoEvent, VideoRefusal>;
  readonly audios: Aggregate<AudioCommand, AudioState, AudioEvent, AudioRefusal>;
  readonly matchRuns: Aggregate<MatchRunCommand, MatchRunState, MatchRunEvent, MatchRunRefusal>;
  readonly accounts: Aggregate<AccessCommand, AccessState, AccessEvent, AccessRefusal>;
  readonly creditAccounts: Aggregate<
    CreditAccountCommand,
    CreditAccountState,
    CreditAccountEvent,
    CreditAccountRefusal
  >;
  readonly nameInferences: Aggregate<
    NameInferenceCommand,
    NameInferenceState,
    NameInferenceEvent,
    NameInferenceRefusal
  >;
  readonly idempotencyKeys: Aggregate<
    IdempotencyKeyCommand,
    IdempotencyKeyState,
    IdempotencyKeyEvent,
    IdempotencyKeyRefusal
  >;
  readonly tagRegistries: Aggregate<RegisterTagKey, TagRegistryState, TagRegistryEvent, never>;
  readonly realtimeSessions: Aggregate<
    RealtimeSessionCommand,
    RealtimeSessionState,
    RealtimeSessionEvent,
    RealtimeSessionRefusal
  >;
  readonly realtimeCapacities: Aggregate<
    RealtimeCapacityCommand,
    RealtimeCapacityState,
    RealtimeCapacityEvent,
    AtCapacity
  >;
}

/** What use cases and processes work with. */
export interface Application extends Aggregates {
  readonly store: EventStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly news: StoreNews;
  readonly carried_out: CarriedOut;
  /** The stale window of a queued run, in seconds. */
  readonly stale_seconds: number;
}

/** Without news of the store, every state is asked of it. */
export const aggregates = (store: EventStore, news: StoreNews = noNews): Aggregates => ({
  videos: aggregate(store, video, isEventOf(videoEvents), news),
  audios: aggregate(store, audio, isEventOf(audioEvents), news),
  matchRuns: aggregate(store, matchRun, isEventOf(matchRunEvents), news),
  accounts: aggregate(store, access, isEventOf(accessEvents), news),
  creditAccounts: aggregate(store, creditAccount, isEventOf(creditAccountEvents), news),
  nameInferences: aggregate(store, nameInference, isEventOf(nameInferenceEvents), news),
  idempotencyKeys: aggregate(store, idempotencyKey, isEventOf(idempotencyKeyEvents), news),
  tagRegistries: aggregate(store, tagRegistry, isEventOf(tagRegistryEvents), news),
  realtimeSessions: aggregate(store, realtimeSession, isEventOf(realtimeSessionEvents), news),
  realtimeCapacities: aggregate(store, realtimeCapacity, isEventOf(realtimeCapacityEvents), news),
});
