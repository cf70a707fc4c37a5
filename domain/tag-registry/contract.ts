import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { Timestamp } from '../kernel/timestamp.js';
import { RegistryKey, TagCategory, TagValueType } from './tag.js';

const meaning = { category: TagCategory, value_type: TagValueType, description: nullable(t.string) };

/** What a key, or every key of a family, stands for. */
export const TagRegistryEntry = t.type({ key: RegistryKey, ...meaning }, 'TagRegistryEntry');
export type TagRegistryEntry = t.TypeOf<typeof TagRegistryEntry>;

export const tagRegistryEvents = {
  /** `previous` is what the same key stood for before; null when the registry did not have it. */
  TagKeyRegistered: t.type({ key: RegistryKey, ...meaning, previous: nullable(t.type(meaning)), at: Timestamp }),
} as const;

export type TagRegistryEvent = EventOf<typeof tagRegistryEvents>;

/** Adds an entry, or changes what it says. */
export interface RegisterTagKey {
  readonly type: 'RegisterTagKey';
  readonly entry: TagRegistryEntry;
  readonly at: Timestamp;
}
