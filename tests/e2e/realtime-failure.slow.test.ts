import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { realtimeDefaults } from '../../adapters/config/realtime.js';
import { credits } from '../support/credits.js';
import { until } from '../support/contracts/realtime-engine-contract.js';
import { activityIn, speechIn } from '../support/realtime/frames.js';
import { opusPackets } from '../support/realtime/opus-packets.js';
import { streamed } from '../support/realtime/sending-peer.js';
import { speechLike, type Stretch } from '../support/realtime/speech-like.js';
import { endedOf, listen, newSession, pathOf } from '../support/realtime/stage.js';
import { connectThrough, udpProxy } from '../support/realtime/udp-proxy.js';
import { type World, startWorld } from '../support/world.js';

const stretches: readonly Stretch[] = [
  { seconds: 0.5, speech: false },
  { seconds: 1.5, speech: true },
  { seconds: 1, speech: false },
];
const sound = streamed(opusPackets(speechLike(stretches, 4)));

/** One credit a second, real media, the embedded engine. */
describe('a realtime session whose connection fails', function () {
  this.timeout(120_000);
  let world: World;
  before(async () => {
    world = await startWorld({ realtime: { ...realtimeDefaults, price_per_minute: credits('60'), meter_seconds: 1 } });
  });
  after(() => world.end());

  it('is revived by a new offer, with right times, and is not charged meanwhile', async () => {
    const client = await world.client('fails');
    await world.admin.post('/v1/accounts/fails/credits', { amount: 1_000, reason: 'for a test' });
    const session = await newSession(client);
    const results = await listen(session);
    const mediaAt = (state: string): number =>
      Date.parse(results.frames.findLast((frame) => frame.type === 'media' && frame['state'] === state)?.at ?? '');

    const [first, second] = [await udpProxy(), await udpProxy()];
    const lost = await connectThrough(first, client, session);
    await lost.send('audio', sound);
    const startedAt = mediaAt('connected');
    first.set('drop');
    await until(() => !Number.isNaN(mediaAt('failed')));
    await setTimeout(200);
    const charged = (): Promise<unknown> => client.get(pathOf(session)).then(({ body }) => body);
    const before = await charged();
    await setTimeout(5_000);
    expect(await charged()).to.deep.equal(before);

    const again = await connectThrough(second, client, session);
    const sentAt = Date.now();
    await again.send('audio', sound);
    const spoken = (sentAt - startedAt) / 1_000 + 0.5;
    await results.waitFor(({ end }) => typeof end === 'number' && end >= spoken + 1.5);
    expect(speechIn(activityIn(results.frames)).at(-1)?.start).to.be.closeTo(spoken, 0.5);

    const failedFor = (mediaAt('connected') - mediaAt('failed')) / 1_000;
    const { duration_seconds, credits_charged } = endedOf(await client.post(pathOf(session, '/end')));
    expect(failedFor).to.be.greaterThan(5);
    expect(duration_seconds).to.be.closeTo((Date.now() - startedAt) / 1_000 - failedFor, 1.5);
    expect(credits_charged).to.equal(duration_seconds);
    expect(await results.closed).to.include({ code: 1000 });
    expect(results.frames.at(-1)).to.include({ type: 'usage', credits_charged });
    await Promise.all([lost.close(), again.close()]);
    [first, second].forEach((proxy) => proxy.close());
  });
});
