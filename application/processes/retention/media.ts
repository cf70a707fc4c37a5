import * as TE from 'fp-ts/lib/TaskEither.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type VideoId, AudioId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { Listing, PageRequest, RecordSelection } from '../../../projections/queries.js';
import type { Application } from '../../application.js';
import { readEvent } from '../../commands/read-event.js';
import type { RequestContext } from '../../commands/context.js';
import { eraseAudio, eraseVideo } from '../../use-cases/erasure/erase.js';
import { erased, had } from './interrupted.js';
import { type RetentionRule, type Group, type Places, isTouched, retentionActor, selected } from './lookups.js';

const limit = 100;

/** What a look at one account's media goes by. */
export interface Look extends Places {
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

/**
 * The audios of videos that an earlier look erased: a crash came between the two. What that wrote is younger than the
 * rule allows for, so that the records' times do not show them.
 */
async function* leftAlone(look: Look): AsyncGenerator<AudioId, void> {
  const { rule, from, queries } = look;
  for await (const stored of selected(look, { category: 'video', type: 'MediumErased', actor: retentionActor, from })) {
    const { event } = await had(TE.fromEither(readEvent(stored)));
    if (event.type !== 'MediumErased' || event.data.owner_id !== rule.account_id) continue;
    const { linked } = event.data;
    if (AudioId.is(linked) && (await had(queries.audio(linked)))?.record.video_id === null) yield linked;
  }
}

/** Erases an account's media that had no event since a time; throws `Interrupted`. */
export const eraseOldMedia = async (look: Look): Promise<void> => {
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
  for await (const audio_id of leftAlone(look)) await eraseUntouched(look, { video_id: null, audio_id });
};
