import * as t from 'io-ts';
import { VideoId } from '../domain/kernel/ids.js';
import { Timestamp } from '../domain/kernel/timestamp.js';
import { TagCategory, TagKey, TagSource, TagValue } from '../domain/tag-registry/tag.js';

/** Of whom and when a value is. `updated_by` is the account that wrote it. */
const Provenance = t.type({ source: TagSource, updated_at: Timestamp, updated_by: t.string }, 'Provenance');
export type Provenance = t.TypeOf<typeof Provenance>;

/** A tag as GET shows it (contract, Tags). */
export const TagView = t.intersection(
  [t.type({ key: TagKey, value: TagValue, category: TagCategory }), Provenance],
  'TagView',
);
export type TagView = t.TypeOf<typeof TagView>;

/** A tag as its row holds it: key, value, category, and the number of its provenance. */
const TagCells = t.tuple([TagKey, TagValue, TagCategory, t.number]);
export type TagCells = t.TypeOf<typeof TagCells>;

const TagsContent = t.type({
  video_id: VideoId,
  /** Of the video, when tags last changed. */
  revision: t.number,
  /** What the tags of one request have in common is kept once. */
  provenances: t.readonlyArray(Provenance),
  /** In the order in which they came. */
  tags: t.readonlyArray(TagCells),
});

/**
 * The tags of one video, as short as they can be told. Whether a text holds them is asked as a whole, without the paths
 * of what does not fit: a video may have tens of thousands.
 */
export const VideoTagsRow = new t.Type<t.TypeOf<typeof TagsContent>>(
  'VideoTagsRow',
  TagsContent.is,
  (value, context) => (TagsContent.is(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
);
export type VideoTagsRow = t.TypeOf<typeof VideoTagsRow>;
