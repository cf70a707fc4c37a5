import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { Listing, PageRequest } from '../../projections/queries.js';
import type { RecordSelection } from '../../projections/record-list.js';
import type { Application } from '../application.js';
import type { Timers } from '../ports/timers.js';
import { type Repetition, repeat } from '../processes/repeat.js';
import { type RequestContext, commandContext } from '../request-context.js';
import { serviceRequest } from '../service-caller.js';
import { eraseAudio, eraseVideo } from '../use-cases/erase.js';
import { Interrupted, had } from './interrupted.js';
import { type RetentionRule, retentionRules } from './rules.js';
import { type Group, type Places, inferredSince, isTouched, retentionActor } from './touched.js';

/** What a look needs: `upToHead` waits until the read models show all that the log holds. */
export interface Looking extends Pick<Places, 'queries'> {
  readonly app: Application;
  readonly upToHead: TaskEither<{ readonly _tag: string }, void>;
}

const secondsOfDay = 86_400;
const limit = 100;

/** What a look at one account's media goes by. */
interface Look extends Places {
  readonly app: Application;
  readonly rule: RetentionRule;
  readonly request: RequestContext;
  /** What had an event since then stays. */
  readonly from: Timestamp;
  readonly inferred: ReadonlySet<AudioId>;
  readonly isClosed: () => boolean;
}

/** Its records that were not changed since a time, the oldest first. */
async function* unchanged<Item extends { readonly record: { readonly updated_at: string } }>(
  { from, isClosed }: Look,
  list: (page: PageRequest) => TaskEither<{ readonly _tag: string }, Listing<Item>>,
): AsyncGenerator<Item, void> {
  for (let cursor: string | null = null; ;) {
    const page: Listing<Item> = await had(list({ limit, cursor }));
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

/** Erases on the condition of a revision. What somebody was faster with stays, or is gone already. */
const erased = async (erasing: ReturnType<typeof eraseVideo> | ReturnType<typeof eraseAudio>): Promise<boolean> => {
  const answer = await erasing();
  if (E.isRight(answer)) return true;
  if (['RevisionChanged', 'MediumErased', 'UnknownVideo', 'UnknownAudio'].includes(answer.left._tag)) return false;
  throw new Interrupted(answer.left._tag);
};

/** Erases what an account has of a group that nothing was written of. Revisions are read first: what comes then is seen. */
const eraseUntouched = async (look: Look, { video_id, audio_id }: Group): Promise<void> => {
  const { app, rule, request, from, inferred } = look;
  const video = video_id === null ? null : await had(app.videos.load(video_id));
  const audio = audio_id === null ? null : await had(app.audios.load(audio_id));
  if (audio_id !== null && inferred.has(audio_id)) return;
  if (await isTouched(look, { video_id, audio_id }, from)) return;
  let told = 0;
  if (video_id !== null && video?.state._tag === 'Registered' && video.state.owner_id === rule.account_id) {
    if (!(await erased(eraseVideo(app, { ...request, if_match: video.revision }, video_id)))) return;
    // Its audio was told that it has no parent.
    told = 1;
  }
  if (audio_id === null || audio?.state._tag !== 'Registered' || audio.state.owner_id !== rule.account_id) return;
  await erased(eraseAudio(app, { ...request, if_match: audio.revision + told }, audio_id));
};

const lookAtMedia = async (look: Look): Promise<void> => {
  const { queries, rule, from } = look;
  const selection = oldestOf(rule);
  const videos = { ...selection, needs_review: null, tag: null, with_audio: true };
  const isOld = (updated_at: string | undefined): boolean => (updated_at ?? '') < from;
  for await (const { record, audio } of unchanged(look, (page) => queries.videos(videos, page)))
    if (isOld(audio?.record.updated_at)) await eraseUntouched(look, record);
  for await (const { record } of unchanged(look, (page) => queries.audios(selection, page))) {
    const parent: VideoId | null = record.video_id;
    await eraseUntouched(look, { video_id: parent, audio_id: record.audio_id });
  }
};

/** The application as retention uses it: what it erases was caused by the event that set the rule. */
const causedBy = (app: Application, { set_by }: RetentionRule): Application => ({
  ...app,
  performWhole: (request, to, id, command) =>
    app.performWhole(request, to, id, command, { ...commandContext(app.ids, request), causation_id: set_by }),
});

const lookOnce = async ({ app, queries, upToHead }: Looking, isClosed: () => boolean): Promise<void> => {
  const places: Places = { store: app.store, queries };
  const rules = await retentionRules(app.store);
  if (rules.length === 0) return;
  await had(upToHead);
  const at = app.clock.now();
  for (const rule of rules) {
    if (isClosed()) return;
    const from = secondsAfter(at, -rule.days * secondsOfDay);
    const inferred = await inferredSince(places, from);
    const request = serviceRequest(retentionActor, `retention-${app.ids.random()}`, at);
    await lookAtMedia({ ...places, app: causedBy(app, rule), rule, request, from, inferred, isClosed });
  }
};

const interval_seconds = 3_600;

/**
 * Erases, at once and then every hour, what nothing was written of for as many days as its account wants to keep it. A
 * failure is told, and the next time begins anew.
 */
export const startRetention = (looking: Looking, timers: Pick<Timers, 'after'>): Repetition =>
  repeat(timers, interval_seconds, async (isClosed) => {
    try {
      await lookOnce(looking, isClosed);
    } catch (failure: unknown) {
      if (!(failure instanceof Interrupted)) throw failure;
      if (!isClosed()) looking.app.log.warn('retention was interrupted', { failure: failure.message });
    }
  });
