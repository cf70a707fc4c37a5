import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import { systemIds } from '../../../adapters/runtime/ids.js';
import type { EventStore, StoredEvent } from '../../../application/ports/event-store.js';
import { application } from '../../../application/reactions/run.js';
import { readEvent } from '../../../application/commands/read-event.js';
import { audio } from '../../../domain/audio/decider.js';
import { audioEvents } from '../../../domain/audio/events.js';
import type { AudioState } from '../../../domain/audio/state.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { Decider } from '../../../domain/kernel/decider.js';
import { type RecordedEvent, isEventOf } from '../../../domain/kernel/recorded-event.js';
import { video } from '../../../domain/video/decider.js';
import { videoEvents } from '../../../domain/video/events.js';
import type { VideoState } from '../../../domain/video/state.js';
import { runReactions } from '../application/run-reactions.js';
import { world } from '../application/world.js';
import { appendCopy } from '../event-store/events.js';
import { openInMemory } from '../event-store/in-memory.js';
import { succeeded } from '../event-store/outcomes.js';

export type Recorded = RecordedEvent<DomainEvent>;

/** The whole log, by stream and folded. */
export interface WholeLog {
  readonly events: ReadonlyArray<Recorded>;
  readonly streams: Readonly<Record<string, ReadonlyArray<Recorded>>>;
  readonly videos: ReadonlyMap<string, VideoState>;
  readonly audios: ReadonlyMap<string, AudioState>;
  /** Events that the reactions write if all of them are run once more. */
  readonly missing: ReadonlyArray<string>;
}

const folded = <Command, State, Event extends DomainEvent, Refusal>(
  streams: WholeLog['streams'],
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
const everyEvent = async (store: EventStore, after: string | null = null): Promise<ReadonlyArray<StoredEvent>> => {
  const found: StoredEvent[] = [];
  for (;;) {
    const { events } = await succeeded(store.readAll(found.at(-1)?.position ?? after, {}, pageSize));
    found.push(...events);
    if (events.length === 0) return found;
  }
};

/** Runs the reactions to all events on a copy of the log. */
const missingReactions = async (events: ReadonlyArray<StoredEvent>): Promise<ReadonlyArray<string>> => {
  const { store, close } = await openInMemory();
  for (const event of events) await appendCopy(store, event);
  const head = await succeeded(store.head());
  await runReactions(application({ ...world(store).app, ids: systemIds }));
  const written = await everyEvent(store, head);
  await close();
  return written.map(({ stream, type }) => `${type} in ${stream} was not written`);
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
  const streams: WholeLog['streams'] = groupBy(({ stream }: Recorded) => stream)(events);
  return {
    events,
    streams,
    videos: folded(streams, video, isEventOf(videoEvents)),
    audios: folded(streams, audio, isEventOf(audioEvents)),
    missing: await missingReactions(stored),
  };
};

/** Streams with gaps, and videos and audios that are linked on one side only. */
const broken = ({ streams, videos, audios }: WholeLog): ReadonlyArray<string> => [
  ...Object.entries(streams).flatMap(([stream, events]) =>
    events.every(({ revision }, index) => revision === index) ? [] : [`${stream} has gaps`],
  ),
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

/** What is wrong with a log, whatever was requested. */
export const faultsOfLog = (log: WholeLog): ReadonlyArray<string> => [...broken(log), ...log.missing];

/** The log once no reaction is missing and nothing else is either, or after the time limit. */
export const settledLog = async (
  store: EventStore,
  patience_ms: number,
  missing: (log: WholeLog) => ReadonlyArray<string> = () => [],
): Promise<WholeLog> => {
  const end = performance.now() + patience_ms;
  for (;;) {
    const log = await readLog(store);
    if (log.missing.length + missing(log).length === 0 || performance.now() > end) return log;
    await setTimeout(50);
  }
};
