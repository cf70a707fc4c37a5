import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { eventsAfterErasure } from '../support/erasure/events-after-erasure.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';
import { killInstances } from '../support/instances/kill-instances.js';
import { type Instances, startInstances } from '../support/instances/running-instances.js';
import { isLongForm, shortOrLong } from '../support/long-form.js';

const Receipt = t.type({ receipt: t.type({ position: t.string }) });
/** Time limit for the other instances to drop what they know of an erased medium. */
const within_ms = 5_000;
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

  it('know a record and a key that another instance has just made', async () => {
    await expectOk(instances.client(0).post('/v1/accounts', { account_id: 'new' }));
    const { key } = bodyOf(t.type({ key: t.string }), await instances.client(0).post('/v1/accounts/new/keys', {}));
    await expectOk(instances.client(1).get('/v2/videos', { 'X-API-Key': key }));
    for (let turn = 0; turn < shortOrLong(50, 500); turn += 1) {
      await expectOk(instances.client(0).post('/v2/videos', { video_id: `new-${turn}` }));
      await expectOk(instances.client(1).get(`/v2/videos/new-${turn}`));
      await expectOk(instances.client(0).post('/v2/audios', { audio_id: `new-${turn}` }));
      await expectOk(instances.client(1).get(`/v2/audios/new-${turn}`));
    }
  });

  let made = 0;
  /** A video and its audio, and the analysis of the audio. */
  const registered = async (client: HttpClient) => {
    made += 1;
    const transcript = [{ speaker_id: 1, start: 0, end: 2, text: `Knoblauch ${made}` }];
    const speakers = [{ speaker_id: 1, name: 'Lauch' }];
    const parts = { ids: [`e${made}`, `e${made}a`] as const, faces: [{ id: 1 }], speakers, transcript };
    const media = await createMedia({ owner: client, worker: client }, parts);
    return { ...media, analysis: { status: 'completed', speakers, segments: [], transcript } };
  };

  it('learn of an erasure: their caches are cleared, and every request is answered 410', async () => {
    const [one, other] = [instances.client(0), instances.client(1)];
    const { video, audio, analysis } = await registered(one);
    const paths = [video, audio, `${audio}/transcript`, `${video}/tracks`, `${video}/speaker-face-match/decisions`];
    const min = { 'X-Min-Position': (await one.get('/v2/videos')).headers.get('X-Event-Position') ?? '' };
    for (const path of paths) await expectOk(other.get(path, min['X-Min-Position'] === '' ? {} : min));
    await expectOk(one.delete(audio));
    await expectOk(one.delete(video));
    const erased = performance.now();
    for (const path of paths)
      for (let status = 0; status !== 410; { status } = await other.get(path))
        expect(performance.now() - erased, path).to.be.lessThan(within_ms);
    expectCode(await other.put(`${audio}/analysis`, analysis), 410, 'erased');
    expectCode(await other.delete(video), 410, 'erased');
    expectCode(await other.post('/v2/videos', { audio_id: audio.split('/').at(-1) }), 410, 'erased');
  });

  it('write nothing to a medium’s own streams after its erasure, whatever they write meanwhile', async () => {
    for (let round = 0; round < shortOrLong(3, 20); round += 1) {
      const [one, other] = [instances.client(0), instances.client(1)];
      const { video, audio, analysis } = await registered(one);
      const writes = [
        other.patch(video, { title: 'late' }),
        other.put(`${audio}/analysis`, analysis),
        other.put(`${video}/faces/1/personality-traits`, { personality_traits: { late: 1 } }),
        other.put(`${audio.replace('v2', 'v1')}/speakers/names`, [{ speaker_id: 1, name: 'Late' }]),
      ];
      const erased = round % 2 === 0 ? audio : video;
      const { receipt } = bodyOf(Receipt, await expectOk(one.delete(erased)));
      for (const { status, text } of await Promise.all(writes)) expect([200, 404, 409, 410], text).to.include(status);
      await setTimeout(500);
      expect(await eventsAfterErasure({ admin: one }, erased, receipt.position)).to.deep.equal([]);
    }
  });

  it('erase a medium once, if all do at the same time', async () => {
    const { video, audio } = await registered(instances.client(0));
    const answers = await Promise.all([0, 1, 0, 1].map((instance) => instances.client(instance).delete(audio)));
    expect(answers.map(({ status }) => status)).to.have.members([200, 410, 410, 410]);
    expectCode(await instances.client(1).delete(audio), 410, 'erased');
    await expectOk(instances.client(1).get(video));
  });
});
