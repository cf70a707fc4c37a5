import { expect } from 'chai';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { type Instances, startInstances } from '../support/instances/running-instances.js';
import { startHttpEngine, type HttpEngine } from '../support/realtime/http-engine.js';
import { connectResults } from '../support/realtime/results-client.js';
import { endedOf, listen, newSession, pathOf, sessionPath } from '../support/realtime/stage.js';

describe('realtime sessions on several instances', function () {
  this.timeout(120_000);
  let instances: Instances;
  let engine: HttpEngine;
  before(async () => {
    engine = await startHttpEngine();
    instances = await startInstances(2, {
      processes: [1],
      env: {
        REALTIME_MAX_SESSIONS: '2',
        REALTIME_MAX_SESSIONS_PER_ACCOUNT: '2',
        REALTIME_ENGINE_URL: engine.url,
      },
    });
    const admin = instances.client(0);
    await admin.post('/v1/accounts/admin/credits', { amount: 100, reason: 'for a test' });
  });
  after(async () => {
    await instances.end();
    await engine.close();
  });

  it('belong to the instance that created them, and are counted across all', async () => {
    const [here, elsewhere] = [instances.client(0), instances.client(1)];
    const session = await newSession(here);
    expect((await elsewhere.get(pathOf(session))).body).to.include({ status: 'created', credits_charged: 0 });
    const answers = [
      await elsewhere.post(pathOf(session, '/offer'), { type: 'offer', sdp: 'v=0\r\n' }),
      await elsewhere.post(pathOf(session, '/ice'), { candidate: '' }),
      await elsewhere.post(pathOf(session, '/end')),
    ];
    for (const answer of answers) expectCode(answer, 409, 'session_on_other_instance');
    const other = await newSession(elsewhere);
    for (const client of [here, elsewhere]) expectCode(await client.post(sessionPath), 503, 'at_capacity');
    expect((await here.get('/v2/realtime/health')).body).to.deep.equal({ status: 'ok' });
    const { host } = new URL(other.results_url);
    const wrong = new URL(session.results_url);
    wrong.host = host;
    const { closed } = connectResults(`${wrong.href}&token=${session.token}`);
    expect(await closed).to.deep.equal({ code: 1013, reason: 'Session is on another instance' });
    const results = await listen(session);
    endedOf(await here.post(pathOf(session, '/end')));
    expect(await results.closed).to.deep.equal({ code: 1000, reason: 'Session ended' });
    for (const client of [here, elsewhere]) expectText(await client.post(pathOf(session, '/end')), 404);
    endedOf(await elsewhere.post(pathOf(other, '/end')));
  });
});
