import { expect } from 'chai';
import { videoViewAt } from '../support/kill-nine/log.js';
import { videoRegistered } from './facts.js';
import { at, fact, recorded, rowsAfter } from './given.js';

const standing = { value: 'old', category: 'provider', source: 'importer.a' };
const written = (seconds: number, source: string, values: Readonly<Record<string, unknown>>) =>
  fact('TagsWritten', {
    source,
    tags: Object.entries(values).map(([key, value]) => ({ key, category: 'provider', value, previous: null })),
    at: at(seconds),
  });
const removed = (key: string) => fact('TagRemoved', { key, previous: standing, at: at(9) });

const inVideoStream = (...events: ReadonlyArray<ReturnType<typeof fact>>) =>
  [videoRegistered(), ...events].map((event) => ['video-v1', event] as const);
const viewAfter = (...events: ReadonlyArray<ReturnType<typeof fact>>) =>
  videoViewAt(recorded(inVideoStream(...events)));
const tagsAfter = (...events: ReadonlyArray<ReturnType<typeof fact>>) => viewAfter(...events)?.record.tags;

describe('projection: tags of videos', () => {
  const first = written(1, 'importer.a', { 'vpm.a': 1, 'vpm.b': ['x'] });
  const second = written(2, 'importer.b', { 'vpm.c': true, 'vpm.a': 'new' });
  const tag = (key: string, value: unknown, source: string, seconds: number) => ({
    key,
    value,
    category: 'provider',
    source,
    updated_at: at(seconds),
    updated_by: 'account',
  });

  it('shows each tag with its provenance, in insertion order', () =>
    expect(tagsAfter(first, second)).to.deep.equal([
      tag('vpm.a', 'new', 'importer.b', 2),
      tag('vpm.b', ['x'], 'importer.a', 1),
      tag('vpm.c', true, 'importer.b', 2),
    ]));

  it('drops removed tags, and appends them when they are added again', () => {
    expect(tagsAfter(first, removed('vpm.a'))).to.deep.equal([tag('vpm.b', ['x'], 'importer.a', 1)]);
    expect(tagsAfter(first, removed('vpm.none'))).to.deep.equal(tagsAfter(first));
    expect(tagsAfter(first, removed('vpm.a'), first)?.map(({ key }) => key)).to.deep.equal(['vpm.b', 'vpm.a']);
  });

  it('ignores a stream without registration', () =>
    expect(rowsAfter(['video-v1', first]).videoTags.all()).to.deep.equal([]));
});
