import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { EngineReport, RealtimeEngine } from '../../../application/ports/realtime-engine.js';
import { succeeded } from '../event-store/stores.js';
import { opusPackets, speechLike, type Stretch } from '../realtime/speech-like.js';
import { type SendingPeer, sendingPeer, streamed } from '../realtime/sending-peer.js';
import { sessionId } from '../values.js';

/** Waits until the condition holds, or the test times out. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds())
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
};

const stretches: readonly Stretch[] = [
  { seconds: 0.5, speech: false },
  { seconds: 1.5, speech: true },
  { seconds: 1, speech: false },
];
const sound = opusPackets(speechLike(stretches, 9));
const picture = (at: number): Uint8Array =>
  at === 0 ? Uint8Array.of(0x10, 0x10, 2, 0, 0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0, 0) : Uint8Array.of(0x10, 1, 2, 3);
const pictures = Array.from({ length: 36 }, (_, at) => ({
  at: at * 40,
  sequence: at,
  timestamp: at * 3_600,
  payload: picture(at),
  marker: true,
}));

/** The contract of every engine, embedded or remote. */
export const realtimeEngineContract = (open: () => RealtimeEngine): void => {
  let engine: RealtimeEngine;
  const peers: SendingPeer[] = [];
  const client = (options: { camera?: boolean } = {}): SendingPeer => {
    const made = sendingPeer(options);
    peers.push(made);
    return made;
  };
  const id = sessionId('00000000-0000-4000-8000-000000000001');
  const reports: EngineReport[] = [];
  const negotiated = async (peer: SendingPeer): Promise<void> => {
    await peer.accept(
      (await succeeded(engine.negotiate(id, await peer.offer(), (report) => reports.push(report)))).sdp,
    );
    await peer.connected();
  };
  before(() => {
    engine = open();
  });
  beforeEach(() => {
    reports.length = 0;
  });
  afterEach(async () => {
    await succeeded(engine.close(id));
    await Promise.all(peers.splice(0).map((peer) => peer.close()));
  });
  after(() => engine.shutDown());

  it('is healthy', () => succeeded(engine.health()));

  it('detects speech, and reports when media begin', async () => {
    const peer = client();
    await negotiated(peer);
    await peer.send('audio', streamed(sound));
    const windows = () => reports.flatMap((report) => (report.kind === 'voice_activity' ? [report] : []));
    await until(() => windows().length >= 11);
    expect(reports[0]).to.deep.equal({ kind: 'media', state: 'connected' });
    for (const { start, end, speaking, level_dbfs: level } of windows()) {
      if (start >= 0.75 && end <= 1.75) expect({ start, speaking }).to.deep.equal({ start, speaking: true });
      if (start >= 2.3) expect({ start, speaking }).to.deep.equal({ start, speaking: false });
      if (speaking) expect(level).to.be.within(-60, 0);
    }
  });

  it('counts video frames and reports their size', async () => {
    const peer = client({ camera: true });
    await negotiated(peer);
    await peer.send('video', pictures);
    const stats = () => reports.flatMap((report) => (report.kind === 'video_stats' ? [report] : []));
    await until(() => stats().length > 0);
    expect(stats()[0]).to.deep.include({ start: 0, width: 320, height: 240 });
    expect(stats()[0]?.frames).to.be.within(20, 30);
  });

  it('answers a second offer of the same peer, and continues to analyse', async () => {
    const peer = client();
    await negotiated(peer);
    await peer.send('audio', streamed(sound.slice(0, 50)));
    await negotiated(peer);
    await peer.send('audio', streamed(sound.slice(50), 50));
    await until(() => reports.some((report) => report.kind === 'voice_activity' && report.end >= 2));
  });

  it('answers the offer of another peer, which replaces the first', async () => {
    await negotiated(client());
    const second = client();
    await negotiated(second);
    await second.send('audio', streamed(sound.slice(0, 50)));
    await until(() => reports.some(({ kind }) => kind === 'voice_activity'));
  });

  it('accepts candidates before and after the offer, and the end of candidates', async () => {
    const peer = client();
    const offer = await peer.offer();
    const candidates = [...offer.matchAll(/a=(candidate:.*)\r\n/g)].flatMap(([, text]) => text ?? []);
    const bare = offer.replaceAll(/a=(candidate:.*|end-of-candidates)\r\n/g, '');
    const add = (candidate: string) =>
      succeeded(engine.addCandidate(id, { candidate, sdp_mid: '0', sdp_m_line_index: 0 }));
    await add(`a=${candidates[0]}`);
    const { sdp } = await succeeded(engine.negotiate(id, bare, (report) => reports.push(report)));
    await Promise.all(candidates.slice(1).map(add));
    await add('');
    await peer.accept(sdp);
    await peer.connected();
  });

  it('refuses invalid offers and candidates with a reason, and continues', async () => {
    const refused = await engine.negotiate(id, 'garbage', () => undefined)();
    expect(refused).to.deep.equal(E.left({ _tag: 'InvalidSdp', reason: 'it does not begin with v=0' }));
    const candidate = { candidate: 'garbage', sdp_mid: '0', sdp_m_line_index: 0 };
    expect(await engine.addCandidate(id, candidate)()).to.have.nested.property('left._tag', 'InvalidIceCandidate');
    await negotiated(client());
    const nowhere = { candidate: 'candidate:1 1 udp 1 192.0.2.9 9 typ host', sdp_mid: '7', sdp_m_line_index: null };
    expect(await engine.addCandidate(id, nowhere)()).to.deep.equal(
      E.left({ _tag: 'InvalidIceCandidate', reason: 'the offer has no such media section' }),
    );
  });

  it('sends no reports of a closed session, and accepts the close of an unknown one', async () => {
    const peer = client();
    await negotiated(peer);
    const sending = peer.send('audio', streamed(sound.slice(0, 60)));
    await until(() => reports.some(({ kind }) => kind === 'voice_activity'));
    await succeeded(engine.close(id));
    const count = reports.length;
    await sending;
    expect(reports.length).to.equal(count);
    await succeeded(engine.close(sessionId('never-seen')));
  });
};
