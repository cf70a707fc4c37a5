import * as t from 'io-ts';
import { VideoId } from '../domain/kernel/ids.js';
import { Timestamp } from '../domain/kernel/timestamp.js';
import { TagCategory, TagKey, TagSource, TagValue } from '../domain/tag-registry/contract.js';

/** Source and time of a value. `updated_by`: the account that wrote it. */
const Provenance = t.type({ source: TagSource, updated_at: Timestamp, updated_by: t.string }, 'Provenance');
export type Provenance = t.TypeOf<typeof Provenance>;

/** A tag as GET shows it (contract, Tags). */
export const TagView = t.intersection(
  [t.type({ key: TagKey, value: TagValue, category: TagCategory }), Provenance],
  'TagView',
);
export type TagView = t.TypeOf<typeof TagView>;

/** A stored tag: key, value, category, index of its provenance, and its place among all tags that the video ever had. */
const TagCells = t.tuple([TagKey, TagValue, TagCategory, t.number, t.number]);
export type TagCells = t.TypeOf<typeof TagCells>;

const TagsContent = t.type({
  video_id: VideoId,
  /** Revision of the video at the last change of tags. */
  revision: t.number,
  /** Provenances are stored once for all tags of a request. */
  provenances: t.readonlyArray(Provenance),
  /** In insertion order, which is that of their places. */
  tags: t.readonlyArray(TagCells),
  /** The place of the next new tag. */
  next_place: t.number,
});

/**
 * The tags of one video in compact form. Decoding checks the whole without error paths, because a video may have tens
 * of thousands of tags.
 */
export const VideoTagsRow = new t.Type<t.TypeOf<typeof TagsContent>>(
  'VideoTagsRow',
  TagsContent.is,
  (value, context) => (TagsContent.is(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);
export type VideoTagsRow = t.TypeOf<typeof VideoTagsRow>;

/** The tags of a video as GET shows them, and the place of each. */
export interface ShownTags {
  readonly tags: ReadonlyArray<TagView>;
  readonly places: ReadonlyArray<number>;
}
