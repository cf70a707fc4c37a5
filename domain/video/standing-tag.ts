import * as t from 'io-ts';
import { nullable } from '../kernel/event-codecs.js';
import { TagCategory, TagKey, TagSource, TagValue } from '../tag-registry/tag.js';
import { sameTagValue } from '../tag-registry/tag-value.js';

/** A tag as it stands on the video. */
export const StandingTag = t.type({ value: TagValue, category: TagCategory, source: TagSource }, 'StandingTag');
export type StandingTag = t.TypeOf<typeof StandingTag>;

/** A tag before a change and after it; null where there was none. */
export const TagEdit = t.type({ key: TagKey, before: nullable(StandingTag), after: nullable(StandingTag) }, 'TagEdit');
export type TagEdit = t.TypeOf<typeof TagEdit>;

export const sameTag = (one: StandingTag | null, other: StandingTag | null): boolean =>
  one === null || other === null
    ? one === other
    : one.source === other.source && one.category === other.category && sameTagValue(one.value, other.value);
