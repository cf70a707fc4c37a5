import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory, getLastEvent } from '../support/e2e/history.js';
import { expectOk, createMedia, getVideo } from '../support/e2e/media.js';
import { outcomeOf, getTags, getTagValues } from '../support/e2e/tags.js';

const source = 'importer.vpm';

describe('POST provider-tags', () => {
  const api = useTestApi();
  const importer = async () => {
    const media = await createMedia(api());
    const send = (tags: ReadonlyArray<object>, more: object = {}, headers: Record<string, string> = {}) =>
      api().owner.post(`${media.video}/provider-tags`, { source, tags, ...more }, headers);
    return { media, send };
  };

  it('creates, updates or leaves unchanged: each key is an upsert', async () => {
    const { media, send } = await importer();
    expect(
      outcomeOf(
        await send([
          { key: 'vpm.campaign', value: 'spring' },
          { key: 'demo.age_group', value: '30-39' },
          { key: 'survey.q1', value: 'yes' },
        ]),
      ),
    ).to.deep.equal({ created: ['vpm.campaign', 'demo.age_group', 'survey.q1'], updated: [], unchanged: [] });
    expect(
      outcomeOf(
        await send([
          { key: 'survey.q1', value: 'no' },
          { key: 'demo.age_group', value: '30-39' },
          { key: 'vpm.a.b-c', value: '' },
        ]),
      ),
    ).to.deep.equal({ created: ['vpm.a.b-c'], updated: ['survey.q1'], unchanged: ['demo.age_group'] });
    expect(await getTagValues(api().owner, media.video)).to.deep.equal({
      'vpm.campaign': 'spring',
      'demo.age_group': '30-39',
      'survey.q1': 'no',
      'vpm.a.b-c': '',
    });
  });

  it('shows the source of each tag, in the tag and in the video record', async () => {
    const { media, send } = await importer();
    await expectOk(send([{ key: 'vpm.campaign', value: 'spring' }]));
    const { at } = await getLastEvent(api().owner, media.video);
    const tag = {
      key: 'vpm.campaign',
      value: 'spring',
      category: 'provider',
      source,
      updated_at: at,
      updated_by: 'owner',
    };
    expect(await getTags(api().owner, media.video)).to.deep.equal([tag]);
    expect((await getVideo(api(), media)).tags).to.deep.equal([tag]);
    const list = await api().owner.get('/v2/videos?limit=1');
    expect(list.body).to.have.nested.property('videos[0].tags[0].key', 'vpm.campaign');
  });

  it('with dry_run answers the same, or refuses the same, and writes nothing', async () => {
    const { media, send } = await importer();
    await expectOk(send([{ key: 'vpm.a', value: '1' }]));
    const before = await getHistory(api().owner, media.video);
    const tags = [
      { key: 'vpm.a', value: '2' },
      { key: 'vpm.b', value: '3' },
    ];
    const dry = await send(tags, { dry_run: true });
    expect(dry.headers.get('X-Event-Position')).to.equal(null);
    const bad = await send([{ key: 'label.x', value: '1' }], { dry_run: true });
    expect(await getHistory(api().owner, media.video)).to.deep.equal(before);
    expect(await getTagValues(api().owner, media.video)).to.deep.equal({ 'vpm.a': '1' });
    expect(bad.body).to.deep.equal((await send([{ key: 'label.x', value: '1' }])).body);
    expect(dry.body).to.deep.equal((await send(tags, { dry_run: false })).body);
  });
});
