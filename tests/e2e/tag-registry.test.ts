import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectText } from '../support/e2e/refusal.js';
import { getRegistryEntries, expectBadTags, outcomeOf, getTags } from '../support/e2e/tags.js';

const shipped = ['demo.*', 'label.*', 'survey.*', 'system.*', 'user.*', 'vpm.*'];

describe('the tag registry', () => {
  const api = useTestApi();
  const register = (key: string, category: string, value_type = 'string', headers: Record<string, string> = {}) =>
    api().admin.put(`/v2/tag-registry/${key}`, { category, value_type, description: `of ${key}` }, headers);
  const importInto = async (key: string, value: unknown, video?: string) => {
    const path = video ?? (await createMedia(api())).video;
    return api().owner.post(`${path}/provider-tags`, { source: 'importer.x', tags: [{ key, value }] });
  };

  it('initially contains six families, visible to any key', async () => {
    expectText(await api().anonymous.get('/v2/tag-registry'), 401);
    const entries = await getRegistryEntries(api().stranger);
    expect(entries.map(({ key, category }) => [key, category])).to.deep.equal(
      shipped.map((key) => [
        key,
        { vpm: 'provider', demo: 'demographic' }[key.replace('.*', '')] ?? key.replace('.*', ''),
      ]),
    );
    entries.forEach(({ value_type }) => expect(value_type).to.equal('string'));
  });

  it('accepts keys and families, returns the entry, and lists it', async () => {
    const answer = await register('crm.deal.*', 'provider', 'number');
    const entry = { key: 'crm.deal.*', category: 'provider', value_type: 'number', description: 'of crm.deal.*' };
    expect(answer.body).to.deep.equal(entry);
    expect(answer.headers.get('X-Event-Position')).to.match(/\S/);
    expect(await getRegistryEntries(api().owner)).to.deep.include(entry);
    const bare = await api().admin.put('/v2/tag-registry/bare', { category: 'label', value_type: 'boolean' });
    expect(bare.body).to.have.property('description', null);
    const again = await register('crm.deal.*', 'provider', 'number');
    expect(again.headers.get('X-Event-Position')).to.equal(null);
    await api().world.restart();
    expect(await getRegistryEntries(api().owner)).to.deep.include(entry);
  });

  it('uses the most specific entry', async () => {
    await expectOk(register('vpm.secret.*', 'system'));
    await expectOk(register('vpm.secret.open', 'provider', 'number'));
    await expectOk(register('label.score.*', 'survey', 'string_list'));
    expectBadTags(await importInto('vpm.secret.x', 'x'), 'category_not_importable', [
      'vpm.secret.x',
      'category_not_importable',
    ]);
    expectBadTags(await importInto('vpm.secret.open', 'x'), 'bad_value', ['vpm.secret.open', 'bad_value']);
    expect(outcomeOf(await importInto('vpm.secret.open', 0.5)).created).to.deep.equal(['vpm.secret.open']);
    expectBadTags(await importInto('vpm.secret.open.more', 'x'), 'category_not_importable', [
      'vpm.secret.open.more',
      'category_not_importable',
    ]);
    expect(outcomeOf(await importInto('label.score.a', ['x'])).created).to.deep.equal(['label.score.a']);
  });

  it('does not change existing tags when it changes', async () => {
    const { video } = await createMedia(api());
    await expectOk(register('demo.size', 'demographic', 'string'));
    await expectOk(importInto('demo.size', 'large', video));
    await expectOk(register('demo.size', 'survey', 'number'));
    const [before] = await getTags(api().owner, video);
    expect(before).to.include({ value: 'large', category: 'demographic' });
    expectBadTags(await importInto('demo.size', 'large', video), 'bad_value', ['demo.size', 'bad_value']);
    expect(outcomeOf(await importInto('demo.size', 3, video)).updated).to.deep.equal(['demo.size']);
    expect((await getTags(api().owner, video))[0]).to.include({ value: 3, category: 'survey' });
  });

  it('never lets an import overwrite what a person wrote, also after a change of the registry', async () => {
    const { video } = await createMedia(api());
    await expectOk(register('shared.note', 'user'));
    const mine = { tags: [{ key: 'shared.note', value: 'mine' }] };
    await expectOk(api().owner.post(`${video}/tags`, mine));
    await expectOk(register('shared.note', 'provider'));
    expectBadTags(await importInto('shared.note', 'theirs', video), 'category_not_importable', [
      'shared.note',
      'category_not_importable',
    ]);
    await expectOk(api().owner.delete(`${video}/tags/shared.note`));
    expect(outcomeOf(await importInto('shared.note', 'theirs', video)).created).to.deep.equal(['shared.note']);
  });

  it('can be changed only by admins, with valid bodies and keys', async () => {
    const path = '/v2/tag-registry/vpm.x';
    expectText(await api().anonymous.put(path, 7), 401);
    expectCode(await api().owner.put(path, 7), 401, 'not_authorised');
    expectMalformed(await api().admin.put(path, {}), 'category', 'value_type');
    expectMalformed(await api().admin.put(path, { category: 'x', value_type: 'integer' }), 'category', 'value_type');
    expectMalformed(
      await api().admin.put(path, { category: 'user', value_type: 'string', description: 7 }),
      'description',
    );
    for (const key of ['*', '.*', 'vpm.*.x', 'vpm*', 'a b', 'a/b', 'vpm.ä', 'vpm.a:b', 'x'.repeat(129)])
      expectCode(await register(encodeURIComponent(key), 'user'), 400, 'malformed_key');
  });

  it('has a revision for If-Match', async () => {
    await expectOk(register('etag.a', 'user'));
    const etag = (await api().owner.get('/v2/tag-registry')).headers.get('ETag') ?? '';
    expect(etag).to.match(/^"\d+"$/);
    await expectOk(register('etag.b', 'user', 'string', { 'If-Match': etag }));
    expectCode(await register('etag.c', 'user', 'string', { 'If-Match': etag }), 412, 'revision_changed');
  });
});
