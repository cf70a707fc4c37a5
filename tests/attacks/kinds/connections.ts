import { type Socket, connect } from 'node:net';
import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { ownedMedia } from '../support/media.js';
import { memoryOf } from '../support/process-figures.js';
import { analysisLimit } from '../support/bodies.js';
import { type Attack, type Scene, forEach } from '../support/scene.js';

interface RawConnection {
  readonly socket: Socket;
  readonly received: () => number;
  readonly text: () => string;
}

const maxText = 64 * 1_024;

/** Opens a connection on which any bytes can be written. */
const openConnection = async (port: number): Promise<RawConnection> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let [bytes, text] = [0, ''];
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (text.length < maxText) text += chunk.toString('latin1');
  });
  await eventOf(socket, 'connect', 10_000);
  return { socket, received: () => bytes, text: () => text };
};

/** Waits for an event, the end of the connection, or the timeout. */
const eventOf = (socket: Socket, name: string, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimer(() => done(), milliseconds);
    const done = (): void => {
      clearTimeout(late);
      socket.off(name, done).off('close', done);
      resolve();
    };
    socket.once(name, done).once('close', done);
  });

/** Writes as fast as the other side reads, up to a number of bytes or until the connection ends. */
const writeBytes = async ({ socket }: RawConnection, bytes: number, milliseconds: number): Promise<number> => {
  const chunk = Buffer.alloc(64 * 1_024, 'x');
  const end = performance.now() + milliseconds;
  let written = 0;
  while (written < bytes && performance.now() < end && socket.writable) {
    written += chunk.length;
    if (!socket.write(chunk)) await eventOf(socket, 'drain', end - performance.now());
  }
  return written;
};

const closedWithin = async ({ socket }: RawConnection, milliseconds: number): Promise<boolean> => {
  if (socket.closed || socket.readableEnded) return true;
  await eventOf(socket, 'end', milliseconds);
  return socket.closed || socket.readableEnded;
};

const upgrade = (path: string, protocol: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${more}\r\n`;

const upgrades: ReadonlyArray<string> = [
  upgrade('/healthz', 'h2c'),
  upgrade('/v2/videos', 'websocket'),
  upgrade('/v2/realtime/results', 'nothing'),
  upgrade('/v2/realtime/results', 'websocket'),
  upgrade('/healthz', 'h2c', 'Content-Length: 4000000000\r\n'),
  upgrade('/healthz', 'h2c', 'Transfer-Encoding: chunked\r\n'),
  'POST /v2/videos HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 100\r\n\r\n',
];

const afterUpgrades = async (scene: Scene): Promise<void> => {
  const bytes = scene.size(200, 20) * 1_000_000;
  await forEach(upgrades, upgrades.length, async (head) => {
    const open = await openConnection(scene.port);
    open.socket.write(head);
    await writeBytes(open, bytes, 10_000);
    if (!(await closedWithin(open, 6_000)))
      scene.fault(`connection stays open after ${JSON.stringify(head.slice(0, 90))}`);
  });
  scene.note(`${Math.round(memoryOf(scene.pid))} MB after the bytes`);
};

const pipelined = async (scene: Scene, name: string, request: string, count: number): Promise<void> => {
  const open = await openConnection(scene.port);
  open.socket.pause();
  const piece = Buffer.from(request.repeat(100));
  const end = performance.now() + 5_000;
  let sent = 0;
  while (sent < count && performance.now() < end && open.socket.writable) {
    sent += 100;
    if (!open.socket.write(piece)) await eventOf(open.socket, 'drain', 500);
  }
  scene.note(`${name}: ${sent} sent without reading answers, ${Math.round(memoryOf(scene.pid))} MB`);
  open.socket.destroy();
};

/** Sends the permitted number of pipelined requests, all of which must be answered. */
const permittedPipelining = async (scene: Scene, request: string): Promise<void> => {
  const open = await openConnection(scene.port);
  open.socket.write(request.repeat(100));
  const answers = (): number => open.text().split('HTTP/1.1 200').length - 1;
  for (let turn = 0; turn < 100 && answers() < 100; turn += 1) await setTimeout(100);
  if (answers() !== 100) scene.fault(`${answers()} of 100 requests were answered`);
  open.socket.destroy();
};

export const connections: ReadonlyArray<Attack> = [
  {
    name: 'bytes-after-upgrade',
    about: 'a protocol upgrade without a key followed by 200 MB, with and without Content-Length',
    run: afterUpgrades,
  },
  {
    name: 'upgrades-held-open',
    about: 'a protocol upgrade whose connection stays open during SIGTERM',
    keepsConnections: true,
    run: async (scene) => {
      await forEach(upgrades, 1, async (head) => {
        const open = await openConnection(scene.port);
        open.socket.write(head);
        open.socket.write('xxxx');
      });
      await setTimeout(500);
    },
  },
  {
    name: 'pipelining',
    about: '20,000 pipelined requests whose answers are not read; 100 whose answers are read',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'pipelining');
      const key = `X-API-Key: ${media.owner}`;
      const count = scene.size(20_000, 5_000);
      await pipelined(scene, 'health', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', count);
      await pipelined(scene, 'record', `GET ${media.video} HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`, count);
      await pipelined(scene, 'history', `GET ${media.video}/history HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`, count);
      await permittedPipelining(scene, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      const write = `POST /v2/videos HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Length: 2\r\n\r\n{}`;
      await pipelined(scene, 'writes', write, scene.size(5_000, 1_000));
    },
  },
  {
    name: 'slow-bodies',
    about: '64 connections with a permitted key that announce 64 MiB and send a byte now and then',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'slow');
      const path = `${media.video}/analysis`;
      const head = `PUT ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${media.worker}\r\nContent-Length: ${analysisLimit}\r\n\r\n`;
      const open = await Promise.all(Array.from({ length: 64 }, () => openConnection(scene.port)));
      for (const { socket } of open) socket.write(head);
      const end = performance.now() + scene.size(20_000, 3_000);
      const body = '{"status":"completed","faces":[{"id":1,"tracks":[]}]}';
      let [accepted, sent] = [0, 0];
      while (performance.now() < end) {
        for (const { socket } of open) if (socket.writable) socket.write(' ');
        const { status } = await scene.send({ method: 'PUT', path, key: media.worker, body });
        sent += 1;
        if (status === 200) accepted += 1;
        await setTimeout(200);
      }
      scene.note(`${accepted} of ${sent} small writes of others were taken meanwhile`);
      if (accepted === 0) scene.fault('announced bodies that never arrive prevent other clients from writing');
    },
  },
  {
    name: 'sigterm-under-fire',
    about: 'SIGTERM with incomplete requests, unread answers, pipelined requests and idle connections open',
    keepsConnections: true,
    run: async (scene) => {
      const media = await ownedMedia(scene, 'fire');
      const key = `X-API-Key: ${media.owner}`;
      const beginnings = [
        '',
        'GET /healthz HTTP/1.1\r\nHost: x\r\n',
        `POST /v2/videos HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Length: 1000\r\n\r\n{`,
        `GET ${media.video}/history HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`.repeat(2_000),
        'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
        'nonsense\r\n\r\n',
      ];
      await forEach(Array.from({ length: 60 }).keys(), 10, async (at) => {
        const { socket } = await openConnection(scene.port);
        socket.pause();
        socket.write(beginnings[at % beginnings.length] ?? '');
      });
    },
  },
];
