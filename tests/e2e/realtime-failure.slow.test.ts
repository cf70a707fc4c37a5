import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { defaults } from '../../adapters/config/config.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';
import { credits } from '../support/values.js';
import { until } from '../support/contracts/realtime-engine-contract.js';
import { activityIn, speechIn } from '../support/realtime/frames.js';
import { opusPackets, speechLike, type Stretch } from '../support/realtime/speech-like.js';
import { type SendingPeer, sendingPeer, streamed } from '../support/realtime/sending-peer.js';
import { type NewSession, endedOf, listen, newSession, pathOf } from '../support/realtime/stage.js';
import { type World, startWorld } from '../support/world.js';

const stretches: readonly Stretch[] = [
  { seconds: 0.5, speech: false },
  { seconds: 1.5, speech: true },
  { seconds: 1, speech: false },
];
const sound = streamed(opusPackets(speechLike(stretches, 4)));

const loopback = '127.0.0.1';
const candidateOf = (port: number): string => `a=candidate:1 1 udp 2130706431 ${loopback} ${port} typ host`;

const opened = async (): Promise<Socket> => {
  const socket = createSocket('udp4').bind(0, loopback);
  await once(socket, 'listening');
  return socket;
};

/** A UDP proxy between a WebRTC client and the service, on loopback. */
const udpProxy = async () => {
  const [front, back] = [await opened(), await opened()];
  let [isDown, client, service] = [false, 0, 0];
  front.on('message', (packet, { port }) => {
    client = port;
    if (!isDown) back.send(packet, service, loopback);
  });
  back.on('message', (packet) => {
    if (!isDown) front.send(packet, client, loopback);
  });
  return {
    /** The answer of the service, in which the proxy is the only address. */
    inFront: (answer: string): string => {
      const offered = /^a=candidate:.* 127\.0\.0\.1 (\d+) typ host/m.exec(answer)?.[1];
      if (offered === undefined) throw new Error(`no loopback address in ${answer}`);
      service = Number(offered);
      const lines = answer.split('\r\n').filter((line) => !line.startsWith('a=candidate:'));
      const end = lines.findIndex((line) => line.startsWith('a=end-of-candidates'));
      const place = end < 0 ? lines.findLastIndex((line) => line !== '') + 1 : end;
      return lines.toSpliced(place, 0, candidateOf(front.address().port)).join('\r\n');
    },
    /** From now on packets are lost. */
    breakDown: (): void => void (isDown = true),
    close: (): void => {
      front.close();
      back.close();
    },
  };
};

/** An offer without addresses: the service learns the client's from its packets. */
const withoutCandidates = (offer: string): string => offer.replace(/^a=candidate:.*\r\n/gm, '');

const Answer = t.type({ type: t.literal('answer'), sdp: t.string });

/** A peer that is connected with a session through a proxy. */
const connectThrough = async (
  proxy: Awaited<ReturnType<typeof udpProxy>>,
  client: HttpClient,
  session: NewSession,
): Promise<SendingPeer> => {
  const peer = sendingPeer();
  const sdp = withoutCandidates(await peer.offer());
  const answer = await client.post(pathOf(session, '/offer'), { type: 'offer', sdp });
  await peer.accept(proxy.inFront(bodyOf(Answer, answer).sdp));
  await peer.connected();
  return peer;
};

/** One credit a second, real media, the embedded engine. */
describe('a realtime session whose connection fails', function () {
  this.timeout(120_000);
  let world: World;
  before(async () => {
    world = await startWorld({ realtime: { ...defaults.realtime, price_per_minute: credits('60'), meter_seconds: 1 } });
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
    first.breakDown();
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
