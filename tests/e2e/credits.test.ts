import { expect } from 'chai';
import { runCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { createRecording, suggestPath } from '../support/e2e/naming.js';
import { useTestApi } from '../support/e2e/test-api.js';

describe('credits over HTTP', () => {
  const api = useTestApi();
  const path = '/v1/accounts/stranger';
  const book = (account_id: string, amount: number, reason = 'top-up', headers = {}) =>
    expectOk(api().admin.post(`/v1/accounts/${account_id}/credits`, { amount, reason }, headers));
  const read = async (what: string) => (await expectOk(api().stranger.get(`${path}/${what}`))).body;

  it('of a new account are 0, and are booked in a ledger, each entry with its request', async () => {
    expect(await read('credits')).to.deep.equal({ account_id: 'stranger', balance: 0, held: 0, window: null });
    expect(await read('ledger')).to.deep.equal({ entries: [], next_cursor: null });
    await book('stranger', 10, 'first', { 'X-Request-Id': 'request-1' });
    await book('stranger', -2.5, 'second', { 'X-Request-Id': 'request-2' });
    expect(await read('ledger')).to.containSubset({
      entries: [
        { kind: 'grant', category: 'grant', amount: 10, balance_after: 10, reason: 'first', request_id: 'request-1' },
        { kind: 'correction', amount: -2.5, balance_after: 7.5, reason: 'second', request_id: 'request-2' },
      ],
    });
  });

  it('have a window that is set, shown and cleared', async () => {
    const window = { limit: 2.5, period_seconds: 3_600 };
    const put = (body: unknown) => api().admin.put(`${path}/spending-window`, body);
    expect((await put(window)).body).to.deep.equal(window);
    expect(await read('credits')).to.have.deep.property('window', { ...window, spent: 0 });
    expect((await put(window)).headers.get('X-Event-Position')).to.equal(null);
    expect((await put({ limit: null })).body).to.deep.equal({ limit: null, period_seconds: null });
    expect(await read('credits')).to.have.property('window', null);
  });

  it('are summed up as usage, by day, month, category and key, over HTTP and by the command', async () => {
    await book('owner', 100);
    const media = await createRecording(api());
    await expectOk(api().owner.post(suggestPath(media), { target_speaker_ids: [1] }));
    const usage = '/v1/accounts/owner/usage';
    const { body } = await expectOk(api().owner.get(`${usage}?group_by=day,month,category,key&from=2020-01-01`));
    const [day, month] = [new Date().toISOString().slice(0, 10), new Date().toISOString().slice(0, 7)];
    expect(body).to.containSubset({
      from: '2020-01-01T00:00:00.000Z',
      to: null,
      groups: [{ day, month, category: 'name_inference', charges: 1 }],
      total: { charges: 1 },
    });
    const env = { MEDIA_ANALYSIS_URL: api().world.url(), ADMIN_API_KEY: api().world.adminKey };
    const { out } = await runCommand(['credits', 'usage', 'owner', '--group-by', 'category'], env);
    expect(out).to.match(/^category +charges +amount\nname_inference +1 +([\d.]+)\nowner: \1 credits in 1 charges\n$/);
  });
});
