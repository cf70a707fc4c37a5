import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';

for (const kind of ['video', 'audio'] as const)
  describe(`the list of ${kind}s`, () => {
    const api = useTestApi();
    const path = `/v2/${kind}s`;
    const Page = t.type({
      [`${kind}s`]: t.array(t.type({ [`${kind}_id`]: t.string })),
      next_cursor: t.union([t.string, t.null]),
    });

    const page = async (client: HttpClient, query = '') => {
      const answer = await client.get(`${path}${query}`);
      const { next_cursor, [`${kind}s`]: items } = bodyOf(Page, answer);
      const ids = t.array(t.record(t.string, t.unknown)).is(items) ? items.map((item) => item[`${kind}_id`]) : [];
      return { ids, next_cursor: typeof next_cursor === 'string' ? next_cursor : null };
    };

    const walk = async (client: HttpClient, limit: number, cursor = ''): Promise<ReadonlyArray<unknown>> => {
      const { ids, next_cursor } = await page(client, `?limit=${limit}${cursor}`);
      expect(ids.length).to.be.at.most(limit);
      return next_cursor === null
        ? ids
        : [...ids, ...(await walk(client, limit, `&cursor=${encodeURIComponent(next_cursor)}`))];
    };

    before(async () => {
      for (const n of [1, 2, 3, 4, 5]) {
        await expectOk(api().owner.post(path, { [`${kind}_id`]: `own-${n}` }));
        await expectOk(api().stranger.post(path, { [`${kind}_id`]: `other-${n}` }));
      }
    });

    it('contains everything for admins and workers', async () => {
      for (const client of [api().admin, api().worker]) {
        const { ids } = await page(client);
        expect(ids).to.have.length(10);
        expect(ids.slice(0, 2)).to.deep.equal(['other-5', 'own-5']);
      }
    });

    it('comes in pages without omissions or repetitions, whatever their size', async () => {
      const all = (await page(api().admin)).ids;
      for (const limit of [1, 2, 3, 5, 9, 10, 11]) expect(await walk(api().admin, limit)).to.deep.equal(all);
      expect(await walk(api().owner, 2)).to.deep.equal((await page(api().owner)).ids);
    });

    it('refuses the cursor of another list or another account', async () => {
      const { next_cursor } = await page(api().owner, '?limit=2');
      const other = kind === 'video' ? '/v2/audios' : '/v2/videos';
      for (const answer of [
        await api().owner.get(`${other}?limit=2&cursor=${next_cursor}`),
        await api().stranger.get(`${path}?limit=2&cursor=${next_cursor}`),
      ])
        expectCode(answer, 400, 'bad_query');
      expect((await page(api().owner, `?limit=1&cursor=${next_cursor}`)).ids).to.deep.equal(['own-3']);
    });

    it('names the query parameters that it does not know', async () => {
      const { headers } = await api().owner.get(`${path}?limit=2&sorted=yes&%C3%A4%2C=1`);
      expect(headers.get('X-Ignored-Parameters')).to.equal('sorted,%C3%A4%2C');
      expect((await api().owner.get(`${path}?limit=2`)).headers.has('X-Ignored-Parameters')).to.equal(false);
    });
  });

describe('the lists that are complete unless they are large', () => {
  const api = useTestApi();

  /** All items of a list, in pages of this size. */
  const walked = async (path: string, name: string, limit: number | null): Promise<ReadonlyArray<unknown>> => {
    const all: unknown[] = [];
    for (let cursor: string | null = null; ;) {
      const query = [
        ...(limit === null ? [] : [`limit=${limit}`]),
        ...(cursor === null ? [] : [`cursor=${encodeURIComponent(cursor)}`]),
      ];
      const { body } = await expectOk(api().admin.get(`${path}?${query.join('&')}`));
      const Page = t.type({ next_cursor: t.union([t.string, t.null]) });
      const list: unknown = t.record(t.string, t.unknown).is(body) ? body[name] : null;
      if (!Page.is(body) || !t.UnknownArray.is(list)) throw new Error(`no page: ${JSON.stringify(body)}`);
      if (limit !== null) expect(list.length).to.be.within(1, limit);
      all.push(...list);
      if (body.next_cursor === null) return all;
      cursor = body.next_cursor;
    }
  };

  it('can also be read in pages: keys, tags and match runs', async () => {
    const media = await createMedia(api());
    const tags = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ key: `label.${key}`, value: key }));
    await expectOk(api().owner.post(`${media.video}/tags`, { tags }));
    for (let n = 0; n < 5; n += 1) {
      await expectOk(api().owner.post(media.match, {}));
      await expectOk(api().admin.post('/v1/accounts/owner/keys', { label: `${n}` }));
    }
    for (const [path, name, count] of [
      ['/v1/accounts/owner/keys', 'keys', 6],
      [`${media.video}/tags`, 'tags', 5],
      [`${media.video}/match-runs`, 'match_runs', 5],
    ] as const) {
      const whole = await walked(path, name, null);
      expect(whole, path).to.have.lengthOf(count);
      for (const limit of [1, 2, 5, 100]) expect(await walked(path, name, limit)).to.deep.equal(whole);
    }
  });

  it('go on after a tag that is gone', async () => {
    const media = await createMedia(api());
    const path = `${media.video}/tags`;
    const tags = ['d', 'b', 'a', 'c'].map((key) => ({ key: `label.${key}`, value: key }));
    await expectOk(api().owner.post(path, { tags }));
    const Page = t.type({ tags: t.array(t.type({ key: t.string })), next_cursor: t.union([t.string, t.null]) });
    const page = async (query: string) => bodyOf(Page, await expectOk(api().owner.get(`${path}?limit=2${query}`)));
    const first = await page('');
    expect(first.tags.map(({ key }) => key)).to.deep.equal(['label.d', 'label.b']);
    for (const { key } of first.tags) await expectOk(api().owner.delete(`${path}/${key}`));
    const second = await page(`&cursor=${encodeURIComponent(first.next_cursor ?? '')}`);
    expect(second.tags.map(({ key }) => key)).to.deep.equal(['label.a', 'label.c']);
    expect(second.next_cursor).to.equal(null);
  });
});
