import { opusPackets } from '../../support/realtime/opus-packets.js';
import { randomFrom } from '../../support/realtime/random.js';
import { turns } from '../../support/realtime/score-activity.js';
import { type SendingPeer, sendingPeer } from '../../support/realtime/sending-peer.js';
import { speechLike } from '../../support/realtime/speech-like.js';
import { type Said, PeerMessage } from './messages.js';
import { preparedSound } from './prepared-sound.js';

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
