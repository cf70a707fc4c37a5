import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { browserOffer } from '../../support/realtime/offers.js';
import { newSession, pathOf, resultsPath, sessionPath } from '../../support/realtime/stage.js';
import { usualLimit } from '../support/bodies.js';
import { type Attack, type Scene, forEach } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

/** The key of an account with credits. */
const payer = async (scene: Scene, account: string): Promise<string> => {
  const key = await scene.key(account);
  await scene.admin.post(`/v1/accounts/${account}/credits`, { amount: 1_000_000, reason: 'for an attack' });
  return key;
};

const creations = (key: string, count: number): ReadonlyArray<AttackRequest> =>
  numbers(count).map(() => ({ method: 'POST', path: sessionPath, key }));

const handshake = (query: string): string =>
  [
    `GET ${resultsPath}?${query} HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Extensions: permessage-deflate',
    '\r\n',
  ].join('\r\n');

/** Addresses to which a service that listens on every address must not send packets. */
const forbidden = [
  '127.0.0.1',
  '127.0.0.2',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  '169.254.169.254',
  'fe80::1',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
];

const candidateTo = (address: string, port: number): string =>
  `candidate:1 1 udp 2122260223 ${address} ${port} typ host`;

export const realtime: ReadonlyArray<Attack> = [
  {
    name: 'all-places',
    about: 'one account requests every available realtime session; another account needs one',
    run: async (scene) => {
      const [greedy, other] = [await payer(scene, 'greedy'), await payer(scene, 'other')];
      const answers = await scene.sendAll('sessions', creations(greedy, 150), 32);
      const taken = answers.filter(({ status }) => status === 200).length;
      const [one] = await scene.sendAll('another account', creations(other, 1));
      if (one?.status !== 200) scene.fault(`another account was answered ${one?.status} while one has ${taken}`);
    },
  },
  {
    name: 'results-sockets',
    about: '3,000 results sockets without a token or with an invalid one, kept open',
    run: async (scene) => {
      const queries = ['', 'token=none&session_id=none', `token=${'x'.repeat(6_000)}&session_id=x`, 'session_id='];
      const counts = { refused: 0, open: 0 };
      await forEach(numbers(scene.size(3_000, 600)), 100, async (at) => {
        const socket = connect({ port: scene.port, host: '127.0.0.1' });
        let text = '';
        socket.on('error', () => undefined).on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        socket.write(handshake(queries[at % queries.length] ?? ''));
        /* The close frame is not answered, so the service has to end the connection. */
        await Promise.race([once(socket, 'close'), setTimeout(4_000)]);
        counts[socket.destroyed ? 'refused' : 'open'] += 1;
        if (!text.startsWith('HTTP/1.1 101')) scene.fault(`a handshake was answered ${text.slice(0, 60)}`);
      });
      if (counts.open > 0) scene.fault(`${counts.open} unauthorised sockets stay open`);
    },
  },
  {
    name: 'offers',
    about: 'session descriptions of 2 MB, with thousands of lines and media sections, and with unterminated lines',
    run: async (scene) => {
      const client = scene.client(await payer(scene, 'offers'));
      const session = await newSession(client);
      const { token } = session;
      const lines = browserOffer.split('\r\n');
      const audio = lines.slice(7, 38);
      const offers = [
        'a='.repeat((usualLimit - 1_000) / 2),
        `${browserOffer}\r\n${'a=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n'.repeat(40_000)}`,
        [...lines, ...numbers(300).flatMap(() => audio)].join('\r\n'),
        `${browserOffer}\r\na=fmtp:111 ${'a=b;'.repeat(200_000)}`,
        `${browserOffer}\r\na=extmap:1 ${' '.repeat(500_000)}x`,
        `${browserOffer}\r\na=rtpmap:${'1 '.repeat(200_000)}`,
        `${browserOffer}\r\na=group:BUNDLE ${'0 '.repeat(200_000)}`,
        `v=0\r\n${'\r\n'.repeat(400_000)}`,
      ];
      const offer = (sdp: string): AttackRequest => ({
        method: 'POST',
        path: pathOf(session, '/offer'),
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify({ type: 'offer', sdp }),
      });
      const key = await scene.key('offers');
      const withKey = offers.map((sdp) => ({ ...offer(sdp), key, headers: {} }));
      await scene.sendAll('offers', withKey, 2);
      const candidates = [
        'candidate:',
        'candidate:1 1 udp 1 1.1.1.1 1 typ host',
        `candidate:1 1 udp 1 ${'1.'.repeat(100)}`,
      ];
      await scene.sendAll(
        'candidates',
        candidates.map((candidate) => ({
          method: 'POST',
          path: pathOf(session, '/ice'),
          key,
          body: JSON.stringify({ candidate: `${candidate}${' a b'.repeat(400_000)}` }),
        })),
      );
    },
  },
  {
    name: 'candidates',
    about: 'ICE candidates that point at the service machine, its network or a metadata service',
    env: { HOST: '0.0.0.0' },
    run: async (scene) => {
      const listener = createSocket('udp4').bind(0, '0.0.0.0');
      await once(listener, 'listening');
      let packets = 0;
      listener.on('message', () => (packets += 1));
      const { port } = listener.address();
      const key = await payer(scene, 'candidates');
      const client = scene.client(key);
      const session = await newSession(client);
      const inside = forbidden.map((address) => `a=${candidateTo(address, port)}`).join('\r\n');
      const sdp = browserOffer.replace('a=ice-ufrag', `${inside}\r\na=ice-ufrag`);
      const path = pathOf(session, '/offer');
      await scene.sendAll('offer', [{ method: 'POST', path, key, body: JSON.stringify({ type: 'offer', sdp }) }]);
      const ice = (address: string): AttackRequest => ({
        method: 'POST',
        path: pathOf(session, '/ice'),
        key,
        body: JSON.stringify({ candidate: candidateTo(address, port), sdp_mid: '0' }),
      });
      const answers = await scene.sendAll('candidates', forbidden.map(ice), 1);
      if (answers.some(({ status }) => status === 200)) scene.fault('a forbidden address was accepted');
      await setTimeout(3_000);
      if (packets > 0) scene.fault(`${packets} packets were sent to this machine`);
      listener.close();
    },
  },
];
