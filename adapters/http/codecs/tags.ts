import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { TagCategory, TagValueType } from '../../../domain/tag-registry/tag.js';
import { NameText } from '../../../domain/kernel/names.js';
import { nonEmpty } from './list.js';

const longestKey = 1_000;
const mostTags = 1_000;

/** Whether it is the key of a tag is asked later: that is named beside all else that is wrong with the tags. */
const TagKeyText = t.refinement(t.string, (key) => key.length <= longestKey && key.isWellFormed(), 'TagKeyText');

const Present = t.refinement(t.unknown, (value) => value !== undefined, 'Present');

const TagList = nonEmpty(t.type({ key: TagKeyText, value: Present }), mostTags, 'tags', 'TagList');

const Tags = t.intersection([t.type({ tags: TagList }), t.partial({ dry_run: nullable(t.boolean) })], 'UserTagsBody');

export const UserTagsBody = Tags;

export const ProviderTagsBody = t.intersection([t.type({ source: t.string }), Tags], 'ProviderTagsBody');

export const TagRegistryBody = t.intersection(
  [t.type({ category: TagCategory, value_type: TagValueType }), t.partial({ description: nullable(NameText) })],
  'TagRegistryBody',
);
