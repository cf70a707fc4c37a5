import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import type { Ineligible } from '../../../domain/name-inference/eligibility.js';
import type { NotAuthorised } from '../../../application/queries/authorise.js';
import type { NotRevertible } from '../../../application/use-cases/undo/revert-change.js';
import { type BadTag, type TagsRefused, TagKey, isFilterable } from '../../../domain/tag-registry/contract.js';
import { type HttpError, coded } from './refusal.js';

export const ineligibleFor: Readonly<Record<Ineligible, string>> = {
  meeting: 'it is a meeting',
  parent_meeting: 'its video is a meeting',
  provider_supplied: 'its transcript was supplied by a provider',
  transcript_replaced: 'its transcript was replaced',
  speech_segments: 'it has a speech_segments pointer',
};

/** Changes that cannot be reverted. */
export const irrevertible: Readonly<Record<NotRevertible['reason'], string>> = {
  registration: 'the registration of a record',
  link: 'the link of a video and an audio',
  analysis: 'an analysis',
  personality_data: 'personality data',
  transcript: 'a transcript',
  merge: 'a merge of speakers',
  deletion: 'the deletion of a speaker',
  trigger: 'the trigger of a match run',
  suggestions: 'stored suggestions',
  failed_run: 'the failure of a match run',
  renumbered: 'one from before faces or speakers were renumbered',
};

export const notCompleted = (code: 409 | 422, medium: 'video' | 'audio', status: ProcessingStatus): HttpError =>
  coded(code, `${medium}_not_completed`, `The processing of the ${medium} is not completed: its status is ${status}`, {
    status,
  });

/** RFC 9110, section 15.5.2: a 401 says how to authenticate. */
export const unauthorised = (detail: HttpError['detail']): HttpError => ({
  status: 401,
  detail,
  headers: { 'WWW-Authenticate': 'Bearer realm="media-analysis"' },
});

export const notAuthorised = (needs: NotAuthorised['needs']): HttpError['detail'] => {
  const code = 'not_authorised';
  switch (needs) {
    case 'owner':
      return { code, message: 'Only the owner may do this: the API key belongs to another account' };
    case 'admin':
      return { code, message: 'Only an administrator may do this: the API key is not an admin key' };
    default:
      return { code, message: `This API key lacks the permission ${needs}`, permission: needs };
  }
};

const keyForm = 'a dotted path of at most 128 characters from A-Za-z0-9_-';

export const badRegistryKey = (): HttpError =>
  coded(
    400,
    'malformed_key',
    `The key must be ${keyForm}, such as vpm.campaign, or a family of keys that ends with .*, such as vpm.*`,
  );

/** What a value of a type must be. */
const wanted: Readonly<Record<NonNullable<BadTag['value_type']>, string>> = {
  string: 'a string of well-formed Unicode',
  number: 'a finite number',
  boolean: 'true or false',
  string_list: 'a list of strings of well-formed Unicode',
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
      return `must be ${value_type === null ? 'a different value' : wanted[value_type]}`;
    case 'duplicate_key':
      return 'appears more than once';
  }
};

/** The code is the reason if all bad tags have the same one, otherwise `tags_refused`. */
export const tagsRefused = ({ bad }: Pick<TagsRefused, 'bad'>): HttpError => {
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
