import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/recorded-event.js';
import { Timestamp } from '../kernel/timestamp.js';
import { RegistryKey, TagCategory, TagValueType } from './tag.js';

const meaning = { category: TagCategory, value_type: TagValueType, description: nullable(t.string) };

/** The meaning of a tag key, or of all keys of a family such as `vpm.*`. */
export const TagRegistryEntry = t.type({ key: RegistryKey, ...meaning }, 'TagRegistryEntry');
export type TagRegistryEntry = t.TypeOf<typeof TagRegistryEntry>;

export const tagRegistryEvents = {
  /** `previous` is the key's earlier entry; null if it is new. */
  TagKeyRegistered: t.type({ key: RegistryKey, ...meaning, previous: nullable(t.type(meaning)), at: Timestamp }),
} as const;

export type TagRegistryEvent = EventOf<typeof tagRegistryEvents>;

/** Adds or changes an entry. */
export interface RegisterTagKey {
  readonly type: 'RegisterTagKey';
  readonly entry: TagRegistryEntry;
  readonly at: Timestamp;
}
