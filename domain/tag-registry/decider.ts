import { type BucketedMap, emptyBuckets, valueIn, withEntries } from '../kernel/bucketed-map.js';
import { type Decider, nothing, record } from '../kernel/decider.js';
import type { RegisterTagKey, TagRegistryEntry, TagRegistryEvent } from './contract.js';
import { shippedFamilies } from './shipped-families.js';
import type { RegistryKey } from './tag.js';

export type TagRegistryState = BucketedMap<RegistryKey, TagRegistryEntry>;

const withEntry = (state: TagRegistryState, entry: TagRegistryEntry): TagRegistryState =>
  withEntries(state, [[entry.key, entry]]);

/** The keys that tags may have, and what they stand for (specification, section 2.5; contract, Tags). */
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
