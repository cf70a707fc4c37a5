import type { TagValue, TagValueType } from './tag.js';

/** Characters of a text, or of all texts of a list together. */
export const longestTagText = 2_000;
/** Texts of a list. */
export const longestTagList = 100;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longestTagText && value.isWellFormed();

const isTextList = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) &&
  value.length <= longestTagList &&
  value.every(isText) &&
  value.reduce((length: number, text: string) => length + text.length, 0) <= longestTagText;

/** The value as a tag of this type holds it; null when it is none: of another type, too long, not finite. */
export const tagValue = (type: TagValueType, value: unknown): TagValue | null => {
  switch (type) {
    case 'string':
      return isText(value) ? value : null;
    case 'number':
      // A negative zero is a zero: JSON has one alone.
      return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'string_list':
      return isTextList(value) ? value : null;
  }
};

export const sameTagValue = (one: TagValue, other: TagValue): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((text, index) => text === other[index]);
};
