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
import { made } from './values.js';

export const tagKey = (text: string): TagKey => made(TagKey, text);
export const registryKey = (text: string): RegistryKey => made(RegistryKey, text);
export const tagSource = (text: string): TagSource => made(TagSource, text);

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
