import { expect } from 'chai';
import { newKey } from '../support/accounts.js';
import { expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { type Instances, startInstances } from '../support/instances/running-instances.js';
import { startHttpEngine, type HttpEngine } from '../support/realtime/http-engine.js';
import { sessionPath } from '../support/realtime/stage.js';

describe('the share of an account in realtime sessions, on two instances', function () {
  this.timeout(120_000);
  let instances: Instances;
  let engine: HttpEngine;
  before(async () => {
    engine = await startHttpEngine();
    instances = await startInstances(2, {
      processes: [],
      env: {
        REALTIME_MAX_SESSIONS: '10',
        REALTIME_MAX_SESSIONS_PER_ACCOUNT: '3',
        REALTIME_ENGINE_URL: engine.url,
      },
    });
  });
  after(async () => {
    await instances.end();
    await engine.close();
  });

  const headersOf = async (account_id: string): Promise<Record<string, string>> => {
    const admin = instances.client(0);
    const key = await newKey(admin, account_id);
    await expectOk(admin.post(`/v1/accounts/${account_id}/credits`, { amount: 100, reason: 'for a test' }));
    return { 'X-API-Key': key };
  };

  it('is counted across both, also for simultaneous requests', async () => {
    const [greedy, other] = [await headersOf('greedy'), await headersOf('other')];
    const answers = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((instance) => instances.client(instance).post(sessionPath, undefined, greedy)),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(3);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectCode(answer, 503, 'at_capacity');
    for (const instance of [0, 1]) {
      expectCode(await instances.client(instance).post(sessionPath, undefined, greedy), 503, 'at_capacity');
      expect((await instances.client(instance).post(sessionPath, undefined, other)).status).to.equal(200);
    }
  });
});
