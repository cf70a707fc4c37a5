import { type BucketedMap, emptyBuckets, valueIn, withEntries } from '../kernel/bucketed-map.js';
import { type Decider, nothing, record } from '../kernel/decider.js';
import type { RegisterTagKey, TagRegistryEntry, TagRegistryEvent } from './contract.js';
import { RegistryKey, type TagCategory } from './tag.js';

const family = (key: string, category: TagCategory, description: string): TagRegistryEntry => {
  if (RegistryKey.is(key)) return { key, category, value_type: 'string', description };
  throw new TypeError(`${key} is no key of a registry`);
};

/** The families that every registry contains from the start. */
const shippedFamilies: ReadonlyArray<TagRegistryEntry> = [
  family('vpm.*', 'provider', 'What a video platform says of the video'),
  family('demo.*', 'demographic', 'Demographic cohorts'),
  family('survey.*', 'survey', 'Answers to surveys'),
  family('system.*', 'system', "The pipeline's own"),
  family('label.*', 'label', 'Labels that users give'),
  family('user.*', 'user', "Users' own data"),
];

export type TagRegistryState = BucketedMap<RegistryKey, TagRegistryEntry>;

const withEntry = (state: TagRegistryState, entry: TagRegistryEntry): TagRegistryState =>
  withEntries(state, [[entry.key, entry]]);

/** The registry of tag keys and their meaning (specification, section 2.5; contract, Tags). */
export const tagRegistry: Decider<RegisterTagKey, TagRegistryState, TagRegistryEvent, never> = {
  category: 'tagRegistry',
  initial: shippedFamilies.reduce(withEntry, emptyBuckets),
  evolve: (state, { data: { key, category, value_type, description } }) =>
    withEntry(state, { key, category, value_type, description }),
  decide: ({ entry, at }, state) => {
    const known = valueIn(state, entry.key);
    if (known === undefined)
      return record<TagRegistryEvent>({ type: 'TagKeyRegistered', data: { ...entry, previous: null, at } });
    const { category, value_type, description } = known;
    return category === entry.category && value_type === entry.value_type && description === entry.description
      ? nothing
      : record<TagRegistryEvent>({
          type: 'TagKeyRegistered',
          data: { ...entry, previous: { category, value_type, description }, at },
        });
  },
};
