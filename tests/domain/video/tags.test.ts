import { expect } from 'chai';
import type { ResolvedTag, TagCategory, TagValue, StandingTag } from '../../../domain/tag-registry/contract.js';
import type { RemoveTag, WriteTags } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { registeredIn } from '../../support/specification.js';
import { resolved, tagKey, tagSource } from '../../support/tags.js';
import { at } from '../../support/values.js';
import { registered, theVideo } from '../../support/video-events.js';

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

describe('tags of a video', () => {
  it('are written together, as one event', () =>
    theVideo
      .given(registered())
      .cases([write('importer.a', one, list), [written('importer.a', [one, null], [list, null])]]));

  it('change if value, source or category differ, and record the previous tag', () => {
    const given = theVideo.given(registered(), written('importer.a', [one, null], [list, null]));
    given.cases(
      [write('importer.a', two, list), [written('importer.a', [two, standing('one')])]],
      [write('importer.b', one), [written('importer.b', [one, standing('one')])]],
    );
    const moved = { ...one, category: 'survey' as const };
    given.cases([write('importer.a', moved), [written('importer.a', [moved, standing('one')])]]);
    const longer = resolved('vpm.b', ['x', 'y', 'z']);
    given.cases([write('importer.a', longer), [written('importer.a', [longer, standing(['x', 'y'])])]]);
  });

  it('that are unchanged write nothing', () =>
    theVideo
      .given(registered(), written('importer.a', [one, null], [list, null]))
      .cases([write('importer.a', list, one), []]));

  it('are at most 2,000: one more is refused, and nothing is written', () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => resolved(`vpm.n${from + index}`, 'x'));
    const full = theVideo.given(
      registered(),
      written('importer.a', ...many(0, 2_000).map((tag) => [tag, null] as const)),
    );
    full.cases([write('importer.a', ...many(1_999, 2)), { _tag: 'TooManyTags', most: 2_000 }]);
    const changed = resolved('vpm.n0', 'y');
    full.cases([write('importer.a', changed), [written('importer.a', [changed, standing('x')])]]);
  });

  it('of a person are never overwritten by an import, which is refused as a whole', () => {
    const mine = resolved('vpm.a', 'mine', 'user');
    theVideo.given(registered(), written('user.owner', [mine, null])).cases([
      write('importer.a', list, one),
      {
        _tag: 'TagsRefused',
        bad: [{ key: 'vpm.a', reason: 'category_not_importable', category: 'user', value_type: null }],
      },
    ]);
  });

  it('of an importer may become a person’s when the registry says so', () => {
    const mine = resolved('vpm.a', 'mine', 'user');
    theVideo
      .given(registered(), written('importer.a', [one, null]))
      .cases([write('user.owner', mine), [written('user.owner', [mine, standing('one')])]]);
  });

  it('are removed by a person', () => {
    const state = theVideo
      .given(registered(), written('user.owner', [label, null]))
      .when(remove('label.a'))
      .then({
        type: 'TagRemoved',
        data: { key: tagKey('label.a'), previous: standing(true, 'user.owner', 'label'), at: at(2) },
      });
    expect(registeredIn(state).tags.size).to.equal(0);
  });

  it('that are unknown or an importer’s cannot be removed', () => {
    const given = theVideo.given(registered(), written('importer.a', [one, null]));
    given.cases(
      [remove('label.a'), { _tag: 'UnknownTag', key: 'label.a' }],
      [
        remove('vpm.a'),
        {
          _tag: 'TagsRefused',
          bad: [{ key: 'vpm.a', reason: 'category_not_editable', category: 'provider', value_type: null }],
        },
      ],
    );
  });

  it('need a video', () => theVideo.given().cases([write('importer.a', one), { _tag: 'UnknownVideo' }]));
});
