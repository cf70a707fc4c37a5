import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import * as t from 'io-ts';
import { systemIds } from '../../../adapters/runtime/ids.js';
import { readEvent } from '../../../application/commands/read-event.js';
import type { EventStore, StoredEvent } from '../../../application/ports/event-store.js';
import { application } from '../../../application/reactions/run.js';
import { audio } from '../../../domain/audio/decider.js';
import { audioEvents } from '../../../domain/audio/events.js';
import type { AudioState } from '../../../domain/audio/state.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { Decider } from '../../../domain/kernel/decider.js';
import { type RecordedEvent, isEventOf } from '../../../domain/kernel/recorded-event.js';
import { video } from '../../../domain/video/decider.js';
import { videoEvents } from '../../../domain/video/events.js';
import type { VideoState } from '../../../domain/video/state.js';
import { audioView, type RecordReplay, replayAudio, replayVideo } from '../../../projections/shown-records.js';
import { runReactions, world } from '../application/world.js';
import { appendCopy, openInMemory, succeeded } from '../event-store/stores.js';
import { type HttpClient, bodyOf } from '../http-client.js';
import type { Acknowledged } from './rounds.js';

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

/** Whether a value has the fields of another, and each item of its lists. */
const contains = (whole: unknown, part: unknown): boolean => {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item: unknown) => whole.some((one: unknown) => contains(one, item)));
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  const fields = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => contains(fields.get(name), value));
};

const recordAt = (events: ReadonlyArray<Recorded>): unknown =>
  events[0]?.stream.startsWith('video-') === true ? videoViewAt(events)?.record : audioRowAt(events)?.record;

/** Whether the first event of a request in the promised stream, or the record right after it, has what was promised. */
const isKept = ({ streams }: WholeLog, { request_id, promised }: Acknowledged): boolean => {
  if (promised === null) return true;
  const own = streams[promised.stream] ?? [];
  // A match first takes over the speakers that a new analysis has renumbered.
  const first = own.find(
    ({ metadata, event }) => metadata.correlation_id === request_id && event.type !== 'SpeakersRenumbered',
  );
  if (first === undefined) return false;
  return [first.event.data, recordAt(own.slice(0, first.revision + 1))].some((one) => contains(one, promised.shown));
};

/** Acknowledged requests that are missing in the log, differ from their answer, or are in another order than the answers. */
export const lostRequests = (log: WholeLog, acknowledged: ReadonlyArray<Acknowledged>): ReadonlyArray<string> => {
  const firsts = new Map(log.events.toReversed().map(({ position, metadata }) => [metadata.correlation_id, position]));
  const last = new Map<number, string>();
  return acknowledged.flatMap((one) => {
    const { client, request_id, position, promised } = one;
    const inOrder = (last.get(client) ?? '') < position;
    last.set(client, position);
    const first = firsts.get(request_id);
    if (first === undefined || first > position) return [`${request_id} at ${position} is lost`];
    if (!inOrder) return [`${request_id} at ${position} is out of order`];
    return isKept(log, one) ? [] : [`${request_id} is not kept: ${JSON.stringify(promised)}`];
  });
};

const Runs = t.type({
  match_runs: t.array(
    t.type({
      run_id: t.string,
      outcome: t.union([t.string, t.null]),
      superseded_by: t.union([t.string, t.null]),
    }),
  ),
});

/** The outcome and successor of each run of a video, by id, from the video's events. */
const expectedRuns = (events: ReadonlyArray<Recorded>) => {
  const runs = new Map<string, { outcome: string | null; superseded_by: string | null }>();
  for (const { event } of events)
    switch (event.type) {
      case 'MatchRunQueued':
        runs.set(event.data.run_id, { outcome: null, superseded_by: null });
        event.data.supersedes.forEach((run_id) => {
          const run = runs.get(run_id);
          if (run !== undefined) run.superseded_by = event.data.run_id;
        });
        break;
      case 'SuggestionsStored':
      case 'MatchesCommitted':
      case 'MatchRunFailed':
        runs.set(event.data.run_id, {
          superseded_by: runs.get(event.data.run_id)?.superseded_by ?? null,
          outcome: event.type === 'MatchRunFailed' ? 'failed' : 'completed',
        });
        break;
      default:
    }
  return Object.fromEntries(runs);
};

const differs = async (
  client: HttpClient,
  path: string,
  view: { readonly record: unknown; readonly revision: number } | null,
): Promise<ReadonlyArray<string>> => {
  const { status, body, headers } = await client.get(path);
  if (view === null) return status === 404 ? [] : [`${path} answers ${status} without a registration`];
  return status === 200 && isDeepStrictEqual(body, view.record) && headers.get('ETag') === `"${view.revision}"`
    ? []
    : [`${path} differs from the record rebuilt from zero: ${status} ${JSON.stringify(body)}`];
};

const wrongRuns = async (
  client: HttpClient,
  video_id: string,
  events: ReadonlyArray<Recorded>,
): Promise<ReadonlyArray<string>> => {
  const { match_runs } = bodyOf(Runs, await client.get(`/v2/videos/${video_id}/match-runs`));
  const shown = Object.fromEntries(
    match_runs.map(({ run_id, outcome, superseded_by }) => [run_id, { outcome, superseded_by }]),
  );
  const expected = expectedRuns(events);
  return isDeepStrictEqual(shown, expected)
    ? []
    : [`match-runs of ${video_id}: ${JSON.stringify(shown)} instead of ${JSON.stringify(expected)}`];
};

/** Differences between the service's answers and the log, for records with events after a position. */
export const wrongAnswers = async (
  client: HttpClient,
  { events, streams }: WholeLog,
  after: string,
): Promise<ReadonlyArray<string>> => {
  const touched = [...new Set(events.filter(({ position }) => position > after).map(({ stream }) => stream))];
  const wrong: string[] = [];
  for (const stream of touched) {
    const id = stream.slice(stream.indexOf('-') + 1);
    const own = streams[stream] ?? [];
    if (stream.startsWith('video-')) {
      wrong.push(...(await differs(client, `/v2/videos/${id}`, videoViewAt(own))));
      wrong.push(...(await wrongRuns(client, id, own)));
    }
    if (stream.startsWith('audio-')) {
      const row = audioRowAt(own);
      const view =
        row && audioView(row, (video_id) => videoViewAt(streams[`video-${video_id}`] ?? [])?.record.kind ?? null);
      wrong.push(...(await differs(client, `/v2/audios/${id}`, view)));
    }
  }
  return wrong;
};

const after =
  <View>(replay: () => RecordReplay<View>) =>
  (events: ReadonlyArray<RecordedEvent<DomainEvent>>): View | null => {
    const { take, view } = replay();
    events.forEach(take);
    return view();
  };

/** The video record after exactly these events of its stream, in order; null before its registration. */
export const videoViewAt = after(replayVideo);

/** The audio's row after exactly these events of its stream, in order; null before its registration. */
export const audioRowAt = after(replayAudio);
