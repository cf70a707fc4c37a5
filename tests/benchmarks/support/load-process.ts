import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import * as E from 'fp-ts/lib/Either.js';
import { percentile } from './figures.js';
import { Load, type LoadFigures } from './load.js';
import { faces } from './media.js';

const decoded = Load.decode(JSON.parse(process.argv[2] ?? ''));
if (E.isLeft(decoded)) throw new Error('no load was described');
const { port, key, clients, prefix, one_video, milliseconds } = decoded.right;

const random = (below: number): number => Math.floor(Math.random() * below);

/** Mappings of two of the video's faces to two speakers. */
const mappings = (): string => {
  const [face, speaker] = [random(faces), random(faces)];
  const other = (id: number): number => (id + 1 + random(faces - 1)) % faces;
  return JSON.stringify({
    mappings: [
      { face_id: face, speaker_id: speaker },
      { face_id: other(face), speaker_id: other(speaker) },
    ],
  });
};

const requestFor = (video_id: string): string => {
  const body = mappings();
  return (
    `PUT /v2/videos/${video_id}/speaker-face-match HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
};

/** The header of a completely received answer; null while some of the answer is missing. */
const wholeAnswer = (text: string): string | null => {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = text.slice(0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return text.length >= end + 4 + length ? head : null;
};

const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: string): void => {
      text += chunk;
      const head = wholeAnswer(text);
      if (head === null) return;
      socket.off('data', onData);
      socket.off('error', reject);
      resolve(head);
    };
    socket.on('data', onData);
    socket.on('error', reject);
  });

const latencies: number[] = [];
const count = { changed: 0, unchanged: 0, failed: 0 };

const work = async (client: number, end: number): Promise<void> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  const video_id = `${prefix}${one_video ? 0 : client}`;
  while (performance.now() < end) {
    const start = performance.now();
    socket.write(requestFor(video_id), 'latin1');
    const head = await answerOf(socket);
    latencies.push(performance.now() - start);
    if (!head.startsWith('HTTP/1.1 200')) count.failed += 1;
    else if (/\nx-event-position:/i.test(head)) count.changed += 1;
    else count.unchanged += 1;
  }
  socket.destroy();
};

const start = performance.now();
await Promise.all(Array.from({ length: clients }, (_, client) => work(client, start + milliseconds)));
const seconds = (performance.now() - start) / 1_000;
const figures: LoadFigures = {
  per_second: count.changed / seconds,
  changed: count.changed,
  p50: percentile(latencies, 50),
  p99: percentile(latencies, 99),
  unchanged: count.unchanged,
  failed: count.failed,
};
process.stdout.write(JSON.stringify(figures));
