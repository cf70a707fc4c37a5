import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { Application } from '../application.js';
import type { Timers } from '../ports/clock.js';
import { type Repetition, repeat } from './sweep.js';
import { type RequestContext, commandContext, serviceRequest } from '../commands/context.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { type DomainEvent, storedVersions } from '../../domain/event-catalogue.js';
import { type AccountId, type VideoId, SessionId } from '../../domain/kernel/ids.js';
import { readLog } from '../audit/read-log.js';
import * as E from 'fp-ts/lib/Either.js';
import { type Position, type RecordedEvent, retentionActor } from '../../domain/kernel/recorded-event.js';
import type { Listing, PageRequest, Queries, RecordSelection } from '../../projections/queries.js';
import type { AudioView, VideoView } from '../../projections/views.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';
import { orThrow } from '../failures.js';
import { eraseAudio, eraseSession, eraseVideo } from '../use-cases/erasure/erase.js';

/** The events of a type, after a position. Throws if they cannot be read. */
async function* eventsOfType(
  store: EventStore,
  type: DomainEvent['type'],
  after: Position | null = null,
): AsyncGenerator<RecordedEvent<DomainEvent>, void> {
  for await (const page of readLog(store, { types: storedVersions(type) }, after))
    for (const stored of orThrow(page)) yield orThrow(readEvent(stored));
}

/** The items of a list. Throws if they cannot be read. */
async function* itemsOf<Item>(
  list: (page: PageRequest) => TE.TaskEither<{ readonly _tag: string }, Listing<Item>>,
): AsyncGenerator<Item, void> {
  for (let cursor: string | null = null; ;) {
    const page: Listing<Item> = orThrow(await list({ limit: 100, cursor })());
    yield* page.items;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** An account's rule: its media are erased after this number of days without an event. */
interface RetentionRule {
  readonly account_id: AccountId;
  readonly days: number;
  /** The id of the event that set the rule. */
  readonly set_by: string;
}

/** The current rules. */
const retentionRules = async (store: EventStore): Promise<ReadonlyArray<RetentionRule>> => {
  const rules = new Map<AccountId, RetentionRule>();
  for await (const { event, event_id: set_by } of eventsOfType(store, 'RetentionSet')) {
    if (event.type !== 'RetentionSet') continue;
    const { account_id, days } = event.data;
    if (days === null) rules.delete(account_id);
    else rules.set(account_id, { account_id, days, set_by });
  }
  return [...rules.values()];
};

/** The streams whose data was erased so far. */
const erasedStreams = async (store: EventStore): Promise<ReadonlySet<string>> => {
  const streams = new Set<string>();
  for await (const { stream } of eventsOfType(store, 'MediumErased')) streams.add(stream);
  return streams;
};

/** A retention run over an account's media and sessions. */
interface RetentionRun {
  readonly app: Application;
  readonly queries: Queries;
  readonly rule: RetentionRule;
  readonly request: RequestContext;
  /** Media with an event since then are kept, and sessions that ended since then. */
  readonly from: Timestamp;
  readonly erased: ReadonlySet<string>;
  readonly isClosed: () => boolean;
}

/** Refusals because somebody else changed, erased or uses the record meanwhile. */
const harmless = [
  'RevisionChanged',
  'MediumErased',
  'UnknownVideo',
  'UnknownAudio',
  'SessionNotFound',
  'SessionRunning',
];

/** Erases a record, and returns whether it did; a record that was changed or erased meanwhile is left. */
const eraseUnlessChanged = async (erasing: TE.TaskEither<{ readonly _tag: string }, unknown>): Promise<boolean> => {
  const answer = await erasing();
  if (E.isLeft(answer) && harmless.includes(answer.left._tag)) return false;
  orThrow(answer);
  return true;
};

type Video = Pick<VideoView, 'record' | 'revision'>;

/** Erases what the account owns of a video and its audio, which count as one, if neither had an event. */
const eraseUnused = async (
  run: RetentionRun,
  lateWrites: ReadonlySet<VideoId | null>,
  video: Video | null,
  audio: AudioView | null,
): Promise<void> => {
  const { app, rule, request, from } = run;
  if (video !== null && (video.record.updated_at >= from || lateWrites.has(video.record.video_id))) return;
  if (audio !== null && (audio.record.updated_at >= from || (audio.inferred_at ?? '') >= from)) return;
  let detachments = 0;
  if (video?.record.owner_id === rule.account_id) {
    const erasing = eraseVideo(app, { ...request, if_match: video.revision }, video.record.video_id);
    if (!(await eraseUnlessChanged(erasing))) return;
    // The audio has one more event: it was detached from the video, which is no use of it (`lastUse`).
    detachments = 1;
  }
  if (audio?.record.owner_id !== rule.account_id) return;
  const if_match = audio.revision + detachments;
  await eraseUnlessChanged(eraseAudio(app, { ...request, if_match }, audio.record.audio_id));
};

/** An account's records, the one that was unchanged for the longest time first. */
const oldestOf = ({ account_id }: RetentionRule): RecordSelection => ({
  owner_id: account_id,
  status: null,
  linked_id: null,
  title: null,
  created: { from: null, to: null },
  sort: 'updated_at',
  descending: false,
});

/** Erases an account's media without an event since `from`. */
const eraseOldMedia = async (run: RetentionRun): Promise<void> => {
  const { queries, rule, from, isClosed } = run;
  const isOver = ({ record }: { readonly record: { readonly updated_at: string } }): boolean =>
    isClosed() || record.updated_at >= from;
  // The only events of a run that are not followed by one of its video.
  const lateWrites = new Set<VideoId | null>();
  for await (const { at, video_id } of itemsOf(queries.lateWrites)) {
    if (at < from) break;
    lateWrites.add(video_id);
  }
  const videos = { ...oldestOf(rule), needs_review: null, tag: null, with_audio: true };
  for await (const video of itemsOf((page) => queries.videos(videos, page))) {
    if (isOver(video)) break;
    await eraseUnused(run, lateWrites, video, video.audio);
  }
  for await (const audio of itemsOf((page) => queries.audios(oldestOf(rule), page))) {
    if (isOver(audio)) break;
    const { video_id } = audio.record;
    const video = video_id === null ? null : orThrow(await queries.video(video_id)());
    await eraseUnused(run, lateWrites, video, audio);
  }
};

/** The owner of a session whose last event does not name it. */
const ownerOf = async (app: Application, session_id: SessionId): Promise<string | null> => {
  const { state } = orThrow(await app.realtimeSessions.load(session_id)());
  return state._tag === 'Ended' ? state.created.account_id : null;
};

/** Erases an account's sessions that ended after a position and before `from`. Returns the position that it has reached. */
const eraseOldSessions = async (run: RetentionRun, after: Position | null): Promise<Position | null> => {
  const { app, rule, request, erased, from, isClosed } = run;
  let reached = after;
  for await (const { event, stream, position, metadata } of eventsOfType(app.store, 'RealtimeSessionEnded', after)) {
    if (isClosed() || metadata.recorded_at >= from) break;
    reached = position;
    if (event.type !== 'RealtimeSessionEnded' || erased.has(stream)) continue;
    const { session_id, account_id } = event.data;
    if (!SessionId.is(session_id) || (account_id ?? (await ownerOf(app, session_id))) !== rule.account_id) continue;
    await eraseUnlessChanged(eraseSession(app, request, session_id));
  }
  return reached;
};

/** What retention needs. `upToHead` waits until the read models cover the whole log. */
export interface RetentionNeeds extends Pick<RetentionRun, 'app' | 'queries'> {
  readonly upToHead: TE.TaskEither<{ readonly _tag: string }, void>;
}

const secondsOfDay = 86_400;

/** The application, with the event that set the rule as the cause of erasures. */
const causedBy = (app: Application, { set_by }: RetentionRule): Application => ({
  ...app,
  perform: (request, to, id, command) =>
    app.perform(request, to, id, command, { ...commandContext(app.ids, request), causation_id: set_by }),
});

/** How far this process has looked at the ended sessions for each rule. */
type CheckedSessions = Map<RetentionRule['set_by'], Position | null>;

const runOnce = async (
  { app, queries, upToHead }: RetentionNeeds,
  checked: CheckedSessions,
  isClosed: () => boolean,
): Promise<void> => {
  const rules = await retentionRules(app.store);
  if (rules.length === 0) return;
  orThrow(await upToHead());
  const at = app.clock.now();
  const erased = await erasedStreams(app.store);
  for (const rule of rules) {
    if (isClosed()) return;
    const from = secondsAfter(at, -rule.days * secondsOfDay);
    const request = serviceRequest(retentionActor, `retention-${app.ids.random()}`, at);
    const run: RetentionRun = { app: causedBy(app, rule), queries, rule, request, from, erased, isClosed };
    await eraseOldMedia(run);
    checked.set(rule.set_by, await eraseOldSessions(run, checked.get(rule.set_by) ?? null));
  }
};

const interval_seconds = 3_600;
const retry_seconds = 60;

/**
 * Erases media and sessions whose retention period is over, immediately and then every hour. After a failure it starts
 * again a minute later.
 */
export const startRetention = (needs: RetentionNeeds, timers: Pick<Timers, 'after'>): Repetition => {
  const checked: CheckedSessions = new Map();
  return repeat(timers, interval_seconds, async (isClosed) => {
    try {
      return await runOnce(needs, checked, isClosed);
    } catch (failure: unknown) {
      if (!isClosed()) needs.app.log.warn('retention was interrupted', { failure: String(failure) });
      return retry_seconds;
    }
  });
};
