import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { startWorld } from '../support/world.js';
import { expectOk } from '../support/e2e/media.js';
import {
  type NamingApi,
  chargesOf,
  createRecording,
  grant,
  openNamingApi,
  rowsOf,
  suggestPath,
} from '../support/e2e/naming.js';
import { slow } from '../support/name-model/behaviours.js';

describe('speaker-name inference', () => {
  it('runs to its end if the client disconnects: it is charged once', async () => {
    const naming = await openNamingApi();
    const { api, model } = naming;
    const media = await createRecording(api);
    const key = await api.world.client('leaver', { permissions: ['MEDIA_WRITE'] });
    await grant(api, 'leaver', 10);
    const issued = await api.admin.post('/v1/accounts/leaver/keys', { permissions: ['MEDIA_WRITE'] });
    const secret = String(Object.entries(issued.body ?? {}).find(([name]) => name === 'key')?.[1]);
    model.play(slow(500));
    const connection = new AbortController();
    const call = fetch(new URL(suggestPath(media), api.world.url()), {
      method: 'POST',
      headers: { 'X-API-Key': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ target_speaker_ids: [1] }),
      signal: connection.signal,
    }).catch((error: unknown) => error);
    while (model.requests.length === 0) await setTimeout(10);
    connection.abort();
    await call;
    await setTimeout(900);
    expect(await chargesOf(key, 'leaver')).to.have.lengthOf(1);
    await api.world.end();
    await model.close();
  });

  it('uses the embedded model if no other is configured, at a price per word', async () => {
    const world = await startWorld();
    const naming: Pick<NamingApi, 'api'> = {
      api: {
        world,
        admin: world.admin,
        anonymous: world.anonymous,
        owner: await world.client('owner'),
        stranger: world.anonymous,
        mediaWriter: world.anonymous,
        worker: await world.client('worker', { permissions: ['WORKER'] }),
      },
    };
    await grant(naming.api, 'owner', 3);
    const media = await createRecording(naming.api);
    const body = { target_speaker_ids: [1, 2, 3], infer_roles: true };
    const estimate = await expectOk(naming.api.owner.post(`${media.audio}/speaker-name-inference/estimate`, body));
    const first = await expectOk(naming.api.owner.post(suggestPath(media), body));
    const second = await expectOk(naming.api.owner.post(suggestPath(media), body));
    expect(second.body).to.deep.equal(first.body);
    expect(rowsOf(first)[0]).to.include({ name: 'Ada Lovelace' });
    const [charge] = await chargesOf(naming.api.owner);
    const cost = -(charge?.amount ?? 0);
    expect(cost).to.be.greaterThan(1);
    expect(estimate.body).to.include({ credits_min: cost, credits_max: cost });
    await world.end();
  });
});
