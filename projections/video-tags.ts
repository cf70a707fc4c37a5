import type { VideoId } from '../domain/kernel/ids.js';
import type { TagEdit } from '../domain/video/changes.js';
import type { VideoEvent } from '../domain/video/events.js';
import type { TagView, VideoTagsRow } from './tag-views.js';
import type { Rows } from './tables.js';
import type { VideoRow } from './views.js';
import type { VideoSelection } from './queries.js';

type TagChange = Pick<TagEdit, 'key' | 'after'>;

const noTags = (video_id: VideoId): VideoTagsRow => ({ video_id, revision: -1, tags: [], next_place: 0 });

/** An existing tag that is written keeps its place. */
const changed = (
  row: VideoTagsRow,
  changes: ReadonlyArray<TagChange>,
  provenance: Pick<TagView, 'updated_at' | 'updated_by'>,
  revision: number,
): VideoTagsRow => {
  const tags = new Map(row.tags.map((tag) => [tag.key, tag]));
  let { next_place } = row;
  for (const { key, after } of changes)
    if (after === null) tags.delete(key);
    else {
      const { value, category, source } = after;
      const place = tags.get(key)?.place ?? next_place++;
      tags.set(key, { key, value, category, source, ...provenance, place });
    }
  return { ...row, revision, tags: [...tags.values()], next_place };
};

type TagEvent = Extract<VideoEvent, { type: 'TagsWritten' | 'TagRemoved' | 'VideoChangeReverted' }>;

export const isAboutTags = (event: VideoEvent): event is TagEvent =>
  event.type === 'TagsWritten' ||
  event.type === 'TagRemoved' ||
  (event.type === 'VideoChangeReverted' && event.data.tags.length > 0);

/** Tags that are restored count as written by whoever reverted; those that were new are removed. */
const changesOf = (event: TagEvent): ReadonlyArray<TagChange> => {
  switch (event.type) {
    case 'TagsWritten':
      return event.data.tags.map((tag) => ({ key: tag.key, after: { ...tag, source: event.data.source } }));
    case 'TagRemoved':
      return [{ key: event.data.key, after: null }];
    case 'VideoChangeReverted':
      return event.data.tags;
  }
};

export const projectTags = (
  rows: Rows,
  video: VideoRow,
  event: TagEvent,
  revision: number,
  updated_by: string,
): void => {
  const { video_id } = video.record;
  const known = rows.videoTags.get(video_id) ?? noTags(video_id);
  rows.videoTags.put(changed(known, changesOf(event), { updated_at: event.data.at, updated_by }, revision));
};

/** Whether a tag has this key and value. */
export const hasTag = (tags: ReadonlyArray<TagView>, { key, value }: NonNullable<VideoSelection['tag']>): boolean =>
  tags.some((tag) => tag.key === key && (tag.value === value || JSON.stringify(tag.value) === value));
