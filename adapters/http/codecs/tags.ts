import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { TagCategory, TagValueType } from '../../../domain/tag-registry/tag.js';
import { nonEmpty } from './list.js';
import { isJsonWithin, limits, TitleText } from './values.js';

const maxKeyLength = 1_000;

/** Whether the key is valid is checked later, so that it is reported together with all other errors of the tags. */
const TagKeyText = t.refinement(t.string, (key) => key.length <= maxKeyLength && key.isWellFormed(), 'TagKeyText');

const TagValue = t.refinement(
  t.unknown,
  (value) => value !== undefined && isJsonWithin(value, limits.tag_value),
  'TagValue',
);

const TagList = nonEmpty(t.type({ key: TagKeyText, value: TagValue }), limits.items, 'tags', 'TagList');

const Tags = t.intersection([t.type({ tags: TagList }), t.partial({ dry_run: nullable(t.boolean) })], 'UserTagsBody');

export const UserTagsBody = Tags;

export const ProviderTagsBody = t.intersection([t.type({ source: t.string }), Tags], 'ProviderTagsBody');

export const TagRegistryBody = t.intersection(
  [t.type({ category: TagCategory, value_type: TagValueType }), t.partial({ description: nullable(TitleText) })],
  'TagRegistryBody',
);
