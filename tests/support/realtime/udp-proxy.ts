import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import * as t from 'io-ts';
import { type HttpClient, bodyOf } from '../http-client.js';
import { type SendingPeer, sendingPeer } from './sending-peer.js';
import { type NewSession, pathOf } from './stage.js';

/** What a proxy does with packets: keeps them until they may pass, loses them, or lets them pass. */
type Mode = 'pass' | 'hold' | 'drop';

/** A UDP proxy between a WebRTC client and the service, on loopback. */
export interface UdpProxy {
  /** The answer of the service, in which the proxy is the only address. */
  readonly inFront: (answer: string) => string;
  /** Kept packets are sent, in order, when the mode changes to `pass`. */
  readonly set: (mode: Mode) => void;
  readonly close: () => void;
}

const loopback = '127.0.0.1';
const candidateOf = (port: number): string => `a=candidate:1 1 udp 2130706431 ${loopback} ${port} typ host`;

const opened = async (): Promise<Socket> => {
  const socket = createSocket('udp4').bind(0, loopback);
  await once(socket, 'listening');
  return socket;
};

export const udpProxy = async (): Promise<UdpProxy> => {
  const [front, back] = [await opened(), await opened()];
  let [mode, client, service]: [Mode, number | undefined, number | undefined] = ['pass', undefined, undefined];
  let held: (() => void)[] = [];
  const forward = (send: () => void): void => {
    if (mode === 'pass') send();
    else if (mode === 'hold') held.push(send);
  };
  front.on('message', (packet, { port }) => {
    client = port;
    forward(() => back.send(packet, service ?? 0, loopback));
  });
  back.on('message', (packet) => forward(() => front.send(packet, client ?? 0, loopback)));
  return {
    inFront: (answer) => {
      const offered = /^a=candidate:.* 127\.0\.0\.1 (\d+) typ host/m.exec(answer)?.[1];
      if (offered === undefined) throw new Error(`no loopback address in ${answer}`);
      service = Number(offered);
      const lines = answer.split('\r\n').filter((line) => !line.startsWith('a=candidate:'));
      const end = lines.findIndex((line) => line.startsWith('a=end-of-candidates'));
      const place = end < 0 ? lines.findLastIndex((line) => line !== '') + 1 : end;
      return lines.toSpliced(place, 0, candidateOf(front.address().port)).join('\r\n');
    },
    set: (next) => {
      mode = next;
      if (mode === 'pass') for (const send of held) send();
      held = [];
    },
    close: () => {
      front.close();
      back.close();
    },
  };
};

/** An offer without addresses: the service learns the client's from its packets. */
const withoutCandidates = (offer: string): string => offer.replace(/^a=candidate:.*\r\n/gm, '');

const Answer = t.type({ type: t.literal('answer'), sdp: t.string });

/** A peer that is connected with a session through a proxy. */
export const connectThrough = async (
  proxy: UdpProxy,
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
