import { expect } from 'chai';
import { realtimeDefaults } from '../../adapters/config/realtime.js';
import type { HttpClient } from '../support/http-client.js';
import { isLongForm } from '../support/long-form.js';
import { activityIn, speechIn } from '../support/realtime/frames.js';
import { opusPackets } from '../support/realtime/opus-packets.js';
import { streamed } from '../support/realtime/sending-peer.js';
import { speechLike, spokenIn, type Stretch } from '../support/realtime/speech-like.js';
import { listen, newSession, pathOf } from '../support/realtime/stage.js';
import { connectThrough, udpProxy } from '../support/realtime/udp-proxy.js';
import { type World, startWorld } from '../support/world.js';

const packetsPerSecond = 50;

/** After 25 s or more a connection fails, and needs a new offer. */
const stalls = isLongForm
  ? ([5, 7, 9, 12, 20] as const).flatMap((seconds) => [['hold', seconds] as const, ['drop', seconds] as const])
  : ([
      ['hold', 12],
      ['drop', 5],
    ] as const);

describe('a realtime session whose packets are delivered late or lost', function () {
  this.timeout(90_000);
  let world: World;
  let client: HttpClient;
  before(async () => {
    const max_sessions_per_account = stalls.length;
    world = await startWorld({ realtime: { ...realtimeDefaults, max_sessions_per_account } });
    client = await world.client('stalls');
    await world.admin.post('/v1/accounts/stalls/credits', { amount: 100, reason: 'for a test' });
  });
  after(() => world.end());

  const stalled = async (mode: 'hold' | 'drop', seconds: number): Promise<void> => {
    const stretches: readonly Stretch[] = [
      { seconds: 0.5, speech: false },
      { seconds: 1, speech: true },
      { seconds: 0.5 + seconds + 0.5, speech: false },
      { seconds: 1.5, speech: true },
      { seconds: 1, speech: false },
    ];
    const packets = opusPackets(speechLike(stretches, 4));
    const [from, to] = [2 * packetsPerSecond, (2 + seconds) * packetsPerSecond];
    const session = await newSession(client);
    const results = await listen(session);
    const proxy = await udpProxy();
    const peer = await connectThrough(proxy, client, session);
    await peer.send('audio', streamed(packets.slice(0, from)));
    await results.waitFor(({ end }) => typeof end === 'number' && end >= 1.5);
    proxy.set(mode);
    await peer.send('audio', streamed(packets.slice(from, to), from));
    proxy.set('pass');
    await peer.send('audio', streamed(packets.slice(to), to));
    const last = spokenIn(stretches).at(-1);
    if (last === undefined) throw new Error('speech ends the sound');
    await results.waitFor(({ end }) => typeof end === 'number' && end >= last.end + 0.5);
    const spoken = speechIn(activityIn(results.frames));
    expect(spoken[0]?.start, 'before the stall').to.be.closeTo(0.5, 0.5);
    expect(spoken.at(-1)?.start, 'after the stall').to.be.closeTo(last.start, 0.5);
    expect(spoken.at(-1)?.end, 'after the stall').to.be.closeTo(last.end, 0.5);
    await client.post(pathOf(session, '/end'));
    await peer.close();
    proxy.close();
  };

  it(`has right times after stalls: ${stalls.map((stall) => stall.join(' ')).join(', ')} s`, () =>
    Promise.all(stalls.map(([mode, seconds]) => stalled(mode, seconds))));
});
