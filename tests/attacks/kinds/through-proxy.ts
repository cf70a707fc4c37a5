import { connect as connectTcp } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type TLSSocket, connect } from 'node:tls';
import { type Attack, type Scene, forEach } from '../support/scene.js';

/* What strangers do with connections, from many addresses: nginx is to keep it away from the service. */

const addresses = 200;

/** Opens TLS connections to nginx, and writes to each what `textOf` gives. Those that are refused count too. */
const openConnections = async (scene: Scene, count: number, textOf: (at: number) => string): Promise<void> => {
  const open: TLSSocket[] = [];
  await forEach(Array.from({ length: count }).keys(), 200, async (at) => {
    const tcp = connectTcp({
      port: scene.proxyPort ?? 0,
      host: '127.0.0.1',
      localAddress: `127.0.0.${2 + (at % addresses)}`,
    });
    tcp.on('error', () => undefined);
    const socket = connect({ socket: tcp, rejectUnauthorized: false });
    // An answer is read only as far as it arrives while the connection is made.
    socket.on('error', () => undefined).pause();
    await new Promise<void>((resolve) => {
      socket.once('secureConnect', resolve).once('close', () => resolve());
    });
    socket.write(textOf(at));
    open.push(socket);
  });
  scene.note(`${open.filter(({ destroyed }) => !destroyed).length} of ${count} connections are open`);
};

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const beginnings = [
  'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ',
  'POST /v2/videos HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{"title":',
  'POST /v2/videos HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"tit',
];

const othersWrite = async (scene: Scene): Promise<void> => {
  const key = await scene.key('owner');
  await scene.flood('others', 100, 200, () => ({ method: 'POST', path: '/v2/videos', key }));
};

const throughProxy = (name: string, about: string, large: number, textOf: (at: number) => string): Attack => ({
  name,
  about,
  throughProxy: true,
  run: async (scene) => {
    await openConnections(scene, scene.size(large, large / 20), textOf);
    await othersWrite(scene);
    await setTimeout(scene.size(5_000, 400));
  },
});

export const throughNginx: ReadonlyArray<Attack> = [
  throughProxy('many-connections', '4,000 connections at once: silent, or idle after an answer', 4_000, (at) =>
    at % 2 === 0 ? '' : get('/healthz'),
  ),
  throughProxy(
    'half-requests',
    '4,000 half requests: of the headers, or of a body of known and unknown length',
    4_000,
    (at) => beginnings[at % beginnings.length] ?? '',
  ),
  throughProxy(
    'proxied-slow-readers',
    '1,000 connections that do not read the answer to a request for 1 MB',
    1_000,
    () => get('/openapi.json'),
  ),
];
