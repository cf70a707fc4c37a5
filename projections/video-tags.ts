import type { VideoId } from '../domain/kernel/ids.js';
import type { TagKey } from '../domain/tag-registry/contract.js';
import type { VideoEvent } from '../domain/video/events.js';
import type { TagView, VideoTagsRow } from './tag-views.js';
import type { Rows } from './tables.js';
import type { VideoRow } from './views.js';
import type { VideoSelection } from './queries.js';

type Written = Extract<VideoEvent, { type: 'TagsWritten' }>['data'];

const noTags = (video_id: VideoId): VideoTagsRow => ({ video_id, revision: -1, tags: [], next_place: 0 });

/** Upserts tags. An existing tag keeps its place. */
const withTags = (
  row: VideoTagsRow,
  tags: ReadonlyArray<Pick<TagView, 'key' | 'value' | 'category' | 'source'>>,
  provenance: Pick<TagView, 'updated_at' | 'updated_by'>,
  revision: number,
): VideoTagsRow => {
  const next = new Map(
    tags.map(({ key, value, category, source }) => [key, { key, value, category, source, ...provenance }]),
  );
  const stay = row.tags.map((tag) => {
    const now = next.get(tag.key);
    next.delete(tag.key);
    return now === undefined ? tag : { ...now, place: tag.place };
  });
  const added = [...next.values()].map((tag, index) => ({ ...tag, place: row.next_place + index }));
  return { ...row, revision, tags: [...stay, ...added], next_place: row.next_place + added.length };
};

const written = (
  row: VideoTagsRow,
  { tags, source, at }: Written,
  updated_by: string,
  revision: number,
): VideoTagsRow =>
  withTags(
    row,
    tags.map((tag) => ({ ...tag, source })),
    { updated_at: at, updated_by },
    revision,
  );

const withoutTags = (row: VideoTagsRow, keys: ReadonlyArray<TagKey>, revision: number): VideoTagsRow => ({
  ...row,
  revision,
  tags: row.tags.filter(({ key }) => !keys.includes(key)),
});

/** The row after a revert: restored tags count as written by whoever reverted, and new ones are removed. */
const withTagsRestored = (
  row: VideoTagsRow,
  { tags, at }: Extract<VideoEvent, { type: 'VideoChangeReverted' }>['data'],
  updated_by: string,
  revision: number,
): VideoTagsRow => {
  const gone = tags.flatMap(({ key, after }) => (after === null ? [key] : []));
  const restored = tags.flatMap(({ key, after }) => (after === null ? [] : [{ key, ...after }]));
  return withTags(withoutTags(row, gone, revision), restored, { updated_at: at, updated_by }, revision);
};

type TagEvent = Extract<VideoEvent, { type: 'TagsWritten' | 'TagRemoved' | 'VideoChangeReverted' }>;

export const isAboutTags = (event: VideoEvent): event is TagEvent =>
  event.type === 'TagsWritten' ||
  event.type === 'TagRemoved' ||
  (event.type === 'VideoChangeReverted' && event.data.tags.length > 0);

export const projectTags = (
  rows: Rows,
  video: VideoRow,
  event: TagEvent,
  revision: number,
  updated_by: string,
): void => {
  const { video_id } = video.record;
  const known = rows.videoTags.get(video_id) ?? noTags(video_id);
  switch (event.type) {
    case 'TagsWritten':
      return rows.videoTags.put(written(known, event.data, updated_by, revision));
    case 'TagRemoved':
      return rows.videoTags.put(withoutTags(known, [event.data.key], revision));
    case 'VideoChangeReverted':
      return rows.videoTags.put(withTagsRestored(known, event.data, updated_by, revision));
  }
};

/** Whether a tag has this key and value. */
export const hasTag = (tags: ReadonlyArray<TagView>, { key, value }: NonNullable<VideoSelection['tag']>): boolean =>
  tags.some((tag) => tag.key === key && (tag.value === value || JSON.stringify(tag.value) === value));
