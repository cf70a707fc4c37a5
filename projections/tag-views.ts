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

/** A tag of a video. `place` grows in the order in which the tags of the video were added. */
export const VideoTagRow = t.intersection([t.type({ video_id: VideoId, place: t.number }), TagView], 'VideoTagRow');
export type VideoTagRow = t.TypeOf<typeof VideoTagRow>;

export const tagRowKey = ({ video_id, key }: { readonly video_id: string; readonly key: string }): string =>
  `${video_id} ${key}`;

/** Whether a tag has this value: a plain string, or its JSON. */
export const hasValue = (tag: TagView | undefined, value: string): boolean =>
  tag !== undefined && (tag.value === value || JSON.stringify(tag.value) === value);
