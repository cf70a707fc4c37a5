import { expect } from 'chai';
import * as t from 'io-ts';
import { openAccount } from '../support/accounts.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

const Entry = t.intersection([
  t.type({
    entry_id: t.string,
    at: t.string,
    kind: t.string,
    amount: t.number,
    balance_after: t.number,
    reason: t.string,
    request_id: t.string,
  }),
  t.UnknownRecord,
]);
const Ledger = t.type({ entries: t.array(Entry), next_cursor: t.union([t.string, t.null]) });

describe('credits over HTTP', () => {
  const api = useTestApi();
  let made = 0;
  const account = async (): Promise<string> => {
    const account_id = `credits-${(made += 1)}`;
    await openAccount(api().admin, account_id);
    return `/v1/accounts/${account_id}`;
  };
  const book = (path: string, amount: unknown, reason: unknown = 'top-up', headers = {}): Promise<HttpAnswer> =>
    api().admin.post(`${path}/credits`, { amount, reason }, headers);
  const ledger = async (path: string, query = '') => bodyOf(Ledger, await api().admin.get(`${path}/ledger${query}`));

  it('of a new account are 0', async () => {
    const path = await account();
    const { body, headers } = await api().admin.get(`${path}/credits`);
    expect(body).to.deep.equal({ account_id: path.split('/').at(-1), balance: 0, held: 0, window: null });
    expect(headers.get('ETag')).to.equal(null);
    expect(await ledger(path)).to.deep.equal({ entries: [], next_cursor: null });
  });

  it('are booked in a ledger, each entry with its request', async () => {
    const path = await account();
    await book(path, 10, 'first', { 'X-Request-Id': 'request-1' });
    await book(path, -2.5, 'second', { 'X-Request-Id': 'request-2' });
    const { entries } = await ledger(path);
    const shown = entries.map(({ entry_id: _id, at: _at, ...entry }) => entry);
    expect(shown).to.deep.equal([
      {
        kind: 'correction',
        category: 'correction',
        amount: -2.5,
        balance_after: 7.5,
        reason: 'second',
        request_id: 'request-2',
      },
      { kind: 'grant', category: 'grant', amount: 10, balance_after: 10, reason: 'first', request_id: 'request-1' },
    ]);
  });

  it('have a window that is set, shown and cleared', async () => {
    const path = await account();
    const window = { limit: 2.5, period_seconds: 3_600 };
    const put = (body: unknown) => api().admin.put(`${path}/spending-window`, body);
    expect((await put(window)).body).to.deep.equal(window);
    const { body } = await api().admin.get(`${path}/credits`);
    expect(body).to.have.deep.property('window', { ...window, spent: 0 });
    expect((await put(window)).headers.get('X-Event-Position')).to.equal(null);
    expect((await put({ limit: null })).body).to.deep.equal({ limit: null, period_seconds: null });
    expect((await api().admin.get(`${path}/credits`)).body).to.have.property('window', null);
  });
});
