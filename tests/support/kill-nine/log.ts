import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import { systemIds } from '../../../adapters/runtime/ids.js';
import type { EventStore, StoredEvent } from '../../../application/ports/event-store.js';
import type { FollowUp } from '../../../application/application.js';
import { withNumbersOfVideo } from '../../../application/reactions/follow-ups.js';
import { followUpsOf, reactionTo } from '../../../application/reactions/table.js';
import { readEvent } from '../../../application/commands/read-event.js';
import type { AudioCommand } from '../../../domain/audio/contract.js';
import { audio } from '../../../domain/audio/decider.js';
import { audioEvents } from '../../../domain/audio/events.js';
import type { AudioState } from '../../../domain/audio/state.js';
import { creditAccountEvents } from '../../../domain/credit-account/contract.js';
import { creditAccount } from '../../../domain/credit-account/decider.js';
import type { CreditAccountState } from '../../../domain/credit-account/state.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { Decider } from '../../../domain/kernel/decider.js';
import { type RecordedEvent, isEventOf } from '../../../domain/kernel/recorded-event.js';
import { matchRunEvents } from '../../../domain/match-run/contract.js';
import { type MatchRunState, matchRun } from '../../../domain/match-run/decider.js';
import { realtimeCapacityEvents } from '../../../domain/realtime-capacity/contract.js';
import { type RealtimeCapacityState, realtimeCapacity } from '../../../domain/realtime-capacity/decider.js';
import { realtimeSessionEvents } from '../../../domain/realtime-session/contract.js';
import { type RealtimeSessionState, realtimeSession } from '../../../domain/realtime-session/decider.js';
import { video } from '../../../domain/video/decider.js';
import { videoEvents } from '../../../domain/video/events.js';
import type { VideoState } from '../../../domain/video/state.js';
import { succeeded } from '../event-store/outcomes.js';

export type Recorded = RecordedEvent<DomainEvent>;

/** The whole log, by stream and folded. */
export interface WholeLog {
  readonly events: ReadonlyArray<Recorded>;
  readonly streams: Readonly<Record<string, ReadonlyArray<Recorded>>>;
  readonly videos: ReadonlyMap<string, VideoState>;
  readonly audios: ReadonlyMap<string, AudioState>;
  readonly runs: ReadonlyMap<string, MatchRunState>;
  readonly accounts: ReadonlyMap<string, CreditAccountState>;
  readonly sessions: ReadonlyMap<string, RealtimeSessionState>;
  readonly slots: ReadonlyMap<string, RealtimeCapacityState>;
}

type Streams = WholeLog['streams'];

const folded = <Command, State, Event extends DomainEvent, Refusal>(
  streams: Streams,
  { category, initial, evolve }: Decider<Command, State, Event, Refusal>,
  isOwn: (event: DomainEvent) => event is Event,
): ReadonlyMap<string, State> =>
  new Map(
    Object.entries(streams)
      .filter(([stream]) => stream.startsWith(`${category}-`))
      .map(([stream, events]) => [
        stream.slice(category.length + 1),
        events.reduce((state, { event, revision }) => (isOwn(event) ? evolve(state, event, revision) : state), initial),
      ]),
  );

const pageSize = 1_000;

/** Reads page by page: a single read of everything exceeds the deadline on a busy machine. */
const everyEvent = async (store: EventStore): Promise<ReadonlyArray<StoredEvent>> => {
  const found: StoredEvent[] = [];
  for (;;) {
    const { events } = await succeeded(store.readAll(found.at(-1)?.position ?? null, {}, pageSize));
    found.push(...events);
    if (events.length === 0) return found;
  }
};

/** Rejects if an event cannot be read. Nothing is erased in these logs, so every event has its key. */
export const readLog = async (store: EventStore): Promise<WholeLog> => {
  const stored = await everyEvent(store);
  const events = stored.map((event) => {
    const read = readEvent(event);
    if (E.isLeft(read)) throw new Error(`unreadable: ${read.left.stream} ${read.left.revision}: ${read.left.reason}`);
    const { stream, revision, event: domainEvent } = read.right;
    if (domainEvent.type === 'Withheld') throw new Error(`withheld: ${stream} ${revision}: ${domainEvent.data.why}`);
    return read.right;
  });
  const streams: Streams = groupBy(({ stream }: Recorded) => stream)(events);
  return {
    events,
    streams,
    videos: folded(streams, video, isEventOf(videoEvents)),
    audios: folded(streams, audio, isEventOf(audioEvents)),
    runs: folded(streams, matchRun, isEventOf(matchRunEvents)),
    accounts: folded(streams, creditAccount, isEventOf(creditAccountEvents)),
    sessions: folded(streams, realtimeSession, isEventOf(realtimeSessionEvents)),
    slots: folded(streams, realtimeCapacity, isEventOf(realtimeCapacityEvents)),
  };
};

export const gaps = ({ streams }: WholeLog): ReadonlyArray<string> =>
  Object.entries(streams).flatMap(([stream, events]) =>
    events.every(({ revision }, index) => revision === index) ? [] : [`${stream} has gaps`],
  );

const wouldChange = (decision: E.Either<unknown, ReadonlyArray<unknown>>): boolean =>
  E.isRight(decision) && decision.right.length > 0;

/** As the command is carried out. */
const audioCommand = ({ videos }: WholeLog, command: AudioCommand): AudioCommand =>
  command.type === 'FollowFaceMatch'
    ? withNumbersOfVideo(command, videos.get(command.video_id) ?? video.initial)
    : command;

const isOpen = (log: WholeLog, followUp: FollowUp): boolean => {
  const { videos, audios, runs, accounts, sessions, slots } = log;
  switch (followUp.to) {
    case 'videos':
      return wouldChange(video.decide(followUp.command, videos.get(followUp.id) ?? video.initial));
    case 'audios':
      return wouldChange(audio.decide(audioCommand(log, followUp.command), audios.get(followUp.id) ?? audio.initial));
    case 'creditAccounts':
      return wouldChange(creditAccount.decide(followUp.command, accounts.get(followUp.id) ?? creditAccount.initial));
    case 'matchRuns':
      return wouldChange(matchRun.decide(followUp.command, runs.get(followUp.id) ?? matchRun.initial));
    case 'realtimeSessions':
      return wouldChange(
        realtimeSession.decide(followUp.command, sessions.get(followUp.id) ?? realtimeSession.initial),
      );
    case 'realtimeCapacities':
      return wouldChange(realtimeCapacity.decide(followUp.command, slots.get(followUp.id) ?? realtimeCapacity.initial));
  }
};

/** Reactions that are missing: follow-up commands that would still change something. */
export const missingReactions = (log: WholeLog): ReadonlyArray<string> => {
  const ids = new Set(log.events.map(({ event_id }) => event_id));
  return log.events.flatMap((recorded) => {
    const { stream, revision, event, event_id } = recorded;
    const owner = log.audios.get(stream.slice('audio-'.length));
    const parent = owner?._tag === 'Registered' ? owner.video_id : null;
    return followUpsOf(reactionTo(recorded), parent)
      .filter((followUp, index) => !ids.has(systemIds.derived(event_id, `follow/${index}/0`)) && isOpen(log, followUp))
      .map(
        ({ to, id, command }) =>
          `${stream} ${revision} ${event.type}: ${command.type} to ${id} of the ${to} was not done`,
      );
  });
};

/** Videos and audios that are linked on one side only. */
export const halfLinked = ({ videos, audios }: WholeLog): ReadonlyArray<string> => [
  ...[...videos].flatMap(([video_id, state]) => {
    if (state._tag !== 'Registered' || state.audio_id === null) return [];
    const linked = audios.get(state.audio_id);
    return linked?._tag === 'Registered' && linked.video_id === video_id ? [] : [`video ${video_id} is half linked`];
  }),
  ...[...audios].flatMap(([audio_id, state]) => {
    if (state._tag !== 'Registered' || state.video_id === null) return [];
    const linked = videos.get(state.video_id);
    return linked?._tag === 'Registered' && linked.audio_id === audio_id ? [] : [`audio ${audio_id} is half linked`];
  }),
];

/** The log once no reaction is missing and nothing else is either, or after the time limit. */
export const settledLog = async (
  store: EventStore,
  patience_ms: number,
  missing: (log: WholeLog) => ReadonlyArray<string> = () => [],
): Promise<WholeLog> => {
  const end = performance.now() + patience_ms;
  for (;;) {
    const log = await readLog(store);
    if (missingReactions(log).length + missing(log).length === 0 || performance.now() > end) return log;
    await setTimeout(50);
  }
};
