import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import { opusDecoders } from '../../../adapters/realtime/webrtc/opus-decoders.js';
import { type MediaSession, mediaSession } from '../../../adapters/realtime/webrtc/worker/media-session.js';
import { until } from '../../support/event-store/stores.js';
import { type SendingPeer, sendingPeer, streamed } from '../../support/realtime/sending-peer.js';

const options = { iceServers: [], additionalAddresses: ['127.0.0.1'], relayOnly: false, answerTimeoutMs: 10_000 };
const openSockets = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'UDPWrap').length;
const unbundled = (offer: string): string => offer.replace(/a=group:BUNDLE.*\r\n/, '');

describe('media session', () => {
  let session: MediaSession;
  let peers: SendingPeer[];
  let reports: EngineReport[];
  beforeEach(() => {
    reports = [];
    session = mediaSession(options, opusDecoders(), (report) => reports.push(report));
    peers = [];
  });
  afterEach(async () => {
    await session.close();
    await Promise.all(peers.map((peer) => peer.close()));
  });
  const client = (): SendingPeer => {
    const peer = sendingPeer({ camera: true });
    peers.push(peer);
    return peer;
  };
  const answer = async (offer: string): Promise<string> => {
    const answered = await session.negotiate(offer, null);
    if (E.isLeft(answered)) throw new Error(answered.left);
    return answered.right;
  };
  const connect = async (peer: SendingPeer, change: (offer: string) => string): Promise<void> => {
    await peer.accept(await answer(change(await peer.offer())));
    await peer.connected();
    reports.length = 0;
    for (let sequence = 0; reports.length === 0; sequence += 1) {
      await peer.send('audio', streamed([Uint8Array.of(0xf8, 0xff, 0xfe)], sequence));
      await setTimeout(20);
    }
  };

  const courses: Record<string, () => Promise<unknown>> = {
    'bundled audio and video': () => connect(client(), (offer) => offer),
    'unbundled audio and video': () => connect(client(), unbundled),
    'audio and video that are bundled later': async () => {
      const offer = await client().offer();
      await answer(unbundled(offer));
      await answer(offer);
      await answer(unbundled(offer));
      await answer(offer);
    },
    'data that is bundled later': async () => {
      const peer = client();
      peer.connection.createDataChannel('data');
      const offer = await peer.offer();
      await answer(unbundled(offer));
      await answer(offer);
    },
    'an offer that is refused': async () => {
      const offer = await client().offer();
      await answer(unbundled(offer));
      expect(E.isLeft(await session.negotiate(offer.replace('a=setup:actpass', 'a=setup:none'), null))).to.equal(true);
    },
  };
  Object.entries(courses).forEach(([course, run]) =>
    it(`leaves no socket open after ${course}`, async () => {
      const before = openSockets();
      await run();
      expect(openSockets()).to.be.greaterThan(before);
      await Promise.all(peers.map((peer) => peer.close()));
      await session.close();
      await until('no socket is left', () => openSockets() === before, 2_000);
    }),
  );

  it('gives up an offer that is not answered in time', async () => {
    const offer = await client().offer();
    const mute = createSocket('udp4').bind(0);
    await once(mute, 'listening');
    const iceServers = [{ urls: `turn:127.0.0.1:${mute.address().port}`, username: 'u', credential: 'c' }];
    const waiting = mediaSession({ ...options, iceServers, answerTimeoutMs: 250 }, opusDecoders(), () => undefined);
    const outcome = await waiting.negotiate(offer, null).catch(String);
    expect(outcome).to.equal('Error: no answer within 200 ms');
    await waiting.close();
    mute.close();
  });
});
