import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { bodyOf } from '../support/http-client.js';
import { killInstances } from '../support/instances/kill-instances.js';
import { type Instances, startInstances } from '../support/instances/running-instances.js';
import { isLongForm, shortOrLong } from '../support/long-form.js';

const Runs = t.type({ match_runs: t.array(t.type({ run_id: t.string, outcome: t.union([t.string, t.null]) })) });

describe('several instances on one EventStoreDB', function () {
  this.timeout(180_000);

  if (isLongForm)
    it('keep every invariant while one of three is killed at random', async () => {
      const { violations, acknowledged, runs } = await killInstances({ instances: 3, milliseconds: 6_000, clients: 2 });
      expect(violations).to.deep.equal([]);
      expect(acknowledged).to.be.greaterThan(10);
      expect(runs).to.be.greaterThan(0);
    });

  let instances: Instances;
  before(async () => {
    instances = await startInstances(2, { processes: [0], env: { MATCH_WORKER: 'embedded' } });
  });
  after(() => instances.end());

  it('share match runs: each is answered once, also those that a killed instance had taken', async () => {
    const one = instances.client(0);
    const ids = Array.from({ length: shortOrLong(4, 8) }, (_, index) => `shared-${index}`);
    for (const id of ids)
      await createMedia(
        { owner: one, worker: one },
        {
          ids: [id, `${id}-audio`],
          faces: [{ id: 1 }],
          speakers: [{ speaker_id: 1 }],
          segments: [{ speaker_id: 1, start: 0, end: 9 }],
        },
      );
    const other = instances.client(1);
    await Promise.all(ids.map((id) => expectOk(other.post(`/v2/videos/${id}/speaker-face-match/suggestions`, {}))));
    await instances.kill(0);
    for (const id of ids)
      for (;;) {
        const { match_runs } = bodyOf(Runs, await other.get(`/v2/videos/${id}/match-runs`));
        expect(match_runs).to.have.length(1);
        if (match_runs[0]?.outcome === 'completed') break;
        await setTimeout(50);
      }
    await instances.restart(0);
  });

  it('show a record that another instance has just registered', async () => {
    for (let turn = 0; turn < shortOrLong(50, 500); turn += 1) {
      await expectOk(instances.client(0).post('/v2/videos', { video_id: `new-${turn}` }));
      await expectOk(instances.client(1).get(`/v2/videos/new-${turn}`));
      await expectOk(instances.client(0).post('/v2/audios', { audio_id: `new-${turn}` }));
      await expectOk(instances.client(1).get(`/v2/audios/new-${turn}`));
    }
  });

  it('know a key that another instance has just issued', async () => {
    const Key = t.type({ key: t.string });
    for (let turn = 0; turn < 5; turn += 1) {
      const account = `account-${turn}`;
      await expectOk(instances.client(0).post('/v1/accounts', { account_id: account }));
      const { key } = bodyOf(Key, await instances.client(0).post(`/v1/accounts/${account}/keys`, {}));
      const answer = await instances.client(1).get('/v2/videos', { 'X-API-Key': key });
      expect(answer.status).to.equal(200);
    }
  });
});
