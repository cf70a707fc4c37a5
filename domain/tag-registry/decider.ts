import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import {
  type RegisterTagKey,
  type TagRegistryEntry,
  type TagRegistryEvent,
  type TagCategory,
  type BadTag,
  type BadTagReason,
  type ResolvedTag,
  type TagsRefused,
  RegistryKey,
  TagKey,
  TagSource,
  editable,
  importable,
  isFilterable,
  isImporter,
  tagValue,
} from './contract.js';
import * as E from 'fp-ts/lib/Either.js';

const family = (key: string, category: TagCategory, description: string): TagRegistryEntry => {
  if (RegistryKey.is(key)) return { key, category, value_type: 'string', description };
  throw new TypeError(`${key} is no key of a registry`);
};

/** The families that every registry contains from the start. */
const shippedFamilies: ReadonlyArray<TagRegistryEntry> = [
  family('vpm.*', 'provider', 'What a video platform says of the video'),
  family('demo.*', 'demographic', 'Demographic cohorts'),
  family('survey.*', 'survey', 'Answers to surveys'),
  family('system.*', 'system', "The pipeline's own"),
  family('label.*', 'label', 'Labels that users give'),
  family('user.*', 'user', "Users' own data"),
];

export type TagRegistryState = ReadonlyMap<RegistryKey, TagRegistryEntry>;

/** The registry of tag keys and their meaning (specification, section 2.5; contract, Tags). */
export const tagRegistry: Decider<RegisterTagKey, TagRegistryState, TagRegistryEvent, never> = {
  category: 'tagRegistry',
  initial: new Map(shippedFamilies.map((entry) => [entry.key, entry])),
  evolve: (state, { data: { previous: _previous, at: _at, ...entry } }) => new Map(state).set(entry.key, entry),
  decide: ({ entry, at }, state) => {
    const known = state.get(entry.key);
    if (known === undefined)
      return record<TagRegistryEvent>({ type: 'TagKeyRegistered', data: { ...entry, previous: null, at } });
    const { category, value_type, description } = known;
    return category === entry.category && value_type === entry.value_type && description === entry.description
      ? nothing
      : record<TagRegistryEvent>({
          type: 'TagKeyRegistered',
          data: { ...entry, previous: { category, value_type, description }, at },
        });
  },
};

/** A tag as a client sent it. */
export interface SentTag {
  readonly key: string;
  readonly value: unknown;
}

/** The most specific registry entry for a key: its own, or that of its closest family. */
export const entryFor = (registry: TagRegistryState, key: TagKey): TagRegistryEntry | null => {
  const own = RegistryKey.is(key) ? registry.get(key) : undefined;
  if (own !== undefined) return own;
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const family = `${key.slice(0, dot)}.*`;
    const entry = RegistryKey.is(family) ? registry.get(family) : undefined;
    if (entry !== undefined) return entry;
  }
  return null;
};

const bad = (key: string, reason: BadTagReason, entry: TagRegistryEntry | null = null): E.Either<BadTag, never> =>
  E.left({ key, reason, category: entry?.category ?? null, value_type: entry?.value_type ?? null });

const resolve = (
  registry: TagRegistryState,
  by: 'importer' | 'user',
  { key, value }: SentTag,
): E.Either<BadTag, ResolvedTag> => {
  const entry = TagKey.is(key) && isFilterable(key) ? entryFor(registry, key) : null;
  if (!TagKey.is(key) || entry === null) return bad(key, 'unregistered_key');
  if (by === 'importer' && !importable.has(entry.category)) return bad(key, 'category_not_importable', entry);
  if (by === 'user' && !editable.has(entry.category)) return bad(key, 'category_not_editable', entry);
  const fitting = tagValue(entry.value_type, value);
  return fitting === null ? bad(key, 'bad_value', entry) : E.right({ key, category: entry.category, value: fitting });
};

/**
 * Resolves the tags of a request by an importer or a user. Returns all tags with their categories, or all wrong keys,
 * each with the first applicable reason in the order of `BadTagReason`.
 */
export const resolveTags = (
  registry: TagRegistryState,
  by: 'importer' | 'user',
  source: string,
  tags: ReadonlyArray<SentTag>,
): E.Either<TagsRefused, { readonly source: TagSource; readonly tags: ReadonlyArray<ResolvedTag> }> => {
  const wrong = new Map<string, BadTag>();
  const resolved = new Map<string, ResolvedTag>();
  const known = TagSource.is(source) && isImporter(source) === (by === 'importer') ? source : null;
  for (const tag of tags) {
    const { key } = tag;
    if (wrong.has(key)) continue;
    const found = known === null ? bad(key, 'source_not_importer') : resolve(registry, by, tag);
    const once = E.isRight(found) && resolved.has(key) ? bad(key, 'duplicate_key') : found;
    if (E.isLeft(once)) wrong.set(key, once.left);
    else resolved.set(key, once.right);
  }
  return known === null || wrong.size > 0
    ? refuse({ _tag: 'TagsRefused', bad: [...wrong.values()] })
    : E.right({ source: known, tags: [...resolved.values()] });
};
