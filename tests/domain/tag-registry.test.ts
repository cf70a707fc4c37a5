import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import {
  type RegisterTagKey,
  type TagRegistryEvent,
  type BadTag,
  type TagCategory,
  type TagValueType,
  RegistryKey,
  TagKey,
  TagSource,
  type ResolvedTag,
  type StandingTag,
  type TagsRefused,
  type TagValue,
} from '../../domain/tag-registry/contract.js';
import { type TagRegistryState, tagRegistry, entryFor, resolveTags } from '../../domain/tag-registry/decider.js';
import type { RemoveTag, WriteTags } from '../../domain/video/contract.js';
import type { VideoEvent } from '../../domain/video/events.js';
import { specification, registeredIn } from '../support/specification.js';
import { registryEntry, resolved, tagKey, tagSource, at } from '../support/values.js';
import { registered, theVideo } from '../support/video-events.js';

const registry = specification(tagRegistry, (command: RegisterTagKey) => command);

const register = (key: string, category: TagCategory, value_type: TagValueType = 'string'): RegisterTagKey => ({
  type: 'RegisterTagKey',
  entry: registryEntry(key, category, value_type),
  at: at(1),
});
const registeredKey = (
  { entry, at: time }: RegisterTagKey,
  previous: { category: TagCategory; value_type: TagValueType; description: string | null } | null = null,
): TagRegistryEvent => ({ type: 'TagKeyRegistered', data: { ...entry, previous, at: time } });

const stateAfter = (...commands: ReadonlyArray<RegisterTagKey>): TagRegistryState =>
  registry.given(...commands.map((command) => registeredKey(command))).state();

describe('tag registry', () => {
  const views = register('vpm.views', 'provider', 'number');
  it('registers a new key, or nothing if the entry is unchanged', () => {
    registry.given().cases([views, [registeredKey(views)]]);
    registry.given(registeredKey(views)).cases([views, []]);
  });

  it('changes any part of an entry, also of a predefined family, and records the previous one', () => {
    const meaning = { category: 'provider', value_type: 'number', description: null } as const;
    for (const change of [{ category: 'user' }, { value_type: 'string' }, { description: 'How often' }] as const) {
      const changed: RegisterTagKey = { ...views, entry: { ...views.entry, ...change } };
      registry.given(registeredKey(views)).cases([changed, [registeredKey(changed, meaning)]]);
    }
    const family = register('vpm.*', 'survey');
    const shipped = { category: 'provider', value_type: 'string' } as const;
    const description = 'What a video platform says of the video';
    registry.given().cases([family, [registeredKey(family, { ...shipped, description })]]);
  });

  it('resolves a key to its own entry, or else to its closest family', () => {
    const state = stateAfter(register('vpm.a.*', 'survey'), register('vpm.a.b', 'label'), register('x', 'user'));
    const found = (key: string) => entryFor(state, tagKey(key))?.key ?? null;
    expect(['vpm.a.b', 'vpm.a.b.c', 'vpm.a.c', 'vpm.a', 'vpm.b.c.d', 'x'].map(found)).to.deep.equal([
      'vpm.a.b',
      'vpm.a.*',
      'vpm.a.*',
      'vpm.*',
      'vpm.*',
      'x',
    ]);
    expect(['vpm', 'x.a', 'y', 'vpmx.a', 'demo'].map(found)).to.deep.equal([null, null, null, null, null]);
  });

  it('knows the form of keys and sources', () => {
    ['a', 'a.b', 'a-b._c.0', 'vpm.campaignId', 'a.b:C', 'x'.repeat(128)].forEach((key) =>
      expect(TagKey.is(key), key).to.equal(true),
    );
    ['', '.', 'a.', '.a', 'a..b', 'a/b', 'a b', 'a.*', 'ä', 'a\n', 'x'.repeat(129)].forEach((key) =>
      expect(TagKey.is(key), key).to.equal(false),
    );
    ['a.*', 'a.b.*', 'a'].forEach((key) => expect(RegistryKey.is(key), key).to.equal(true));
    expect(RegistryKey.is(`${'x'.repeat(126)}.*`)).to.equal(true);
    ['*', '.*', 'a*', 'a.*.b', 'a.*.*', `${'x'.repeat(127)}.*`].forEach((key) =>
      expect(RegistryKey.is(key), key).to.equal(false),
    );
    ['importer.a', 'user.A:b-c_d.e'].forEach((source) => expect(TagSource.is(source), source).to.equal(true));
    ['importer', 'importer.', 'importer.a b', 'system.a', 'importer.a\n', ' importer.a'].forEach((source) =>
      expect(TagSource.is(source), source).to.equal(false),
    );
  });
});

describe('tags of a request', () => {
  const state = stateAfter(
    register('demo.age', 'demographic', 'number'),
    register('demo.is', 'demographic', 'boolean'),
  );
  const listState = stateAfter(register('demo.list', 'demographic', 'string_list'));
  const valueOf = (key: string, value: unknown, of: TagRegistryState = state): unknown => {
    const answer = resolveTags(of, 'importer', 'importer.a', [{ key, value }]);
    return E.isRight(answer) ? answer.right.tags[0]?.value : answer.left.bad[0]?.reason;
  };

  it('get their categories from the registry', () => {
    const sent = [
      { key: 'demo.age', value: 3 },
      { key: 'survey.x', value: 'y' },
    ];
    expect(resolveTags(state, 'importer', 'importer.a', sent)).to.deep.equal(
      E.right({
        source: 'importer.a',
        tags: [resolved('demo.age', 3, 'demographic'), resolved('survey.x', 'y', 'survey')],
      }),
    );
  });

  it('hold finite numbers, with one zero', () => {
    expect(Object.is(valueOf('demo.age', -0), 0)).to.equal(true);
    expect([1.5, -7, Number.MAX_VALUE].map((value) => valueOf('demo.age', value))).to.deep.equal([
      1.5,
      -7,
      Number.MAX_VALUE,
    ]);
    [Number.NaN, Infinity, -Infinity, '3', 3n, null, undefined].forEach((value) =>
      expect(valueOf('demo.age', value)).to.equal('bad_value'),
    );
  });

  it('hold strings and lists of strings of well-formed Unicode', () => {
    ['', 'x'.repeat(2_046)].forEach((value) => expect(valueOf('vpm.a', value)).to.equal(value));
    expect(valueOf('demo.is', false)).to.equal(false);
    ['false', 0, null].forEach((value) => expect(valueOf('demo.is', value)).to.equal('bad_value'));
    ['\ud800', 3, null, ['x']].forEach((value) => expect(valueOf('vpm.a', value)).to.equal('bad_value'));
    [[], [''], Array.from({ length: 400 }, () => 'x')].forEach((value) =>
      expect(valueOf('demo.list', value, listState)).to.deep.equal(value),
    );
    [['\ud800'], [1], 'x', {}].forEach((value) => expect(valueOf('demo.list', value, listState)).to.equal('bad_value'));
  });

  const refused = (by: 'importer' | 'user', source: string, ...keys: ReadonlyArray<string>) =>
    resolveTags(
      state,
      by,
      source,
      keys.map((key) => ({ key, value: 'x' })),
    );
  const wrong = (...bad: ReadonlyArray<BadTag>) => E.left({ _tag: 'TagsRefused', bad });

  it('are refused with the registry’s entry of each key, if it was looked up', () => {
    const unknown = { reason: 'unregistered_key', category: null, value_type: null } as const;
    const notAnImporter = { key: 'vpm.x', reason: 'source_not_importer', category: null, value_type: null } as const;
    expect(refused('importer', 'importer.a', 'demo.age', 'nowhere', 'a b', 'vpm.a:b', 'system.x')).to.deep.equal(
      wrong(
        { key: 'demo.age', reason: 'bad_value', category: 'demographic', value_type: 'number' },
        { key: 'nowhere', ...unknown },
        { key: 'a b', ...unknown },
        { key: 'vpm.a:b', ...unknown },
        { key: 'system.x', reason: 'category_not_importable', category: 'system', value_type: 'string' },
      ),
    );
    expect(refused('user', 'user.a', 'label.a')).to.deep.equal(
      E.right({ source: 'user.a', tags: [resolved('label.a', 'x', 'label')] }),
    );
    expect(refused('importer', 'user.a', 'vpm.x')).to.deep.equal(wrong(notAnImporter));
    expect(refused('user', 'user.a', 'vpm.x')).to.deep.equal(
      wrong({ key: 'vpm.x', reason: 'category_not_editable', category: 'provider', value_type: 'string' }),
    );
    expect(refused('importer', 'nobody', 'vpm.x')).to.deep.equal(wrong(notAnImporter));
  });

  it('are refused if empty and from a source that may not write any', () =>
    expect(refused('importer', 'user.a')).to.deep.equal(wrong()));

  it('have each key once, and report each wrong key once, with its first reason', () =>
    expect(refused('importer', 'importer.a', 'vpm.x', 'vpm.x', 'vpm.x', 'nowhere', 'nowhere')).to.deep.equal(
      wrong(
        { key: 'vpm.x', reason: 'duplicate_key', category: null, value_type: null },
        { key: 'nowhere', reason: 'unregistered_key', category: null, value_type: null },
      ),
    ));
});

const write = (source: string, ...tags: ReadonlyArray<ResolvedTag>): WriteTags => ({
  type: 'WriteTags',
  source: tagSource(source),
  tags,
  at: at(1),
});
const standing = (value: TagValue, source = 'importer.a', category: TagCategory = 'provider'): StandingTag => ({
  value,
  category,
  source: tagSource(source),
});
const written = (source: string, ...tags: ReadonlyArray<readonly [ResolvedTag, StandingTag | null]>): VideoEvent => ({
  type: 'TagsWritten',
  data: { source: tagSource(source), tags: tags.map(([tag, previous]) => ({ ...tag, previous })), at: at(1) },
});
const remove = (key: string): RemoveTag => ({ type: 'RemoveTag', key: tagKey(key), at: at(2) });
const [one, two, list] = [resolved('vpm.a', 'one'), resolved('vpm.a', 'two'), resolved('vpm.b', ['x', 'y'])];
const label = resolved('label.a', true, 'label');
const mine = resolved('vpm.a', 'mine', 'user');

const unknownVideo = { _tag: 'UnknownVideo' } as const;
const refusal = (key: string, reason: BadTag['reason'], category: TagCategory): TagsRefused => ({
  _tag: 'TagsRefused',
  bad: [{ key, reason, category, value_type: null }],
});
const imported = theVideo.given(registered(), written('importer.a', [one, null], [list, null]));

describe('tags of a video', () => {
  it('are written together, as one event, on a video', () => {
    theVideo
      .given(registered())
      .cases([write('importer.a', one, list), [written('importer.a', [one, null], [list, null])]]);
    theVideo.given().cases([write('importer.a', one), unknownVideo]);
  });

  it('change if value, source or category differ, and record the previous tag', () => {
    const moved = { ...one, category: 'survey' as const };
    const longer = resolved('vpm.b', ['x', 'y', 'z']);
    imported.cases(
      [write('importer.a', two, list), [written('importer.a', [two, standing('one')])]],
      [write('importer.b', one), [written('importer.b', [one, standing('one')])]],
      [write('importer.a', moved), [written('importer.a', [moved, standing('one')])]],
      [write('importer.a', longer), [written('importer.a', [longer, standing(['x', 'y'])])]],
      [write('importer.a', list, one), []],
    );
  });

  it('are at most 2,000: one more is refused, and nothing is written', () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => resolved(`vpm.n${from + index}`, 'x'));
    const changed = resolved('vpm.n0', 'y');
    theVideo
      .given(registered(), written('importer.a', ...many(0, 2_000).map((tag) => [tag, null] as const)))
      .cases(
        [write('importer.a', ...many(1_999, 2)), { _tag: 'TooManyTags', most: 2_000 }],
        [write('importer.a', changed), [written('importer.a', [changed, standing('x')])]],
      );
  });

  it('of a person are never overwritten by an import, which is refused as a whole', () =>
    theVideo
      .given(registered(), written('user.owner', [mine, null]))
      .cases([write('importer.a', list, one), refusal('vpm.a', 'category_not_importable', 'user')]));

  it('of an importer may become a person’s when the registry says so', () =>
    imported.cases([write('user.owner', mine), [written('user.owner', [mine, standing('one')])]]));

  it('are removed by a person', () => {
    const previous = standing(true, 'user.owner', 'label');
    const given = theVideo.given(registered(), written('user.owner', [label, null]));
    const removed: VideoEvent = { type: 'TagRemoved', data: { key: tagKey('label.a'), previous, at: at(2) } };
    given.cases([remove('label.a'), [removed]]);
    expect(registeredIn(given.after(remove('label.a'))).tags.size).to.equal(0);
  });

  it('that are unknown or an importer’s cannot be removed', () =>
    imported.cases(
      [remove('label.a'), { _tag: 'UnknownTag', key: 'label.a' }],
      [remove('vpm.a'), refusal('vpm.a', 'category_not_editable', 'provider')],
    ));
});
