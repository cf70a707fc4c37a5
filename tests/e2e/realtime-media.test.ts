import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { realtimeDefaults } from '../../adapters/config/realtime.js';
import { credits } from '../support/credits.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';
import { opusPackets } from '../support/realtime/opus-packets.js';
import type { Frame } from '../support/realtime/results-client.js';
import { type SendingPeer, sendingPeer, streamed } from '../support/realtime/sending-peer.js';
import { type Stretch, speechLike, spokenIn } from '../support/realtime/speech-like.js';
import { type NewSession, endedOf, listen, newSession, pathOf } from '../support/realtime/stage.js';
import { type World, startWorld } from '../support/world.js';

const stretches: readonly Stretch[] = [
  { seconds: 1, speech: false },
  { seconds: 1.5, speech: true },
  { seconds: 1.5, speech: false },
];
const packets = opusPackets(speechLike(stretches, 4));
const Answer = t.type({ type: t.literal('answer'), sdp: t.string });

const negotiate = async (client: HttpClient, session: NewSession): Promise<SendingPeer> => {
  const peer = sendingPeer();
  const sdp = await peer.offer();
  const answer = await client.post(pathOf(session, '/offer'), { type: 'offer', sdp });
  await peer.accept(bodyOf(Answer, answer).sdp);
  await peer.connected();
  return peer;
};

const isSpeaking = ({ kind, speaking }: Frame): boolean => kind === 'voice_activity' && speaking === true;

/** One credit a second, real media, the embedded engine. */
describe('a realtime session with real media', function () {
  this.timeout(60_000);
  let world: World;
  before(async () => {
    world = await startWorld({ realtime: { ...realtimeDefaults, price_per_minute: credits('60'), meter_seconds: 1 } });
  });
  after(() => world.end());
  const account = async (account_id: string, amount: number): Promise<HttpClient> => {
    const client = await world.client(account_id);
    await world.admin.post(`/v1/accounts/${account_id}/credits`, { amount, reason: 'for a test' });
    return client;
  };

  it('detects when somebody speaks, and is charged from the first media on', async () => {
    const client = await account('speaker', 100);
    const session = await newSession(client);
    const results = await listen(session);
    const peer = await negotiate(client, session);
    await setTimeout(1_500);
    expect((await client.get(pathOf(session))).body, 'no media came yet').to.include({ status: 'negotiated' });
    await peer.send('audio', streamed(packets));
    await results.waitFor(({ end }) => typeof end === 'number' && end >= 3.5);
    const { duration_seconds, credits_charged } = endedOf(await client.post(pathOf(session, '/end')));
    await peer.close();
    expect(duration_seconds).to.be.within(3, 6);
    expect(credits_charged).to.equal(duration_seconds);
    const spoken = results.frames.filter(isSpeaking);
    const [stretch] = spokenIn(stretches);
    expect(spoken[0]?.start).to.be.closeTo(stretch?.start ?? 0, 0.3);
    expect(spoken.at(-1)?.end).to.be.closeTo(stretch?.end ?? 0, 0.6);
    const seqs = results.frames.filter(({ type }) => type === 'result').map(({ seq }) => seq);
    expect(seqs).to.deep.equal(seqs.map((_, index) => index + 1));
    expect(results.frames.map(({ type }) => type)).to.include.members(['ready', 'media', 'result', 'usage']);
  });
});
