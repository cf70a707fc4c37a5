import * as t from 'io-ts';
import { brandedText } from '../kernel/ids.js';
import type { CommandOf, Tagged } from '../kernel/decider.js';
import { sameJson } from '../kernel/edit.js';
import { type EventOf, nullable } from '../kernel/recorded-event.js';
import { Timestamp } from '../kernel/timestamp.js';

const longestKey = 128;
const path = '[A-Za-z0-9_:-]+(?:\\.[A-Za-z0-9_:-]+)*';
const tagKey = new RegExp(`^${path}$`);
const registryKey = new RegExp(`^${path}(?:\\.\\*)?$`);
const source = /^(?:importer|user)\.[A-Za-z0-9._:-]{1,128}$/;

/** The key of a tag: a dotted path such as `vpm.campaign`, of `A-Za-z0-9_:-` and at most 128 characters. */
export const TagKey = brandedText('TagKey', (key) => key.length <= longestKey && tagKey.test(key));
export type TagKey = t.TypeOf<typeof TagKey>;

/** A registry key: a tag key or a family such as `vpm.*`. */
export const RegistryKey = brandedText('RegistryKey', (key) => key.length <= longestKey && registryKey.test(key));
export type RegistryKey = t.TypeOf<typeof RegistryKey>;

/**
 * Whether a key may be registered and written. In a filter (`tag=key:value`) a colon ends the key. Existing keys with a
 * colon stay readable.
 */
export const isFilterable = (key: TagKey | RegistryKey): boolean => !key.includes(':');

export const TagCategory = t.keyof(
  { provider: null, demographic: null, survey: null, system: null, label: null, user: null },
  'TagCategory',
);
export type TagCategory = t.TypeOf<typeof TagCategory>;

export const TagValueType = t.keyof({ string: null, number: null, boolean: null, string_list: null }, 'TagValueType');
export type TagValueType = t.TypeOf<typeof TagValueType>;

export const TagValue = t.union([t.string, t.number, t.boolean, t.readonlyArray(t.string)], 'TagValue');
export type TagValue = t.TypeOf<typeof TagValue>;

/** The source of a tag: `importer.<name>` or `user.<account id>`. */
export const TagSource = brandedText('TagSource', (text) => source.test(text));
export type TagSource = t.TypeOf<typeof TagSource>;

export const isImporter = (from: TagSource): boolean => from.startsWith('importer.');

/** A tag with the category that the registry had for its key when it was written. */
export interface ResolvedTag {
  readonly key: TagKey;
  readonly category: TagCategory;
  readonly value: TagValue;
}

/** Categories that importers may write (specification, section 4.4), and those that users may. */
export const importable: ReadonlySet<TagCategory> = new Set(['provider', 'demographic', 'survey']);
export const editable: ReadonlySet<TagCategory> = new Set(['label', 'user']);

/** Why a tag is refused. */
export type BadTagReason =
  | 'source_not_importer'
  | 'unregistered_key'
  | 'category_not_importable'
  | 'category_not_editable'
  | 'bad_value'
  | 'duplicate_key';

/** A tag key because of which the whole request is refused. */
export interface BadTag {
  /** As sent by the client; may be malformed. */
  readonly key: string;
  readonly reason: BadTagReason;
  /** From the registry or the existing tag; null if not looked up. */
  readonly category: TagCategory | null;
  readonly value_type: TagValueType | null;
}

/** Each key once, in request order. */
export type TagsRefused = Tagged<'TagsRefused', { bad: ReadonlyArray<BadTag> }>;

const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

const isTextList = (value: unknown): value is ReadonlyArray<string> => Array.isArray(value) && value.every(isText);

/** The value as stored for this type; null if it is invalid: wrong type, not well-formed or not finite. */
export const tagValue = (type: TagValueType, value: unknown): TagValue | null => {
  switch (type) {
    case 'string':
      return isText(value) ? value : null;
    case 'number':
      // Turns negative zero into zero, as JSON does.
      return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'string_list':
      return isTextList(value) ? value : null;
  }
};

/** A tag as stored on a video. */
export const StandingTag = t.type({ value: TagValue, category: TagCategory, source: TagSource }, 'StandingTag');

export type StandingTag = t.TypeOf<typeof StandingTag>;

export const sameTag = (one: StandingTag | null, other: StandingTag | null): boolean =>
  one === null || other === null
    ? one === other
    : one.source === other.source && one.category === other.category && sameJson(one.value, other.value);

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
export type RegisterTagKey = CommandOf<'RegisterTagKey', { entry: TagRegistryEntry; at: Timestamp }>;
