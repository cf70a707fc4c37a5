import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { until } from '../support/event-store/stores.js';
import * as t from 'io-ts';
import { type HttpClient, bodyOf } from '../support/http-client.js';
import { findsIntroductions } from '../support/name-model/behaviours.js';
import { expectOk } from '../support/e2e/media.js';
import { chargesOf, estimatePath, grant, createRecording, useNamingApi, suggestPath } from '../support/e2e/naming.js';
import { expectText } from '../support/e2e/refusal.js';
import { connect, newSession, openStage as openRealtime, pathOf } from '../support/realtime/stage.js';

const targets = { target_speaker_ids: [1] };
const Credits = t.type({
  balance: t.number,
  held: t.number,
  window: t.union([t.null, t.type({ spent: t.number })]),
});
const Estimate = t.type({ credits_max: t.number, admitted: t.boolean });
const creditsOf = async (client: HttpClient, account: string) =>
  bodyOf(Credits, await client.get(`/v1/accounts/${account}/credits`));

describe('the holds of name inference', () => {
  const naming = useNamingApi({ name_model_timeout_seconds: 30 });
  const held = async () => (await creditsOf(naming().api.admin, 'owner')).held;
  it('let one of 64 simultaneous calls begin on a balance of 1, and limit the overdraft to it', async () => {
    const { api, model } = naming();
    const media = await createRecording(api);
    await grant(api, 'owner', 1 - (await creditsOf(api.admin, 'owner')).balance);
    const gate = new EventEmitter();
    model.play((request, response) => void gate.once('answer', () => findsIntroductions(request, response)));
    const charges = (await chargesOf(api.owner)).length;
    let ended = 0;
    const calls = Array.from({ length: 64 }, async () => {
      const answer = await api.owner.post(suggestPath(media), targets);
      ended += 1;
      return answer;
    });
    await until('something is held', async () => (await held()) > 0);
    const estimated = bodyOf(Estimate, await api.owner.post(estimatePath(media), targets));
    expect(estimated.admitted).to.equal(false);
    expect(await held()).to.equal(estimated.credits_max);
    expect((await creditsOf(api.owner, 'owner')).balance).to.equal(1);
    await until('all others are refused', async () => ended === 63);
    gate.emit('answer');
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200).length).to.equal(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectText(answer, 402);
      expect(answer.text).to.include('reserved by calls in progress');
      expect(answer.headers.get('x-refusal-reason')).to.equal('held');
    }
    expect((await chargesOf(api.owner)).length).to.equal(charges + 1);
    const { balance, held: heldNow } = await creditsOf(api.owner, 'owner');
    expect([balance > -estimated.credits_max, heldNow]).to.deep.equal([true, 0]);
  });
});

describe('the hold of a realtime session', () => {
  it('is one metering interval from its creation to its end, however it ends', async () => {
    const naming = await openRealtime({ meter_seconds: 10, negotiation_seconds: 1 });
    const { world, account } = naming;
    const { account_id, client } = await account(15);
    const held = async () => (await creditsOf(client, account_id)).held;
    const first = await newSession(client);
    expect(await held()).to.equal(10);
    await connect(naming, client, first);
    const second = await newSession(client);
    expect(await held()).to.equal(20);
    const third = await client.post('/v2/realtime/session');
    expect(third.status).to.equal(402);
    expect(third.body).to.have.nested.property('detail.code', 'insufficient_credits');
    await expectOk(client.post(pathOf(first, '/end')));
    expect(await held()).to.equal(10);
    await until('the session that nobody negotiates ends', async () => (await held()) === 0);
    expect((await client.get(pathOf(second))).status).to.equal(404);
    await newSession(client);
    await world.restart();
    expect(await held()).to.equal(0);
    await world.end();
  });
});
