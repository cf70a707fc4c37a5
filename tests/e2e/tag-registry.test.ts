import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectText } from '../support/e2e/refusal.js';
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
});
