import type { VideoId } from '../domain/kernel/ids.js';
import type { TagKey } from '../domain/tag-registry/contract.js';
import type { VideoEvent } from '../domain/video/events.js';
import type { TagView, VideoTagsRow } from './tag-views.js';
import type { Rows } from './tables.js';
import type { VideoRow } from './views.js';
import type { VideoSelection } from './queries.js';

const noTags = (video_id: VideoId): VideoTagsRow => ({ video_id, revision: -1, tags: [], next_place: 0 });

/** What an event changes: it removes tags, and writes some. */
interface TagChange {
  readonly gone: ReadonlyArray<TagKey>;
  readonly written: ReadonlyArray<Pick<TagView, 'key' | 'value' | 'category' | 'source'>>;
}

/** An existing tag that is written keeps its place. */
const changed = (
  row: VideoTagsRow,
  { gone, written }: TagChange,
  provenance: Pick<TagView, 'updated_at' | 'updated_by'>,
  revision: number,
): VideoTagsRow => {
  const next = new Map(
    written.map(({ key, value, category, source }) => [key, { key, value, category, source, ...provenance }]),
  );
  const stay = row.tags
    .filter(({ key }) => !gone.includes(key))
    .map((tag) => {
      const now = next.get(tag.key);
      next.delete(tag.key);
      return now === undefined ? tag : { ...now, place: tag.place };
    });
  const added = [...next.values()].map((tag, index) => ({ ...tag, place: row.next_place + index }));
  return { ...row, revision, tags: [...stay, ...added], next_place: row.next_place + added.length };
};

type TagEvent = Extract<VideoEvent, { type: 'TagsWritten' | 'TagRemoved' | 'VideoChangeReverted' }>;

export const isAboutTags = (event: VideoEvent): event is TagEvent =>
  event.type === 'TagsWritten' ||
  event.type === 'TagRemoved' ||
  (event.type === 'VideoChangeReverted' && event.data.tags.length > 0);

/** Tags that are restored count as written by whoever reverted; those that were new are removed. */
const changeOf = (event: TagEvent): TagChange => {
  switch (event.type) {
    case 'TagsWritten':
      return { gone: [], written: event.data.tags.map((tag) => ({ ...tag, source: event.data.source })) };
    case 'TagRemoved':
      return { gone: [event.data.key], written: [] };
    case 'VideoChangeReverted': {
      const { tags } = event.data;
      return {
        gone: tags.flatMap(({ key, after }) => (after === null ? [key] : [])),
        written: tags.flatMap(({ key, after }) => (after === null ? [] : [{ key, ...after }])),
      };
    }
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
  rows.videoTags.put(changed(known, changeOf(event), { updated_at: event.data.at, updated_by }, revision));
};

/** Whether a tag has this key and value. */
export const hasTag = (tags: ReadonlyArray<TagView>, { key, value }: NonNullable<VideoSelection['tag']>): boolean =>
  tags.some((tag) => tag.key === key && (tag.value === value || JSON.stringify(tag.value) === value));
