import type { TagRegistryEntry } from './contract.js';
import { RegistryKey, type TagCategory } from './tag.js';

const family = (key: string, category: TagCategory, description: string): TagRegistryEntry => {
  if (RegistryKey.is(key)) return { key, category, value_type: 'string', description };
  throw new TypeError(`${key} is no key of a registry`);
};

/** The families that every registry begins with. */
export const shippedFamilies: ReadonlyArray<TagRegistryEntry> = [
  family('vpm.*', 'provider', 'What a video platform says of the video'),
  family('demo.*', 'demographic', 'Demographic cohorts'),
  family('survey.*', 'survey', 'Answers to surveys'),
  family('system.*', 'system', "The pipeline's own"),
  family('label.*', 'label', 'Labels that users give'),
  family('user.*', 'user', "Users' own data"),
];
