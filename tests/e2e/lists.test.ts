import { expect } from 'chai';
import * as t from 'io-ts';
import { castOfAll } from '../support/e2e/cast.js';
import { done } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';

for (const kind of ['video', 'audio'] as const)
  describe(`the list of ${kind}s`, () => {
    const cast = castOfAll();
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
        await done(cast().owner.post(path, { [`${kind}_id`]: `own-${n}` }));
        await done(cast().stranger.post(path, { [`${kind}_id`]: `other-${n}` }));
      }
    });

    it("is the caller's own, newest first", async () => {
      expect(await page(cast().owner)).to.deep.equal({
        ids: ['own-5', 'own-4', 'own-3', 'own-2', 'own-1'],
        next_cursor: null,
      });
      expect((await page(cast().worker)).ids).to.deep.equal([]);
    });

    it('is everything for an admin', async () => {
      const { ids } = await page(cast().admin);
      expect(ids).to.have.length(10);
      expect(ids.slice(0, 2)).to.deep.equal(['other-5', 'own-5']);
    });

    it('comes in pages that lose and repeat nothing, whatever their size', async () => {
      const all = (await page(cast().admin)).ids;
      for (const limit of [1, 2, 3, 5, 9, 10, 11]) expect(await walk(cast().admin, limit)).to.deep.equal(all);
      expect(await walk(cast().owner, 2)).to.deep.equal((await page(cast().owner)).ids);
    });

    it('shows the same records as the single one does', async () => {
      const { body } = await done(cast().owner.get(`${path}/own-5`));
      const { [`${kind}s`]: items } = bodyOf(Page, await cast().owner.get(`${path}?limit=1`));
      expect(items).to.deep.equal([body]);
    });

    it('refuses other limits and cursors: 400', async () => {
      for (const limit of ['0', '-1', '1001', 'x', '1.5', '', '1e2', '99999999999'])
        expectCode(await cast().owner.get(`${path}?limit=${limit}`), 400, 'bad_query');
      for (const cursor of ['x', '-1', '%00', "'", '{}', 'own-1', 'x'.repeat(5_000)])
        expectCode(await cast().owner.get(`${path}?cursor=${cursor}`), 400, 'bad_query');
      expectText(await cast().anonymous.get(`${path}?limit=0`), 401);
    });
  });
