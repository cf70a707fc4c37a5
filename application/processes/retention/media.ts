import * as TE from 'fp-ts/lib/TaskEither.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type VideoId, AudioId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { Listing, PageRequest, RecordSelection } from '../../../projections/queries.js';
import type { Application } from '../../application.js';
import { readEvent } from '../../commands/read-event.js';
import type { RequestContext } from '../../commands/context.js';
import { eraseAudio, eraseVideo } from '../../use-cases/erasure/erase.js';
import { eraseUnlessChanged, orInterrupt } from './interrupted.js';
import { type RetentionRule, type Group, type Sources, isUsed, retentionActor, selected } from './lookups.js';

const limit = 100;

/** One retention run over an account's media. */
export interface RetentionRun extends Sources {
  readonly app: Application;
  readonly rule: RetentionRule;
  readonly request: RequestContext;
  /** Media with an event since then are kept. */
  readonly from: Timestamp;
  /** Detachments before this time were looked at by an earlier run. */
  readonly detachedFrom: Timestamp;
  readonly isClosed: () => boolean;
}

/** The account's records without a change since `from`, oldest first. */
async function* unchanged<Item extends { readonly record: { readonly updated_at: string } }>(
  { from, isClosed }: RetentionRun,
  list: (page: PageRequest) => TaskEither<{ readonly _tag: string }, Listing<Item>>,
): AsyncGenerator<Item, void> {
  for (let cursor: string | null = null; ;) {
    const page: Listing<Item> = await orInterrupt(list({ limit, cursor }));
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
export const eraseOldMedia = async (run: RetentionRun): Promise<void> => {
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
