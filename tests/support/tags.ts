import {
  type TagRegistryEntry,
  type ResolvedTag,
  type TagCategory,
  type TagValue,
  type TagValueType,
  RegistryKey,
  TagKey,
  TagSource,
} from '../../domain/tag-registry/contract.js';

export const tagKey = (text: string): TagKey => {
  if (TagKey.is(text)) return text;
  throw new TypeError(`no key of a tag: ${text}`);
};

export const registryKey = (text: string): RegistryKey => {
  if (RegistryKey.is(text)) return text;
  throw new TypeError(`no key of a registry: ${text}`);
};

export const tagSource = (text: string): TagSource => {
  if (TagSource.is(text)) return text;
  throw new TypeError(`no source of tags: ${text}`);
};

export const registryEntry = (key: string, category: TagCategory, value_type: TagValueType): TagRegistryEntry => ({
  key: registryKey(key),
  category,
  value_type,
  description: null,
});

export const resolved = (key: string, value: TagValue, category: TagCategory = 'provider'): ResolvedTag => ({
  key: tagKey(key),
  category,
  value,
});
