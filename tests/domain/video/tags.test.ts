import { expect } from 'chai';
import type {
  BadTag,
  ResolvedTag,
  StandingTag,
  TagCategory,
  TagsRefused,
  TagValue,
} from '../../../domain/tag-registry/contract.js';
import type { RemoveTag, WriteTags } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { registeredIn } from '../../support/specification.js';
import { resolved, tagKey, tagSource, at } from '../../support/values.js';
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
const mine = resolved('vpm.a', 'mine', 'user');

const unknownVideo = { _tag: 'UnknownVideo' } as const;
const refused = (key: string, reason: BadTag['reason'], category: TagCategory): TagsRefused => ({
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
      .cases([write('importer.a', list, one), refused('vpm.a', 'category_not_importable', 'user')]));

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
      [remove('vpm.a'), refused('vpm.a', 'category_not_editable', 'provider')],
    ));
});
