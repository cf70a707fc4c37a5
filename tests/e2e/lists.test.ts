import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { matched, runSuggest } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';

const Cursor = t.type({ next_cursor: t.union([t.string, t.null]) });
type Item = Readonly<Record<string, unknown>>;

/** A page of a list: its items and the cursor of the next one. */
const pageOf = async (client: HttpClient, path: string, name: string) => {
  const Page = t.intersection([t.type({ [name]: t.array(t.UnknownRecord) }), Cursor]);
  const { [name]: items, next_cursor } = bodyOf(Page, await client.get(path));
  return { items: t.array(t.UnknownRecord).is(items) ? items : [], next_cursor };
};

/** All items of a list, read in pages of at most this size; null for the size that the service chooses. */
const walked = async (client: HttpClient, path: string, name: string, limit: number | null) => {
  const all: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = [limit === null ? '' : `limit=${limit}`, cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`];
    const page = await pageOf(client, `${path}?${query.filter((part) => part !== '').join('&')}`, name);
    if (limit !== null) expect(page.items.length).to.be.within(1, limit);
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
};

for (const kind of ['video', 'audio'] as const)
  describe(`the list of ${kind}s`, () => {
    const api = useTestApi();
    const path = `/v2/${kind}s`;
    const idsOf = (items: ReadonlyArray<Item>) => items.map((item) => item[`${kind}_id`]);
    const found = async (client: HttpClient, query: string) => {
      const { items, next_cursor } = await pageOf(client, `${path}?${query}`, `${kind}s`);
      return { ids: idsOf(items), next_cursor };
    };

    it('contains everything for admins and workers, in pages without omissions or repetitions', async () => {
      const { admin, owner, stranger, worker } = api();
      const numbers = [5, 4, 3, 2, 1];
      for (const n of numbers.toReversed()) {
        await expectOk(owner.post(path, { [`${kind}_id`]: `own-${n}` }));
        await expectOk(stranger.post(path, { [`${kind}_id`]: `other-${n}` }));
      }
      const all = numbers.flatMap((n) => [`other-${n}`, `own-${n}`]);
      for (const [client, limit, ids] of [
        [admin, 3, all],
        [worker, 10, all],
        [owner, 1, numbers.map((n) => `own-${n}`)],
      ] as const)
        expect(idsOf(await walked(client, path, `${kind}s`, limit))).to.deep.equal(ids);
    });

    it('refuses the cursor of others, and names the query parameters that it does not know', async () => {
      const { owner, stranger } = api();
      const { next_cursor } = await found(owner, 'limit=2');
      for (const [client, list] of [
        [stranger, `${path}?limit=2`],
        [owner, `${path}?order=asc&limit=2`],
        [owner, `/v2/${kind === 'video' ? 'audio' : 'video'}s?limit=2`],
      ] as const)
        expectCode(await client.get(`${list}&cursor=${next_cursor}`), 400, 'bad_query');
      const { headers } = await owner.get(`${path}?limit=2&sorted=yes&%C3%A4%2C=1`);
      expect(headers.get('X-Ignored-Parameters')).to.equal('sorted,%C3%A4%2C');
    });

    it('shows workers the media that wait for their analysis, as soon as there are any', async () => {
      const { owner, worker } = api();
      const analyse = (id: unknown, status: string) =>
        expectOk(worker.put(`${path}/${String(id)}/analysis`, { status, faces: [], speakers: [], segments: [] }));
      for (const id of (await found(worker, 'status=queue')).ids) await analyse(id, 'completed');
      expect((await found(worker, 'status=queue&wait=0')).ids).to.deep.equal([]);
      const waiting = ['', '&sort=title', '&title=inter'].map((more) => found(worker, `status=queue&wait=30${more}`));
      await setTimeout(200);
      await expectOk(owner.post(path, { [`${kind}_id`]: 'first', title: 'An interview' }));
      for (const { ids } of await Promise.all(waiting)) expect(ids).to.deep.equal(['first']);
      await analyse('first', 'completed');
      await analyse('first', 'queue');
      expect((await found(worker, 'status=queue&wait=30')).ids).to.deep.equal(['first']);
    });
  });

describe('lists of videos and audios, filtered and sorted', () => {
  const api = useTestApi();
  const found = async (kind: 'video' | 'audio', query: string) =>
    (await pageOf(api().owner, `/v2/${kind}s?${query}`, `${kind}s`)).items;

  it('have parameters for status, title, linked record, time, tag and order', async () => {
    const { owner, worker } = api();
    await expectOk(owner.post('/v2/videos', { video_id: 'one', title: 'Ärger im Büro' }));
    await expectOk(owner.post('/v2/audios', { audio_id: 'one', title: 'Ärger im Büro' }));
    await setTimeout(5);
    const afterFirst = new Date().toISOString();
    await setTimeout(5);
    await expectOk(owner.post('/v2/videos', { video_id: 'two', title: 'Zoo' }));
    await expectOk(owner.post('/v2/audios', { audio_id: 'two', video_id: 'two' }));
    await expectOk(worker.put('/v2/videos/one/analysis', { status: 'completed', faces: [] }));
    await expectOk(owner.post('/v2/videos/two/tags', { tags: [{ key: 'label.mood', value: 'good: very' }] }));
    const rows: ReadonlyArray<readonly [kind: 'video' | 'audio', query: string, ids: ReadonlyArray<string>]> = [
      ['video', 'status=completed', ['one']],
      ['video', 'title=%C3%84RGER', ['one']],
      ['audio', 'title=B%C3%BCRO', ['one']],
      ['video', 'audio_id=two', ['two']],
      ['audio', 'video_id=two', ['two']],
      ['video', `created_from=${afterFirst}`, ['two']],
      ['audio', `created_to=${afterFirst}`, ['one']],
      ['video', `tag=${encodeURIComponent('label.mood:good: very')}`, ['two']],
      ['video', `tag=${encodeURIComponent('label.mood:"good: very"')}`, ['two']],
      ['video', `tag=${encodeURIComponent('label.mood:good')}`, []],
      ['video', 'sort=title', ['two', 'one']],
      ['audio', 'sort=title&order=desc', ['one', 'two']],
      ['video', 'sort=updated_at', ['two', 'one']],
    ];
    for (const [kind, query, ids] of rows)
      expect(
        (await found(kind, query)).map((record) => record[`${kind}_id`]),
        query,
      ).to.deep.equal(ids);
  });

  it('include the audios of videos on request', async () => {
    const [two, one] = await found('video', 'expand=audio&sort=created_at');
    expect(two).to.deep.equal({
      ...bodyOf(t.UnknownRecord, await api().owner.get('/v2/videos/two')),
      audio: (await expectOk(api().owner.get('/v2/audios/two'))).body,
    });
    expect(one).to.include({ video_id: 'one', audio: null });
  });

  it('say which videos need review: those with suggestions that nobody has answered', async () => {
    const media = await createMedia(api());
    const waiting = async () => (await found('video', 'needs_review=true')).map(({ video_id }) => video_id);
    expect(await waiting()).to.deep.equal([]);
    await runSuggest(api(), media, matched(3, 2));
    expect(await waiting()).to.deep.equal([media.videoId]);
    const decisions = [{ speaker_id: 2, face_id: 3, verdict: 'rejected' }];
    await expectOk(api().owner.post(`${media.match}/decisions`, { decisions }));
    expect(await waiting()).to.deep.equal([]);
  });
});

describe('the lists that are complete unless they are large', () => {
  const api = useTestApi();

  it('can also be read in pages: accounts, keys, tags, match runs and histories', async () => {
    const { admin, owner } = api();
    const media = await createMedia(api());
    const tags = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ key: `label.${key}`, value: key }));
    await expectOk(owner.post(`${media.video}/tags`, { tags }));
    for (let n = 0; n < 5; n += 1) {
      await expectOk(owner.post(media.match, {}));
      await expectOk(admin.post('/v1/accounts/owner/keys', { label: `${n}` }));
    }
    for (const [path, name, count] of [
      ['/v1/accounts', 'accounts', 4],
      ['/v1/accounts/owner/keys', 'keys', 6],
      [`${media.video}/tags`, 'tags', 5],
      [media.runs, 'match_runs', 5],
      [`${media.video}/history`, 'events', 8],
    ] as const) {
      const whole = await walked(admin, path, name, null);
      expect(whole, path).to.have.lengthOf.at.least(count);
      for (const limit of [1, 100]) expect(await walked(admin, path, name, limit)).to.deep.equal(whole);
    }
  });
});
