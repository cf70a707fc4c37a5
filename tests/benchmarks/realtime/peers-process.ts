import { type RTCPeerConnection, RtpHeader } from 'werift';
import { type Said, PeerMessage } from './messages.js';
import { opusPackets, turns, speechLike } from '../../support/realtime/speech-like.js';
import { randomFrom } from '../../support/realtime/random.js';
import { type SendingPeer, sendingPeer } from '../../support/realtime/sending-peer.js';

/** Sound on its way to the service; a packet is due every 20 ms from `startsAt` of the clock of `performance`. */
export interface PreparedSound {
  readonly startsAt: number;
  /** Sends the packets that are due. */
  readonly send: (now: number) => void;
}

const packetMilliseconds = 20;
const mostSequences = 2 ** 16;

/**
 * Opus packets, encrypted ahead with the keys of a connected peer, so that sending them costs next to nothing and what
 * is measured is the service. They are repeated until there are `count`; a source sends at most 65,536.
 */
export const preparedSound = (
  connection: RTCPeerConnection,
  payloads: readonly Uint8Array[],
  count: number,
): ((startsAt: number) => PreparedSound) => {
  const [transport] = connection.dtlsTransports;
  const [sender] = connection.getSenders();
  const payloadType = sender?.codec?.payloadType;
  if (transport === undefined || sender === undefined || payloadType === undefined || count > mostSequences)
    throw new Error('this sound cannot be prepared');
  const packets = Array.from({ length: count }, (_, at) => {
    const header = new RtpHeader({ sequenceNumber: at, timestamp: at * 960, payloadType, ssrc: sender.ssrc });
    return transport.srtp.encrypt(Buffer.from(payloads[at % payloads.length] ?? []), header);
  });
  const { iceTransport } = transport;
  return (startsAt) => {
    let next = 0;
    return {
      startsAt,
      send: (now) => {
        for (; startsAt + next * packetMilliseconds <= now; next += 1) {
          const packet = packets[next];
          if (packet === undefined) return;
          void iceTransport.connection.send(packet);
        }
      },
    };
  };
};

/* Clients in a process of their own: each makes an offer and takes the answer; then all send a microphone's sound. */

const payloads = opusPackets(speechLike(turns(4, randomFrom(1))));
const packetsPerSecond = 50;
/** Clients begin at times spread over the length of a result, like independent clients. */
const spread = 250;
const sendingEvery = 2;
const peers = new Map<number, SendingPeer>();
const say = (message: Said): unknown => process.send?.(message);

const begin = async (peer: number): Promise<void> => {
  const made = sendingPeer();
  peers.set(peer, made);
  say({ said: 'offer', peer, sdp: await made.offer() });
};

const connect = async (peer: number, sdp: string): Promise<void> => {
  const made = peers.get(peer);
  await made?.accept(sdp);
  await made?.connected();
  say({ said: 'connected', peer });
};

const send = async (seconds: number): Promise<void> => {
  const prepared = [...peers].map(([peer, { connection }]) => ({
    peer,
    start: preparedSound(connection, payloads, seconds * packetsPerSecond),
  }));
  const now = performance.now();
  const sounds = prepared.map(({ peer, start }, at) => {
    const sound = start(now + (at * spread) / prepared.length);
    say({ said: 'sending', peer, at: performance.timeOrigin + sound.startsAt });
    return sound;
  });
  setInterval(() => {
    const due = performance.now();
    for (const sound of sounds) sound.send(due);
  }, sendingEvery);
};

const workOf = (message: PeerMessage): Promise<void> => {
  switch (message.type) {
    case 'begin':
      return begin(message.peer);
    case 'answer':
      return connect(message.peer, message.sdp);
    case 'send':
      return send(message.seconds);
  }
};

process.on('message', (message: unknown) => {
  if (!PeerMessage.is(message)) throw new Error(`not understood: ${JSON.stringify(message)}`);
  workOf(message).catch((error: unknown) => say({ said: 'failed', reason: String(error) }));
});
say({ said: 'ready' });
