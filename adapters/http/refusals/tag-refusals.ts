import {
  type BadTag,
  type TagsRefused,
  TagKey,
  isFilterable,
  maxTagListLength,
  maxTagTextLength,
} from '../../../domain/tag-registry/contract.js';
import { type HttpError, coded } from './http-error.js';

/** The key in the path is not valid for the tag registry. */
export interface BadRegistryKey {
  readonly _tag: 'BadRegistryKey';
}

const keyForm = 'a dotted path of at most 128 characters from A-Za-z0-9_-';

export const badRegistryKey = (): HttpError =>
  coded(
    400,
    'malformed_key',
    `The key must be ${keyForm}, such as vpm.campaign, or a family of keys that ends with .*, such as vpm.*`,
  );

/** What a value of a type must be. Formatted only when needed: the first number format of a process takes 30 ms. */
const wanted = (type: NonNullable<BadTag['value_type']>): string => {
  const characters = `${maxTagTextLength.toLocaleString('en-US')} characters`;
  switch (type) {
    case 'string':
      return `a string of well-formed Unicode with at most ${characters}`;
    case 'number':
      return 'a finite number';
    case 'boolean':
      return 'true or false';
    case 'string_list':
      return `a list of at most ${maxTagListLength} strings of well-formed Unicode with at most ${characters} in total`;
  }
};

const messageOf = ({ key, reason, category, value_type }: BadTag): string => {
  switch (reason) {
    case 'source_not_importer':
      return 'source must be importer. followed by a name of 1 to 128 characters from A-Za-z0-9._:-';
    case 'unregistered_key':
      return TagKey.is(key) && isFilterable(key)
        ? 'is not in the tag registry'
        : `is not a valid tag key: a key is ${keyForm}`;
    case 'category_not_importable':
      return `is of the category ${category ?? ''}, which cannot be imported`;
    case 'category_not_editable':
      return `is of the category ${category ?? ''}, which users cannot change`;
    case 'bad_value':
      return `must be ${value_type === null ? 'a different value' : wanted(value_type)}`;
    case 'duplicate_key':
      return 'appears more than once';
  }
};

/** The code is the reason if all bad tags have the same one, otherwise `tags_refused`. */
export const tagsRefused = ({ bad }: TagsRefused): HttpError => {
  const errors = bad.map((tag) => ({ key: tag.key, reason: tag.reason, message: messageOf(tag) }));
  const [first] = errors;
  const same = errors.every(({ reason }) => reason === first?.reason);
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return coded(
    400,
    same ? (first?.reason ?? 'tags_refused') : 'tags_refused',
    `No tag was changed: ${first?.key ?? ''}: ${first?.message ?? ''}${others}`,
    { errors },
  );
};
