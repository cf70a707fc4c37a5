import { expect } from 'chai';
import * as t from 'io-ts';
import { bodyOf, httpClient } from '../support/http-client.js';
import { runCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { connect, newSession, pathOf, stageOfAll } from '../support/realtime/stage.js';

const Issued = t.type({ key: t.string, key_id: t.string });

describe('usage of an account', () => {
  const stage = stageOfAll();

  it('sums up the charges; a session counts for the key that created it, whoever ends it', async () => {
    const { world, account } = stage();
    const { account_id } = await account(100);
    const issued = await world.admin.post(`/v1/accounts/${account_id}/keys`, { label: 'creates' });
    const { key, key_id } = bodyOf(Issued, issued);
    const creator = httpClient(world.url(), key);
    const session = await newSession(creator);
    await connect(stage(), creator, session);
    await new Promise((resume) => setTimeout(resume, 2_100));
    await expectOk(world.admin.post(pathOf(session, '/end')));
    const path = `/v1/accounts/${account_id}/usage`;
    const [day, month] = [new Date().toISOString().slice(0, 10), new Date().toISOString().slice(0, 7)];
    const grouped = await expectOk(creator.get(`${path}?group_by=day,month,category,key&from=2020-01-01`));
    expect(grouped.body).to.deep.equal({
      from: '2020-01-01T00:00:00.000Z',
      to: null,
      groups: [{ day, month, category: 'realtime', key_id, charges: 1, amount: 2 }],
      total: { charges: 1, amount: 2 },
    });
    const { body } = await expectOk(creator.get(path));
    expect(body).to.deep.equal({ from: null, to: null, groups: [], total: { charges: 1, amount: 2 } });
    const ledger = await expectOk(creator.get(`/v1/accounts/${account_id}/ledger`));
    expect(ledger.body).to.have.nested.property('entries[0].category', 'realtime');
    expect(ledger.body).to.have.nested.property('entries[1].category', 'grant');
    const env = { MEDIA_ANALYSIS_URL: world.url(), ADMIN_API_KEY: world.adminKey };
    const said = await runCommand(['credits', 'usage', account_id, '--group-by', 'category'], env);
    expect(said.out).to.equal(
      `category  charges  amount\nrealtime  1        2\n${account_id}: 2 credits in 1 charges\n`,
    );
  });
});
