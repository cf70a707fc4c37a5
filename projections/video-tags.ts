import type { VideoId } from '../domain/kernel/ids.js';
import type { TagKey } from '../domain/tag-registry/contract.js';
import type { VideoEvent } from '../domain/video/events.js';
import type { Provenance, ShownTags, TagCells, TagView, VideoTagsRow } from './tag-views.js';
import type { Rows } from './tables.js';
import type { VideoRow } from './views.js';
import type { VideoSelection } from './queries.js';

type Written = Extract<VideoEvent, { type: 'TagsWritten' }>['data'];

const noTags = (video_id: VideoId): VideoTagsRow => ({
  video_id,
  revision: -1,
  provenances: [],
  tags: [],
  next_place: 0,
});

/** Drops unused provenances. */
const withoutUnusedProvenances = (row: VideoTagsRow): VideoTagsRow => {
  const used = [...new Set(row.tags.map(([, , , provenance]) => provenance))];
  if (used.length === row.provenances.length) return row;
  const places = new Map(used.map((provenance, place) => [provenance, place]));
  return {
    ...row,
    provenances: used.flatMap((provenance) => row.provenances[provenance] ?? []),
    tags: row.tags.map(([key, value, category, provenance, place]): TagCells => [
      key,
      value,
      category,
      places.get(provenance) ?? 0,
      place,
    ]),
  };
};

/** Upserts tags. An existing tag keeps its position. */
export const withTags = (
  row: VideoTagsRow | undefined,
  video_id: VideoId,
  { tags, source, at }: Written,
  updated_by: string,
  revision: number,
): VideoTagsRow => {
  const { provenances, tags: known, next_place } = row ?? noTags(video_id);
  const provenance: Provenance = { source, updated_at: at, updated_by };
  const written = new Map(tags.map((tag) => [tag.key, tag]));
  const cells = ({ key, value, category }: (typeof tags)[number], place: number): TagCells => [
    key,
    value,
    category,
    provenances.length,
    place,
  ];
  const stay = known.map((tag) => {
    const now = written.get(tag[0]);
    if (now === undefined) return tag;
    written.delete(tag[0]);
    return cells(now, tag[4]);
  });
  return withoutUnusedProvenances({
    video_id,
    revision,
    provenances: [...provenances, provenance],
    tags: [...stay, ...[...written.values()].map((tag, index) => cells(tag, next_place + index))],
    next_place: next_place + written.size,
  });
};

export const withoutTag = (
  row: VideoTagsRow | undefined,
  video_id: VideoId,
  key: TagKey,
  revision: number,
): VideoTagsRow => {
  const known = row ?? noTags(video_id);
  return withoutUnusedProvenances({ ...known, revision, tags: known.tags.filter(([own]) => own !== key) });
};

/** The row after a revert: restored tags count as written by whoever reverted, and new ones are removed. */
export const withTagsRestored = (
  row: VideoTagsRow | undefined,
  video_id: VideoId,
  { tags, at }: Extract<VideoEvent, { type: 'VideoChangeReverted' }>['data'],
  updated_by: string,
  revision: number,
): VideoTagsRow => {
  const gone = tags.flatMap(({ key, after }) => (after === null ? [key] : []));
  const standing = tags.flatMap(({ key, after }) => (after === null ? [] : [{ key, ...after, previous: null }]));
  const sources = [...new Set(standing.map(({ source }) => source))];
  const kept = gone.reduce<VideoTagsRow | undefined>((next, key) => withoutTag(next, video_id, key, revision), row);
  const written = sources.reduce<VideoTagsRow | undefined>((next, source) => {
    const own = standing.filter((tag) => tag.source === source);
    return withTags(next, video_id, { tags: own, source, at }, updated_by, revision);
  }, kept);
  return written ?? noTags(video_id);
};

/** The tags as GET shows them; none without a row. */
export const shownTags = (row: VideoTagsRow | null | undefined): ShownTags => {
  const { tags, provenances } = row ?? { tags: [], provenances: [] };
  const shown = tags.flatMap(([key, value, category, provenance, place]) => {
    const of = provenances[provenance];
    if (of === undefined) return [];
    const { source, updated_at, updated_by } = of;
    return [{ tag: { key, value, category, source, updated_at, updated_by }, place }];
  });
  return { tags: shown.map(({ tag }) => tag), places: shown.map(({ place }) => place) };
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
  const known = video.tags_revision === null ? undefined : rows.videoTags.get(video_id);
  switch (event.type) {
    case 'TagsWritten':
      return rows.videoTags.put(withTags(known, video_id, event.data, updated_by, revision));
    case 'TagRemoved':
      return rows.videoTags.put(withoutTag(known, video_id, event.data.key, revision));
    case 'VideoChangeReverted':
      return rows.videoTags.put(withTagsRestored(known, video_id, event.data, updated_by, revision));
  }
};

/** Whether a tag has this key and value. */
export const hasTag = (tags: ReadonlyArray<TagView>, { key, value }: NonNullable<VideoSelection['tag']>): boolean =>
  tags.some((tag) => tag.key === key && (tag.value === value || JSON.stringify(tag.value) === value));
