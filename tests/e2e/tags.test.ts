import { expect } from 'chai';
import { getLastEvent } from '../support/e2e/history.js';
import { createMedia, expectOk, getVideo } from '../support/e2e/media.js';
import { expectCode, expectNothingWritten } from '../support/e2e/refusal.js';
import { useTestApi } from '../support/e2e/test-api.js';

describe('tags', () => {
  const api = useTestApi();
  const tag = (key: string, value: unknown) => ({ key, value });
  const importTags = (video: string, tags: ReadonlyArray<object>, more: object = {}) =>
    api().owner.post(`${video}/provider-tags`, { source: 'importer.vpm', tags, ...more });
  const tagsOf = async (video: string) => (await expectOk(api().owner.get(`${video}/tags`))).body;

  it('of importers are created, updated or left unchanged, and show their source', async () => {
    const media = await createMedia(api());
    await expectOk(importTags(media.video, [tag('survey.q1', 'yes'), tag('demo.age_group', '30-39')]));
    const { at: updated_at } = await getLastEvent(api().owner, media.video);
    const by = { source: 'importer.vpm', updated_at, updated_by: 'owner' };
    const tags = [
      { ...tag('survey.q1', 'yes'), category: 'survey', ...by },
      { ...tag('demo.age_group', '30-39'), category: 'demographic', ...by },
    ];
    expect(await tagsOf(media.video)).to.deep.equal({ tags, next_cursor: null });
    expect((await getVideo(api(), media)).tags).to.deep.equal(tags);
    const changed = [tag('survey.q1', 'no'), tag('demo.age_group', '30-39'), tag('vpm.a.b-c', '')];
    const outcome = {
      status: 'completed',
      created: ['vpm.a.b-c'],
      updated: ['survey.q1'],
      unchanged: ['demo.age_group'],
    };
    const dry = await expectNothingWritten(api(), media, () => importTags(media.video, changed, { dry_run: true }));
    expect([dry.body, dry.headers.get('X-Event-Position')]).to.deep.equal([outcome, null]);
    expect((await expectOk(importTags(media.video, changed))).body).to.deep.equal(outcome);
  });

  it('of users come from the account that wrote them, are removed, and can be written again', async () => {
    const { video } = await createMedia(api());
    const write = () => expectOk(api().owner.post(`${video}/tags`, { tags: [tag('label.todo', 'check')] }));
    await write();
    expect((await write()).body).to.deep.include({ unchanged: ['label.todo'] });
    expect(await tagsOf(video)).to.containSubset({ tags: [{ key: 'label.todo', source: 'user.owner' }] });
    const removed = await expectOk(api().owner.delete(`${video}/tags/label.todo`));
    expect(removed.body).to.deep.equal({ status: 'completed', key: 'label.todo' });
    const { type, data, position } = await getLastEvent(api().owner, video);
    expect([type, position]).to.deep.equal(['TagRemoved', removed.headers.get('X-Event-Position')]);
    expect(data['previous']).to.deep.equal({ value: 'check', category: 'label', source: 'user.owner' });
    expect(await tagsOf(video)).to.deep.equal({ tags: [], next_cursor: null });
    expect((await write()).body).to.deep.include({ created: ['label.todo'] });
  });

  it('have keys of a registry, which contains six families at first, and does not change existing tags', async () => {
    const register = async (key: string, category: string, value_type: string) =>
      expectOk(api().admin.put(`/v2/tag-registry/${key}`, { category, value_type, description: `of ${key}` }));
    const registry = async () => (await expectOk(api().stranger.get('/v2/tag-registry'))).body;
    expect(await registry())
      .to.have.property('entries')
      .with.lengthOf(6);
    const { video } = await createMedia(api());
    const entry = { key: 'demo.size', category: 'demographic', value_type: 'string', description: 'of demo.size' };
    const answer = await register('demo.size', 'demographic', 'string');
    expect(answer.body).to.deep.equal(entry);
    expect(answer.headers.get('X-Event-Position')).to.match(/\S/);
    await expectOk(importTags(video, [tag('demo.size', 'large')]));
    await register('demo.size', 'survey', 'number');
    expect((await register('demo.size', 'survey', 'number')).headers.get('X-Event-Position')).to.equal(null);
    await api().world.restart();
    expect(await registry()).to.containSubset({ entries: [{ key: 'demo.size', value_type: 'number' }] });
    expect(await tagsOf(video)).to.containSubset({ tags: [{ value: 'large', category: 'demographic' }] });
    const refused = await importTags(video, [tag('demo.size', 'large')]);
    expectCode(refused, 400, 'bad_value');
    expect(refused.body).to.containSubset({ detail: { errors: [{ key: 'demo.size', reason: 'bad_value' }] } });
    expect((await expectOk(importTags(video, [tag('demo.size', 3)]))).body).to.deep.include({ updated: ['demo.size'] });
    expect(await tagsOf(video)).to.containSubset({ tags: [{ value: 3, category: 'survey' }] });
  });
});
