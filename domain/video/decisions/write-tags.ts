import { nothing, record, refuse } from '../../kernel/decider.js';
import { type BadTag, editable, isImporter, sameTag } from '../../tag-registry/contract.js';
import type { RemoveTag, WriteTags, VideoDecision } from '../contract.js';
import type { VideoEvent } from '../events.js';
import type { RegisteredVideo } from '../state.js';

/** The tags that a video has at most. */
const maxTags = 2_000;

/**
 * Upserts tags; unchanged tags are left out. An import never overwrites a user's tag, even if the registry has since
 * opened its key to importers.
 */
export const writeTags = (state: RegisteredVideo, { source, tags, at }: WriteTags): VideoDecision<'WriteTags'> => {
  const bad: BadTag[] = [];
  const written = tags.flatMap(({ key, category, value }) => {
    const previous = state.tags.get(key) ?? null;
    if (previous !== null && isImporter(source) && !isImporter(previous.source))
      bad.push({ key, reason: 'category_not_importable', category: previous.category, value_type: null });
    return sameTag(previous, { value, category, source }) ? [] : [{ key, category, value, previous }];
  });
  if (bad.length > 0) return refuse({ _tag: 'TagsRefused', bad });
  if (written.length === 0) return nothing;
  const added = written.filter(({ previous }) => previous === null).length;
  return added > 0 && state.tags.size + added > maxTags
    ? refuse({ _tag: 'TooManyTags', most: maxTags })
    : record<VideoEvent>({ type: 'TagsWritten', data: { source, tags: written, at } });
};

/** Removes a tag. Only tags of user categories can be removed. */
export const removeTag = (state: RegisteredVideo, { key, at }: RemoveTag): VideoDecision<'RemoveTag'> => {
  const previous = state.tags.get(key);
  if (previous === undefined) return refuse({ _tag: 'UnknownTag', key });
  const { category } = previous;
  return editable.has(category)
    ? record<VideoEvent>({ type: 'TagRemoved', data: { key, previous, at } })
    : refuse({ _tag: 'TagsRefused', bad: [{ key, reason: 'category_not_editable', category, value_type: null }] });
};
