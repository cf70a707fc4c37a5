import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import * as t from 'io-ts';
import { systemIds } from '../../../adapters/runtime/ids.js';
import { readEvent } from '../../../application/commands/read-event.js';
import type { EventStore, StoredEvent } from '../../../application/ports/event-store.js';
import { application } from '../../../application/reactions/run.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../../domain/kernel/recorded-event.js';
import { audioView, type RecordReplay, replayAudio, replayVideo } from '../../../projections/shown-records.js';
import { runReactions, world } from '../application/world.js';
import { appendCopy, openInMemory, succeeded } from '../event-store/stores.js';
import { type HttpClient, bodyOf } from '../http-client.js';
import type { Acknowledged } from './rounds.js';

export type Recorded = RecordedEvent<DomainEvent>;

/** The whole log, and by stream. */
export interface WholeLog {
  readonly events: ReadonlyArray<Recorded>;
  readonly streams: Readonly<Record<string, ReadonlyArray<Recorded>>>;
  /** Events that the reactions write if all of them are run once more. */
  readonly missing: ReadonlyArray<string>;
}

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
  return { events, streams, missing: await missingReactions(stored) };
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

/** The stream of the medium that a video or an audio is linked to; null if there is none. */
const linkOf = (streams: WholeLog['streams'], stream: string): string | null => {
  const events = streams[stream] ?? [];
  const audio_id = stream.startsWith('video-') ? videoViewAt(events)?.record.audio_id : null;
  const video_id = stream.startsWith('audio-') ? audioRowAt(events)?.record.video_id : null;
  if (typeof audio_id === 'string') return `audio-${audio_id}`;
  return typeof video_id === 'string' ? `video-${video_id}` : null;
};

/** Streams with gaps, media that are linked on one side only, and reactions that are missing, whatever was requested. */
export const faultsOfLog = ({ streams, missing }: WholeLog): ReadonlyArray<string> => [
  ...Object.entries(streams).flatMap(([stream, events]) => {
    const linked = linkOf(streams, stream);
    return [
      ...(events.every(({ revision }, index) => revision === index) ? [] : [`${stream} has gaps`]),
      ...(linked === null || linkOf(streams, linked) === stream ? [] : [`${stream} is half linked`]),
    ];
  }),
  ...missing,
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
    if (log.missing.length + missing(log).length === 0 || performance.now() > end) return log;
    await setTimeout(50);
  }
};

/** Acknowledged requests that are missing in the log in whole or in part, or are in another order than the answers. */
export const lostRequests = (log: WholeLog, acknowledged: ReadonlyArray<Acknowledged>): ReadonlyArray<string> => {
  const eventsOf = groupBy(({ metadata }: Recorded) => metadata.correlation_id)([...log.events]);
  const last = new Map<number, string>();
  return acknowledged.flatMap(({ client, request_id, position, names }) => {
    const inOrder = (last.get(client) ?? '') < position;
    last.set(client, position);
    const events = eventsOf[request_id] ?? [];
    if (!events.some((event) => event.position === position)) return [`${request_id} at ${position} is lost`];
    if (!inOrder) return [`${request_id} at ${position} is out of order`];
    const text = JSON.stringify(events);
    return names.every((name) => text.includes(name)) ? [] : [`${request_id} is not kept: ${names.join(', ')}`];
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
export const expectedRuns = (events: ReadonlyArray<Recorded>) => {
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
