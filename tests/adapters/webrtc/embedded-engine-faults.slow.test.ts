import { createSocket } from 'node:dgram';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { embeddedEngine } from '../../../adapters/realtime/webrtc/embedded-engine.js';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import { until } from '../../support/contracts/realtime-engine-contract.js';
import { browserOffer, hostCandidate } from '../../support/realtime/offers.js';
import { opusPackets, speechLike } from '../../support/realtime/speech-like.js';
import { randomFrom } from '../../support/realtime/random.js';
import { type SendingPeer, sendingPeer, streamed } from '../../support/realtime/sending-peer.js';
import { sessionId } from '../../support/values.js';

const bytes = (random: () => number): Buffer => {
  const packet = Buffer.from(Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256)));
  /* Half of them look like STUN: two zero bits, the magic cookie, a correct length. */
  if (random() < 0.5 && packet.length >= 20) {
    packet.writeUInt16BE(1, 0);
    packet.writeUInt16BE(packet.length - 20, 2);
    packet.writeUInt32BE(0x2112a442, 4);
  }
  return packet;
};

/** Texts that often break parsers, and lines in the wrong place. */
const hostile = ['', ' ', '-1', '65536', '4294967296', '1e309', 'NaN', '\u0000', '\u2028', '💥', 'a'.repeat(3_000)];
const odd = [
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=group:BUNDLE',
  'a=setup:passive',
  'a=sctp-port:99999',
];

/** A text of which lines or letters are replaced, once to four times. */
const spoilt = (text: string, random: () => number): string => {
  const any = (below: number): number => Math.floor(random() * below);
  let out = text;
  for (let left = 1 + any(4); left > 0; left -= 1) {
    const separator = ['', '\r\n'][any(2)] ?? '';
    const pieces = out.split(separator);
    out = pieces
      .toSpliced(any(pieces.length), any(3), [...hostile, ...odd][any(hostile.length + odd.length)] ?? '')
      .join(separator);
  }
  return out;
};

describe('embedded engine: faults', () => {
  it('survives random signalling: every request is refused or answered', async () => {
    const died: string[] = [];
    const engine = embeddedEngine({ threads: 1, fault: (reason) => died.push(reason) });
    const random = randomFrom(17);
    const outcomes: string[] = [];
    const note = async (asked: Promise<E.Either<{ readonly _tag: string }, unknown>>): Promise<void> => {
      const answer = await asked;
      outcomes.push(E.isLeft(answer) ? answer.left._tag : 'taken');
    };
    for (let at = 0; at < 250; at += 1) {
      const id = sessionId(`fuzz-${at}`);
      await note(engine.negotiate(id, spoilt(browserOffer, random), () => undefined)());
      const candidate = spoilt(hostCandidate, random);
      await note(engine.addCandidate(id, { candidate, sdp_mid: '0', sdp_m_line_index: 0 })());
      await engine.close(id)();
    }
    expect(outcomes).not.to.include('EngineUnavailable');
    for (const refusal of ['InvalidSdp', 'InvalidIceCandidate'])
      expect(outcomes.filter((outcome) => outcome === refusal)).to.have.length.greaterThan(50);
    expect(await engine.health()()).to.deep.equal(E.right(undefined));
    await engine.shutDown();
    expect(died).to.deep.equal([]);
  });

  it('keeps analysing while a stranger sends random bytes to its port', async () => {
    const engine = embeddedEngine({ threads: 1, additionalAddresses: ['127.0.0.1'] });
    const id = sessionId('attacked');
    const reports: EngineReport[] = [];
    const peer = sendingPeer();
    const answer = await engine.negotiate(id, await peer.offer(), (report) => reports.push(report))();
    if (E.isLeft(answer)) throw new Error(answer.left.reason);
    await peer.accept(answer.right.sdp);
    await peer.connected();
    const port = Number(/udp \d+ 127\.0\.0\.1 (\d+) /.exec(answer.right.sdp)?.[1]);
    const stranger = createSocket('udp4');
    const random = randomFrom(23);
    const sending = peer.send('audio', streamed(opusPackets(speechLike([{ seconds: 2, speech: true }]))));
    for (let at = 0; at < 1_000; at += 1)
      await new Promise((resolve) => {
        stranger.send(bytes(random), port, '127.0.0.1', resolve);
      });
    await sending;
    stranger.close();
    expect(reports.filter((report) => report.kind === 'voice_activity' && report.speaking)).to.have.length.greaterThan(
      4,
    );
    await peer.close();
    await engine.shutDown();
  });

  it('fails the sessions of a thread that dies, replaces the thread, and goes on there after a new offer', async () => {
    const threads: Worker[] = [];
    const remember = (thread: Worker): unknown => threads.push(thread);
    process.on('worker', remember);
    const faults: string[] = [];
    const engine = embeddedEngine({
      threads: 1,
      additionalAddresses: ['127.0.0.1'],
      fault: (reason) => faults.push(reason),
    });
    const reports: EngineReport[] = [];
    const id = sessionId('on-a-dying-thread');
    const connected = async (): Promise<SendingPeer> => {
      const peer = sendingPeer();
      const answer = await engine.negotiate(id, await peer.offer(), (report) => reports.push(report))();
      if (E.isLeft(answer)) throw new Error(answer.left.reason);
      await peer.accept(answer.right.sdp);
      await peer.connected();
      return peer;
    };
    const sound = streamed(opusPackets(speechLike([{ seconds: 1.5, speech: true }])));
    const first = await connected();
    const started = performance.now();
    await first.send('audio', sound);
    await threads[0]?.terminate();
    expect(reports.at(-1)).to.deep.equal({ kind: 'media', state: 'failed' });
    expect(faults).to.have.length(1);
    reports.length = 0;
    const second = await connected();
    expect(threads).to.have.length(2);
    const passed = (performance.now() - started) / 1_000;
    await second.send('audio', sound);
    await until(() => reports.some(({ kind }) => kind === 'voice_activity'));
    const result = reports.find((report) => report.kind === 'voice_activity');
    expect(result?.start, 'since the first media').to.be.closeTo(passed, 0.5);
    process.off('worker', remember);
    await first.close();
    await second.close();
    await engine.shutDown();
  });

  it('uses only ports of the configured range, a part of it for each thread', async () => {
    const portRange: [number, number] = [43_000, 43_999];
    const engine = embeddedEngine({ threads: 2, additionalAddresses: ['127.0.0.1'], portRange });
    const peer = sendingPeer();
    const offer = await peer.offer();
    const ports = async (id: string): Promise<readonly number[]> => {
      const answer = await engine.negotiate(sessionId(id), offer, () => undefined)();
      if (E.isLeft(answer)) throw new Error(answer.left.reason);
      return [...answer.right.sdp.matchAll(/ udp \d+ \S+ (\d+) typ host/g)].map(([, port]) => Number(port));
    };
    expect(await ports('one')).to.satisfy((found: readonly number[]) => found.every((port) => port < 43_500));
    expect(await ports('two')).to.satisfy((found: readonly number[]) => found.every((port) => port >= 43_500));
    await peer.close();
    await engine.shutDown();
  });
});
