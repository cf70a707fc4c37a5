import * as t from 'io-ts';
import { TagRegistryEntry } from '../../../domain/tag-registry/contract.js';
import { TagKey } from '../../../domain/tag-registry/tag.js';
import { TagView } from '../../../projections/tag-views.js';
import { pageOf } from './page.js';

const status = t.literal('completed');
const keys = t.readonlyArray(TagKey);

export const WrittenTags = t.type({ status, created: keys, updated: keys, unchanged: keys }, 'WrittenTags');
export const RemovedTag = t.type({ status, key: TagKey }, 'RemovedTag');
export const TagPage = pageOf('tags', TagView, 'TagPage');

export const TagRegistry = t.type({ entries: t.readonlyArray(TagRegistryEntry) }, 'TagRegistry');
