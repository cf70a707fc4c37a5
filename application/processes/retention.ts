import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { Application } from '../application.js';
import type { Timers } from '../ports/clock.js';
import { type Repetition, repeat } from './sweep.js';
import { type RequestContext, commandContext, serviceRequest } from '../commands/context.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { storedVersions } from '../../domain/event-catalogue.js';
import { type AccountId, type VideoId, AudioId, SessionId } from '../../domain/kernel/ids.js';
import { readLog } from '../audit/read-log.js';
import * as E from 'fp-ts/lib/Either.js';
import { EventMetadata } from '../../domain/kernel/recorded-event.js';
import { type EventSelection, everyEvent } from '../../projections/event-selection.js';
import type { ListedRun, Listing, PageRequest, Queries, RecordSelection } from '../../projections/queries.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';
import { type SelectedEvents, readSelection } from '../queries/events.js';
import { eraseAudio, eraseSession, eraseVideo } from '../use-cases/erasure/erase.js';

/** Ends a retention run; the next one starts again. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The result of a task; throws `Interrupted` if it fails. */
const orInterrupt = async <Value>(asked: TE.TaskEither<{ readonly _tag: string }, Value>): Promise<Value> => {
  const answer = await asked();
  if (E.isLeft(answer)) throw new Interrupted(answer.left._tag);
  return answer.right;
};

/** Refusals because somebody else changed, erased or uses the record meanwhile. */
const harmless = [
  'RevisionChanged',
  'MediumErased',
  'UnknownVideo',
  'UnknownAudio',
  'SessionNotFound',
  'SessionRunning',
];

/** Erases a record, and returns whether it did; a record that was changed or erased meanwhile is left. Throws `Interrupted`. */
const eraseUnlessChanged = async (erasing: TE.TaskEither<{ readonly _tag: string }, unknown>): Promise<boolean> => {
  const answer = await erasing();
  if (E.isRight(answer)) return true;
  if (harmless.includes(answer.left._tag)) return false;
  throw new Interrupted(answer.left._tag);
};

/** The actor of erasures by retention. */
export const retentionActor = 'retention';

/** Where retention reads from. */
interface Sources {
  readonly store: EventStore;
  readonly queries: Queries;
}

/** An account's rule: its media are erased after this number of days without an event. */
interface RetentionRule {
  readonly account_id: AccountId;
  readonly days: number;
  /** The id of the event that set the rule. */
  readonly set_by: string;
}

/** The current rules. Throws `Interrupted`. */
const retentionRules = async (store: EventStore): Promise<ReadonlyArray<RetentionRule>> => {
  const rules = new Map<AccountId, RetentionRule>();
  for await (const page of readLog(store, { types: storedVersions('RetentionSet') }))
    for (const stored of await orInterrupt(TE.fromEither(page))) {
      const { event, event_id } = await orInterrupt(TE.fromEither(readEvent(stored)));
      if (event.type !== 'RetentionSet') continue;
      const { account_id, days } = event.data;
      if (days === null) rules.delete(account_id);
      else rules.set(account_id, { account_id, days, set_by: event_id });
    }
  return [...rules.values()];
};

/** A video with its audio, or one of the two alone. */
interface Group {
  readonly video_id: VideoId | null;
  readonly audio_id: AudioId | null;
}

const limit = 1_000;

/** The events of a selection. Throws `Interrupted`. */
async function* selected(
  { store, queries }: Sources,
  selection: Partial<EventSelection>,
): AsyncGenerator<StoredEvent, void> {
  for (let cursor: string | null = null; ;) {
    const asked = readSelection(store, queries, { ...everyEvent, ...selection }, { limit, cursor, until: null });
    const page: SelectedEvents = await orInterrupt(asked);
    yield* page.events;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** An erasure by retention also writes to the linked record; this does not count as use. */
const isUse = ({ metadata }: StoredEvent): boolean => {
  const known = EventMetadata.decode(metadata);
  return E.isLeft(known) || known.right.actor.key_id !== retentionActor;
};

const isUsedSince = async (sources: Sources, stream: string, from: Timestamp): Promise<boolean> => {
  for await (const event of selected(sources, { stream, from })) if (isUse(event)) return true;
  return false;
};

const streamsOf = async ({ queries }: Sources, { video_id, audio_id }: Group): Promise<ReadonlyArray<string>> => {
  const streams = audio_id === null ? [] : ['audio', 'speakerTurns', 'transcript'].map((kind) => `${kind}-${audio_id}`);
  if (video_id === null) return streams;
  streams.push(`video-${video_id}`, `faceTracks-${video_id}`);
  for (let cursor: string | null = null; ;) {
    const runs: Listing<ListedRun> = await orInterrupt(queries.matchRuns(video_id, { limit, cursor }));
    streams.push(...runs.items.map(({ run_id }) => `matchRun-${run_id}`));
    if (runs.next_cursor === null) return streams;
    cursor = runs.next_cursor;
  }
};

/** Whether names were inferred for a group's audio since a time. */
const isInferredSince = async ({ queries }: Sources, { audio_id }: Group, from: Timestamp): Promise<boolean> =>
  audio_id !== null && ((await orInterrupt(queries.audio(audio_id)))?.inferred_at ?? '') >= from;

/** Whether the streams, match runs or name inferences of a group have events since a time. Throws `Interrupted`. */
const isUsed = async (sources: Sources, group: Group, from: Timestamp): Promise<boolean> => {
  if (await isInferredSince(sources, group, from)) return true;
  for (const stream of await streamsOf(sources, group)) if (await isUsedSince(sources, stream, from)) return true;
  return false;
};

/** A retention run over an account's media and sessions. */
interface RetentionRun extends Sources {
  readonly app: Application;
  readonly rule: RetentionRule;
  readonly request: RequestContext;
  /** Media with an event since then are kept, and sessions that ended since then. */
  readonly from: Timestamp;
  /** Detachments before this time were looked at by an earlier run. */
  readonly detachedFrom: Timestamp;
  /** Sessions that ended before this time were handled by an earlier run; null: there was none. */
  readonly handledUntil: Timestamp | null;
  readonly isClosed: () => boolean;
}

/** The account's records without a change since `from`, oldest first. */
async function* unchanged<Item extends { readonly record: { readonly updated_at: string } }>(
  { from, isClosed }: RetentionRun,
  list: (page: PageRequest) => TE.TaskEither<{ readonly _tag: string }, Listing<Item>>,
): AsyncGenerator<Item, void> {
  for (let cursor: string | null = null; ;) {
    const page: Listing<Item> = await orInterrupt(list({ limit: 100, cursor }));
    for (const item of page.items) {
      if (isClosed() || item.record.updated_at >= from) return;
      yield item;
    }
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

const oldestOf = ({ account_id }: RetentionRule): RecordSelection => ({
  owner_id: account_id,
  status: null,
  linked_id: null,
  title: null,
  created: { from: null, to: null },
  sort: 'updated_at',
  descending: false,
});

/** Erases an unused group's records that the account owns. Reads revisions first, so that later writes cause a conflict. */
const eraseUntouched = async (run: RetentionRun, { video_id, audio_id }: Group): Promise<void> => {
  const { app, rule, request, from } = run;
  const video = video_id === null ? null : await orInterrupt(app.videos.load(video_id));
  const audio = audio_id === null ? null : await orInterrupt(app.audios.load(audio_id));
  if (await isUsed(run, { video_id, audio_id }, from)) return;
  let detachments = 0;
  if (video_id !== null && video?.state._tag === 'Registered' && video.state.owner_id === rule.account_id) {
    if (!(await eraseUnlessChanged(eraseVideo(app, { ...request, if_match: video.revision }, video_id)))) return;
    // The audio has one more event: it was detached from the video.
    detachments = 1;
  }
  if (audio_id === null || audio?.state._tag !== 'Registered' || audio.state.owner_id !== rule.account_id) return;
  await eraseUnlessChanged(eraseAudio(app, { ...request, if_match: audio.revision + detachments }, audio_id));
};

/**
 * Audios whose video was erased by an earlier run that crashed before it erased them. The detachment that it wrote is
 * recent, so their time of change does not show that they are due.
 */
async function* detachedAudios(run: RetentionRun): AsyncGenerator<AudioId, void> {
  const { rule, detachedFrom: from, queries } = run;
  for await (const stored of selected(run, { category: 'video', type: 'MediumErased', actor: retentionActor, from })) {
    const { event } = await orInterrupt(TE.fromEither(readEvent(stored)));
    if (event.type !== 'MediumErased' || event.data.owner_id !== rule.account_id) continue;
    const { linked } = event.data;
    if (AudioId.is(linked) && (await orInterrupt(queries.audio(linked)))?.record.video_id === null) yield linked;
  }
}

/** Erases an account's media without an event since `from`. Throws `Interrupted`. */
const eraseOldMedia = async (run: RetentionRun): Promise<void> => {
  const { queries, rule, from } = run;
  const selection = oldestOf(rule);
  const videos = { ...selection, needs_review: null, tag: null, with_audio: true };
  const isOld = (updated_at: string | undefined): boolean => (updated_at ?? '') < from;
  for await (const { record, audio } of unchanged(run, (page) => queries.videos(videos, page)))
    if (isOld(audio?.record.updated_at)) await eraseUntouched(run, record);
  for await (const { record } of unchanged(run, (page) => queries.audios(selection, page))) {
    const parent: VideoId | null = record.video_id;
    await eraseUntouched(run, { video_id: parent, audio_id: record.audio_id });
  }
  for await (const audio_id of detachedAudios(run)) await eraseUntouched(run, { video_id: null, audio_id });
};

/** Erases an account's sessions that ended before `from`. Throws `Interrupted`. */
const eraseOldSessions = async (run: RetentionRun): Promise<void> => {
  const { app, rule, request, handledUntil, from, isClosed } = run;
  const gone = new Set<string>();
  const erasures = { category: 'realtimeSession', type: 'MediumErased', from: handledUntil };
  for await (const { stream } of selected(run, erasures)) gone.add(stream);
  for await (const stored of selected(run, { type: 'RealtimeSessionEnded', from: handledUntil, to: from })) {
    if (isClosed()) return;
    if (gone.has(stored.stream)) continue;
    const { event } = await orInterrupt(TE.fromEither(readEvent(stored)));
    if (event.type !== 'RealtimeSessionEnded' || !SessionId.is(event.data.session_id)) continue;
    const { session_id, account_id } = event.data;
    if ((account_id ?? (await ownerOf(app, session_id))) !== rule.account_id) continue;
    await eraseUnlessChanged(eraseSession(app, request, session_id));
  }
};

/** The owner of a session whose last event does not name it. */
const ownerOf = async (app: Application, session_id: SessionId): Promise<string | null> => {
  const { state } = await orInterrupt(app.realtimeSessions.load(session_id));
  return state._tag === 'Ended' ? state.created.account_id : null;
};

/** What retention needs. `upToHead` waits until the read models cover the whole log. */
export interface RetentionNeeds extends Pick<Sources, 'queries'> {
  readonly app: Application;
  readonly upToHead: TE.TaskEither<{ readonly _tag: string }, void>;
}

const secondsOfDay = 86_400;

/** The application, with the event that set the rule as the cause of erasures. */
const causedBy = (app: Application, { set_by }: RetentionRule): Application => ({
  ...app,
  perform: (request, to, id, command) =>
    app.perform(request, to, id, command, { ...commandContext(app.ids, request), causation_id: set_by }),
});

/** When this process last checked each rule. */
type Checks = Map<RetentionRule['set_by'], Timestamp>;

const runOnce = async (
  { app, queries, upToHead }: RetentionNeeds,
  checks: Checks,
  isClosed: () => boolean,
): Promise<void> => {
  const sources: Sources = { store: app.store, queries };
  const rules = await retentionRules(app.store);
  if (rules.length === 0) return;
  await orInterrupt(upToHead);
  const at = app.clock.now();
  for (const rule of rules) {
    if (isClosed()) return;
    const dueBefore = (time: Timestamp): Timestamp => secondsAfter(time, -rule.days * secondsOfDay);
    const from = dueBefore(at);
    const last = checks.get(rule.set_by) ?? null;
    const request = serviceRequest(retentionActor, `retention-${app.ids.random()}`, at);
    const run: RetentionRun = {
      ...sources,
      app: causedBy(app, rule),
      rule,
      request,
      from,
      detachedFrom: last ?? from,
      handledUntil: last === null ? null : dueBefore(last),
      isClosed,
    };
    await eraseOldMedia(run);
    await eraseOldSessions(run);
    if (!isClosed()) checks.set(rule.set_by, at);
  }
};

const interval_seconds = 3_600;
const retry_seconds = 60;

/**
 * Erases media and sessions whose retention period is over, immediately and then every hour. After a failure it starts
 * again a minute later.
 */
export const startRetention = (needs: RetentionNeeds, timers: Pick<Timers, 'after'>): Repetition => {
  const checks: Checks = new Map();
  return repeat(timers, interval_seconds, async (isClosed) => {
    try {
      return await runOnce(needs, checks, isClosed);
    } catch (failure: unknown) {
      if (!(failure instanceof Interrupted)) throw failure;
      if (!isClosed()) needs.app.log.warn('retention was interrupted', { failure: failure.message });
      return retry_seconds;
    }
  });
};
