import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/event-codecs.js';
import { TagCategory, TagValueType } from '../../../domain/tag-registry/tag.js';
import { NameText } from '../../../domain/kernel/names.js';
import { nonEmpty } from './list.js';

const maxKeyLength = 1_000;
const maxTags = 1_000;

/** Whether the key is valid is checked later, so that it is reported together with all other errors of the tags. */
const TagKeyText = t.refinement(t.string, (key) => key.length <= maxKeyLength && key.isWellFormed(), 'TagKeyText');

const Present = t.refinement(t.unknown, (value) => value !== undefined, 'Present');

const TagList = nonEmpty(t.type({ key: TagKeyText, value: Present }), maxTags, 'tags', 'TagList');

const Tags = t.intersection([t.type({ tags: TagList }), t.partial({ dry_run: nullable(t.boolean) })], 'UserTagsBody');

export const UserTagsBody = Tags;

export const ProviderTagsBody = t.intersection([t.type({ source: t.string }), Tags], 'ProviderTagsBody');

export const TagRegistryBody = t.intersection(
  [t.type({ category: TagCategory, value_type: TagValueType }), t.partial({ description: nullable(NameText) })],
  'TagRegistryBody',
);
