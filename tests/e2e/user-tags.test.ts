import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import { expectBadTags, outcomeOf, getTags, getTagValues } from '../support/e2e/tags.js';

describe('tags of users', () => {
  const api = useTestApi();
  const tagged = async () => {
    const media = await createMedia(api());
    const tags = `${media.video}/tags`;
    await expectOk(api().owner.post(tags, { tags: [{ key: 'label.todo', value: 'check' }] }));
    const imported = { source: 'importer.vpm', tags: [{ key: 'vpm.a', value: '1' }] };
    await expectOk(api().owner.post(`${media.video}/provider-tags`, imported));
    return { media, tags };
  };

  it('are labels and the user’s own, from the account that wrote them', async () => {
    const { media, tags } = await tagged();
    const answer = await api().owner.post(tags, {
      tags: [
        { key: 'user.note', value: 'seen' },
        { key: 'label.todo', value: 'check' },
      ],
    });
    expect(outcomeOf(answer)).to.deep.equal({ created: ['user.note'], updated: [], unchanged: ['label.todo'] });
    const note = (await getTags(api().owner, media.video)).find(({ key }) => key === 'user.note');
    expect(note).to.include({ category: 'user', source: 'user.owner', updated_by: 'owner' });
  });

  it('that an admin writes belong to the admin', async () => {
    const { media, tags } = await tagged();
    expect(
      outcomeOf(await api().admin.post(tags, { tags: [{ key: 'label.todo', value: 'check' }] })).updated,
    ).to.deep.equal(['label.todo']);
    expect(await getTags(api().owner, media.video)).to.have.nested.property('[0].source', 'user.admin');
  });

  it('can be checked in a dry run', async () => {
    const { media, tags } = await tagged();
    const wanted = [{ key: 'label.todo', value: 'done' }];
    const ask = () => api().owner.post(tags, { dry_run: true, tags: wanted });
    expect(outcomeOf(await expectNothingWritten(api(), media, ask)).updated).to.deep.equal(['label.todo']);
  });

  it('of any other category are refused, each with its name', async () => {
    const { media, tags } = await tagged();
    const wanted = ['vpm.a', 'demo.b', 'survey.c', 'system.d', 'label.e'].map((key) => ({ key, value: 'x' }));
    expectBadTags(
      await expectNothingWritten(api(), media, () => api().owner.post(tags, { tags: wanted })),
      'category_not_editable',
      ['vpm.a', 'category_not_editable'],
      ['demo.b', 'category_not_editable'],
      ['survey.c', 'category_not_editable'],
      ['system.d', 'category_not_editable'],
    );
    const bad = [
      { key: 'label.x', value: 7 },
      { key: 'nobody.knows', value: 'x' },
      { key: 'label.y', value: 'x' },
      { key: 'label.y', value: 'x' },
    ];
    expectBadTags(
      await expectNothingWritten(api(), media, () => api().owner.post(tags, { tags: bad })),
      'tags_refused',
      ['label.x', 'bad_value'],
      ['nobody.knows', 'unregistered_key'],
      ['label.y', 'duplicate_key'],
    );
  });

  it('need a valid body: 422', async () => {
    const { tags } = await tagged();
    expectMalformed(await api().owner.post(tags, {}), 'tags');
    expectMalformed(await api().owner.post(tags, { tags: [] }), 'tags');
    expectMalformed(await api().owner.post(tags, { tags: [{ key: 'label.x' }] }), 'tags[0].value');
    const many = Array.from({ length: 1_001 }, (_, index) => ({ key: `label.k${index}`, value: 'x' }));
    expectMalformed(await api().owner.post(tags, { tags: many }), 'tags');
  });

  it('can be read and changed only by the owner and admins', async () => {
    const { tags } = await tagged();
    expectText(await api().anonymous.get(tags), 401);
    for (const caller of [api().stranger, api().worker, api().mediaWriter]) {
      expectCode(await caller.get(tags), 401, 'not_authorised');
      expectCode(await caller.post(tags, 7), 401, 'not_authorised');
      expectCode(await caller.delete(`${tags}/label.todo`), 401, 'not_authorised');
    }
    expectCode(await api().stranger.get('/v2/videos/none/tags'), 404, 'unknown_video');
    expect((await api().admin.get(tags)).status).to.equal(200);
    expect((await api().owner.put(tags, {})).headers.get('Allow')).to.equal('POST, GET');
  });

  it('are removed when they are deleted, and can be written again', async () => {
    const { media, tags } = await tagged();
    const removed = await api().owner.delete(`${tags}/label.todo`);
    expect(removed.body).to.deep.equal({ status: 'completed', key: 'label.todo' });
    expect(removed.headers.get('X-Event-Position')).to.match(/\S/);
    const { type, data } = await getLastEvent(api().owner, media.video);
    expect(type).to.equal('TagRemoved');
    expect(data['previous']).to.deep.equal({ value: 'check', category: 'label', source: 'user.owner' });
    expect(await getTagValues(api().owner, media.video)).to.deep.equal({ 'vpm.a': '1' });
    expectCode(await api().owner.delete(`${tags}/label.todo`), 404, 'unknown_tag');
    await expectOk(api().owner.post(tags, { tags: [{ key: 'label.todo', value: 'again' }] }));
    expect(await getTagValues(api().owner, media.video)).to.deep.equal({ 'vpm.a': '1', 'label.todo': 'again' });
  });

  it('that do not exist, or belong to an importer, cannot be deleted', async () => {
    const { media, tags } = await tagged();
    const remove = (key: string, headers = {}) =>
      expectNothingWritten(api(), media, () => api().owner.delete(`${tags}/${encodeURIComponent(key)}`, headers));
    for (const key of ['label.none', 'LABEL.todo', 'a b', 'constructor', '%'])
      expectCode(await remove(key), 404, 'unknown_tag');
    expectBadTags(await remove('vpm.a'), 'category_not_editable', ['vpm.a', 'category_not_editable']);
    expectCode(await remove('label.todo', { 'If-Match': '"0"' }), 412, 'revision_changed');
  });
});
