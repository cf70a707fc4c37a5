import * as t from 'io-ts';

interface TagKeyBrand {
  readonly TagKey: unique symbol;
}
interface RegistryKeyBrand {
  readonly RegistryKey: unique symbol;
}
interface TagSourceBrand {
  readonly TagSource: unique symbol;
}

const longestKey = 128;
const path = '[A-Za-z0-9_:-]+(?:\\.[A-Za-z0-9_:-]+)*';
const tagKey = new RegExp(`^${path}$`);
const registryKey = new RegExp(`^${path}(?:\\.\\*)?$`);
const source = /^(?:importer|user)\.[A-Za-z0-9._:-]{1,128}$/;

/** The key of a tag: a dotted path such as `vpm.campaign`, of `A-Za-z0-9_:-` and at most 128 characters. */
export const TagKey = t.brand(
  t.string,
  (s): s is t.Branded<string, TagKeyBrand> => s.length <= longestKey && tagKey.test(s),
  'TagKey',
);
export type TagKey = t.TypeOf<typeof TagKey>;

/** What the registry knows: a tag's key, or a family of them such as `vpm.*`. */
export const RegistryKey = t.brand(
  t.string,
  (s): s is t.Branded<string, RegistryKeyBrand> => s.length <= longestKey && registryKey.test(s),
  'RegistryKey',
);
export type RegistryKey = t.TypeOf<typeof RegistryKey>;

/**
 * Whether a key may be registered and written: a colon ends the key in a filter (`tag=key:value`). Keys with one in older
 * logs stay readable.
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

/** Who a tag comes from: `importer.<name>` or `user.<account id>`. */
export const TagSource = t.brand(t.string, (s): s is t.Branded<string, TagSourceBrand> => source.test(s), 'TagSource');
export type TagSource = t.TypeOf<typeof TagSource>;

export const isImporter = (from: TagSource): boolean => from.startsWith('importer.');

/** A tag's value with what the registry said of its key when it was written. */
export interface ResolvedTag {
  readonly key: TagKey;
  readonly category: TagCategory;
  readonly value: TagValue;
}

/** Categories that importers may write (specification, section 4.4), and those that users may. */
export const importable: ReadonlySet<TagCategory> = new Set(['provider', 'demographic', 'survey']);
export const editable: ReadonlySet<TagCategory> = new Set(['label', 'user']);

/** Why a tag may not be written. */
export type BadTagReason =
  | 'source_not_importer'
  | 'unregistered_key'
  | 'category_not_importable'
  | 'category_not_editable'
  | 'bad_value'
  | 'duplicate_key';

/** A key that keeps a whole request from being served. */
export interface BadTag {
  /** As the client sent it; not always the form of a key. */
  readonly key: string;
  readonly reason: BadTagReason;
  /** What the registry, or the tag as it stands, says of the key; null where that was not looked at. */
  readonly category: TagCategory | null;
  readonly value_type: TagValueType | null;
}

export interface TagsRefused {
  readonly _tag: 'TagsRefused';
  /** Each key once, in the order of the request. */
  readonly bad: ReadonlyArray<BadTag>;
}
