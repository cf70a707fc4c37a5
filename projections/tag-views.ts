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
    /** Revision of the video at the last change of tags. */
    revision: t.number,
    /** In insertion order, which is that of their places among all tags that the video ever had. */
    tags: t.readonlyArray(t.intersection([TagView, t.type({ place: t.number })])),
    /** The place of the next new tag. */
    next_place: t.number,
  },
  'VideoTagsRow',
);
export type VideoTagsRow = t.TypeOf<typeof VideoTagsRow>;
