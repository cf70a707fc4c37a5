import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { outcomeOf, getTags, getTagValues } from '../support/e2e/tags.js';

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
});
