import * as t from 'io-ts';
import { VideoId } from '../domain/kernel/ids.js';
import { Timestamp } from '../domain/kernel/timestamp.js';
import { TagCategory, TagKey, TagSource, TagValue } from '../domain/tag-registry/contract.js';

/** Source and time of a value. `updated_by`: the account that wrote it. */
const Provenance = t.type({ source: TagSource, updated_at: Timestamp, updated_by: t.string }, 'Provenance');

/** A tag as GET shows it (contract, Tags). */
export const TagView = t.intersection(
  [t.type({ key: TagKey, value: TagValue, category: TagCategory }), Provenance],
  'TagView',
);
export type TagView = t.TypeOf<typeof TagView>;

/** The tags of one video. */
export const VideoTagsRow = t.type(
  {
    video_id: VideoId,
    /** In insertion order, which is that of their places among all tags that the video ever had. */
    tags: t.readonlyArray(t.intersection([TagView, t.type({ place: t.number })])),
    /** The place of the next new tag. */
    next_place: t.number,
  },
  'VideoTagsRow',
);
export type VideoTagsRow = t.TypeOf<typeof VideoTagsRow>;

/** Whether a tag has this key and value: a plain string, or its JSON. */
export const hasTag = (
  tags: ReadonlyArray<TagView>,
  { key, value }: { readonly key: string; readonly value: string },
): boolean => tags.some((tag) => tag.key === key && (tag.value === value || JSON.stringify(tag.value) === value));
