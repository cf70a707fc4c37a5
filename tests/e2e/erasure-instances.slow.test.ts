import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { eventsAfterErasure } from '../support/erasure/events-after-erasure.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';
import { type Instances, startInstances } from '../support/instances/running-instances.js';
import { shortOrLong } from '../support/long-form.js';

const Receipt = t.type({ receipt: t.type({ position: t.string }) });

/** Time limit for the other instances to drop cached content. */
const within_ms = 5_000;

describe('erasures on several instances with one EventStoreDB and one vault', function () {
  this.timeout(180_000);
  let instances: Instances;
  let made = 0;
  before(async () => {
    instances = await startInstances(2, { processes: [] });
  });
  after(() => instances.end());

  const registered = async (client: HttpClient) => {
    made += 1;
    const transcript = [{ speaker_id: 1, start: 0, end: 2, text: `Knoblauch ${made}` }];
    const speakers = [{ speaker_id: 1, name: 'Lauch' }];
    const parts = { ids: [`e${made}`, `e${made}a`] as const, faces: [{ id: 1 }], speakers, transcript };
    const media = await createMedia({ owner: client, worker: client }, parts);
    return { ...media, analysis: { status: 'completed', speakers, segments: [], transcript } };
  };

  it('reach the others: their caches are cleared, and every request is answered 410', async () => {
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

  it('are the last events in the medium’s own streams, whatever others write meanwhile', async () => {
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

  it('of the same medium at the same time are one', async () => {
    const { video, audio } = await registered(instances.client(0));
    const answers = await Promise.all([0, 1, 0, 1].map((instance) => instances.client(instance).delete(audio)));
    expect(answers.map(({ status }) => status)).to.have.members([200, 410, 410, 410]);
    expectCode(await instances.client(1).delete(audio), 410, 'erased');
    await expectOk(instances.client(1).get(video));
  });
});
