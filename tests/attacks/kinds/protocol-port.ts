import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import eventStoreDb from '@eventstore/db-client';
import { connect as clientOf } from '../../support/event-store/esdb-client.js';
import { freePort } from '../../support/free-port.js';
import { ownedMedia } from '../support/media.js';
import { type Attack, forEach } from '../support/scene.js';

const { streamNameFilter, eventTypeFilter } = eventStoreDb;

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

const settings = async (): Promise<Record<string, string>> => ({
  EVENTSTORE_PORT: String(await freePort()),
  EVENTSTORE_INSECURE: 'true',
});

const protocolPort = (): number => Number(process.env['EVENTSTORE_PORT']);

const address = (): string => `esdb://127.0.0.1:${protocolPort()}?tls=false`;

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** Frames of HTTP/2: length, type, flags, stream. */
const http2 = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const settingsFrame = http2(4, 0, 0, Buffer.alloc(0));
/** A request that is cancelled at once. */
const rapidReset = (at: number): Buffer =>
  Buffer.concat([
    http2(1, 4, at * 2 + 1, Buffer.from([0x82, 0x86, 0x84])),
    http2(3, 0, at * 2 + 1, Buffer.from([0, 0, 0, 8])),
  ]);

const floods: ReadonlyArray<Buffer> = [
  Buffer.alloc(1_000_000, 'x'),
  Buffer.concat([Buffer.from(preface), settingsFrame, ...numbers(20_000).map(rapidReset)]),
  Buffer.concat([Buffer.from(preface), ...numbers(50_000).map(() => settingsFrame)]),
  Buffer.concat([Buffer.from(preface), settingsFrame, ...numbers(50_000).map(() => http2(6, 0, 0, Buffer.alloc(8)))]),
  Buffer.concat([
    Buffer.from(preface),
    settingsFrame,
    http2(1, 0, 1, Buffer.from([0x82])),
    ...numbers(50_000).map(() => http2(9, 0, 1, Buffer.from([0x0f]))),
  ]),
];

const slowExpressions = ['^(a+)+$', '^([a-z]+)+\\.$', '(.*)*x{1000}y', '^(?:v|i|d|e|o|-|a|(?:a))*!$', '('.repeat(10)];

export const protocolAttacks: ReadonlyArray<Attack> = [
  {
    name: 'slow-expressions',
    about:
      'regular expressions with catastrophic backtracking, in read and subscription filters of the EventStoreDB protocol',
    prepare: settings,
    run: async (scene) => {
      await ownedMedia(scene, 'a'.repeat(60));
      const client = clientOf(address());
      await forEach(slowExpressions, slowExpressions.length, async (regex) => {
        for (const filter of [streamNameFilter({ regex }), eventTypeFilter({ regex })]) {
          const reading = async (): Promise<void> => {
            for await (const _ of client.subscribeToAll({ filter, fromPosition: 'start' })) return;
          };
          await Promise.race([reading().catch(() => undefined), setTimeout(3_000)]);
        }
      });
      await client.dispose();
    },
  },
  {
    name: 'protocol-floods',
    about:
      'on the EventStoreDB port: bytes that are not HTTP/2, requests that are cancelled at once, and endless headers, settings and pings',
    prepare: settings,
    run: async (scene) => {
      await ownedMedia(scene, 'protocol');
      await forEach(floods, 1, async (bytes) => {
        const open = numbers(16).map(() => {
          const socket = connect({ port: protocolPort(), host: '127.0.0.1' }).on('error', () => undefined);
          socket.pause();
          socket.write(bytes);
          return socket;
        });
        await setTimeout(scene.size(3_000, 700));
        for (const socket of open) socket.destroy();
      });
      const client = clientOf(address());
      let events = 0;
      for await (const _ of client.readAll({ maxCount: 5 })) events += 1;
      if (events !== 5) scene.fault(`a reader received ${events} events afterwards, not 5`);
      await client.dispose();
    },
  },
];
