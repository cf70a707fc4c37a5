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
} from '../../domain/tag-registry/contract.js';
import { type TagRegistryState, tagRegistry, entryFor, resolveTags } from '../../domain/tag-registry/decider.js';
import { specification } from '../support/specification.js';
import { registryEntry, resolved, tagKey, at } from '../support/values.js';

const registry = specification(tagRegistry, (command: RegisterTagKey) => command);

const register = (key: string, category: TagCategory, value_type: TagValueType = 'string'): RegisterTagKey => ({
  type: 'RegisterTagKey',
  entry: registryEntry(key, category, value_type),
  at: at(1),
});
const registered = (
  { entry, at: time }: RegisterTagKey,
  previous: { category: TagCategory; value_type: TagValueType; description: string | null } | null = null,
): TagRegistryEvent => ({ type: 'TagKeyRegistered', data: { ...entry, previous, at: time } });

const stateAfter = (...commands: ReadonlyArray<RegisterTagKey>): TagRegistryState =>
  registry.given(...commands.map((command) => registered(command))).state();

describe('tag registry', () => {
  const views = register('vpm.views', 'provider', 'number');
  it('registers a new key, or nothing if the entry is unchanged', () => {
    registry.given().cases([views, [registered(views)]]);
    registry.given(registered(views)).cases([views, []]);
  });

  it('changes any part of an entry, also of a predefined family, and records the previous one', () => {
    const meaning = { category: 'provider', value_type: 'number', description: null } as const;
    for (const change of [{ category: 'user' }, { value_type: 'string' }, { description: 'How often' }] as const) {
      const changed: RegisterTagKey = { ...views, entry: { ...views.entry, ...change } };
      registry.given(registered(views)).cases([changed, [registered(changed, meaning)]]);
    }
    const family = register('vpm.*', 'survey');
    const shipped = { category: 'provider', value_type: 'string' } as const;
    const description = 'What a video platform says of the video';
    registry.given().cases([family, [registered(family, { ...shipped, description })]]);
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
  const list = stateAfter(register('demo.list', 'demographic', 'string_list'));
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
      expect(valueOf('demo.list', value, list)).to.deep.equal(value),
    );
    [['\ud800'], [1], 'x', {}].forEach((value) => expect(valueOf('demo.list', value, list)).to.equal('bad_value'));
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
