import type { VideoId } from '../domain/kernel/ids.js';
import type { TagKey } from '../domain/tag-registry/tag.js';
import type { VideoEvent } from '../domain/video/events.js';
import type { Provenance, TagCells, TagView, VideoTagsRow } from './tag-views.js';

type Written = Extract<VideoEvent, { type: 'TagsWritten' }>['data'];

const noTags = (video_id: VideoId): VideoTagsRow => ({ video_id, revision: -1, provenances: [], tags: [] });

/** The row without provenances that no tag has any longer. */
const tidied = (row: VideoTagsRow): VideoTagsRow => {
  const used = [...new Set(row.tags.map(([, , , provenance]) => provenance))];
  if (used.length === row.provenances.length) return row;
  const places = new Map(used.map((provenance, place) => [provenance, place]));
  return {
    ...row,
    provenances: used.flatMap((provenance) => row.provenances[provenance] ?? []),
    tags: row.tags.map(([key, value, category, provenance]): TagCells => [
      key,
      value,
      category,
      places.get(provenance) ?? 0,
    ]),
  };
};

/** A tag that was there before keeps its place. */
export const withTags = (
  row: VideoTagsRow | undefined,
  video_id: VideoId,
  { tags, source, at }: Written,
  updated_by: string,
  revision: number,
): VideoTagsRow => {
  const { provenances, tags: known } = row ?? noTags(video_id);
  const provenance: Provenance = { source, updated_at: at, updated_by };
  const written = new Map(
    tags.map(({ key, value, category }): [TagKey, TagCells] => [key, [key, value, category, provenances.length]]),
  );
  const stay = known.map((tag) => {
    const now = written.get(tag[0]);
    if (now === undefined) return tag;
    written.delete(tag[0]);
    return now;
  });
  return tidied({
    video_id,
    revision,
    provenances: [...provenances, provenance],
    tags: [...stay, ...written.values()],
  });
};

export const withoutTag = (
  row: VideoTagsRow | undefined,
  video_id: VideoId,
  key: TagKey,
  revision: number,
): VideoTagsRow => {
  const known = row ?? noTags(video_id);
  return tidied({ ...known, revision, tags: known.tags.filter(([own]) => own !== key) });
};

/** The tags of a row as GET shows them; none where there is no row. */
export const shownTags = (row: VideoTagsRow | null | undefined): ReadonlyArray<TagView> =>
  (row?.tags ?? []).flatMap(([key, value, category, place]) => {
    const of = row?.provenances[place];
    if (of === undefined) return [];
    return { key, value, category, source: of.source, updated_at: of.updated_at, updated_by: of.updated_by };
  });
