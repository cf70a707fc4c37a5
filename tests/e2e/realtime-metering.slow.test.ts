import { expect } from 'chai';
import { chargesOf } from '../support/e2e/naming.js';
import { expectText } from '../support/e2e/refusal.js';
import { connectResults } from '../support/realtime/results-client.js';
import { connect, listen, newSession, pathOf, stageOfAll } from '../support/realtime/stage.js';

/** One credit a second, charged every second. */
describe('the metering of realtime sessions', function () {
  this.timeout(60_000);
  const stage = stageOfAll({ meter_seconds: 1 });

  it('ends a session whose credits are used up with the specified frame; it then no longer exists', async () => {
    const { account, world, engine } = stage();
    const { client, account_id } = await account(2);
    const session = await newSession(client);
    const results = await listen(session);
    await connect(stage(), client, session);
    const warning = await results.waitFor(({ type }) => type === 'warning');
    expect(warning).to.include({ code: 'credits_low', session_id: session.session_id });
    expect(warning).to.have.property('seconds_left').that.is.within(1, 2);
    expect(await results.closed).to.deep.equal({ code: 1008, reason: 'Insufficient credits for realtime session' });
    const last = results.frames.at(-1);
    expect(last).to.include({ type: 'error', session_id: session.session_id, code: 'insufficient_credits' });
    expect(last).to.have.property('error').that.matches(/\S/);
    expect(last).to.have.property('retryable', false);
    expectText(await client.post(pathOf(session, '/end')), 404);
    expectText(await client.get(pathOf(session)), 404);
    expect(engine.closed).to.include(session.session_id);
    const { body } = await client.get(`/v1/accounts/${account_id}/credits`);
    expect(body).to.include({ balance: 0 });
    expect((await chargesOf(world.admin, account_id)).map(({ amount }) => amount)).to.deep.equal([-1, -1]);
    const again = connectResults(`${session.results_url}&token=${session.token}`);
    expect(await again.closed).to.include({ code: 1008, reason: 'Insufficient credits for realtime session' });
    expect(results.frames.filter(({ type }) => type === 'warning').length).to.equal(1);
  });
});

describe('a session that nobody negotiates', function () {
  this.timeout(60_000);
  const stage = stageOfAll({ negotiation_seconds: 2 });

  it('is ended after its time limit', async () => {
    const { owner } = stage();
    const session = await newSession(owner);
    const results = await listen(session);
    expect(await results.closed).to.deep.equal({ code: 4408, reason: 'Session timed out' });
    expect(results.frames.at(-1)).to.include({ type: 'error', code: 'negotiation_timeout', retryable: true });
    expectText(await owner.post(pathOf(session, '/end')), 404);
  });
});
