import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Page } from 'playwright-core';

const rate = 8_000;

/** A WAV file with this many seconds of silence (one channel, 8 bits a sample). */
const silence = (seconds: number): Buffer => {
  const header = Buffer.alloc(44);
  const samples = Buffer.alloc(seconds * rate, 128);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
};

/** A recording of two seconds with a picture, made by the browser. */
export const filmOf = async (page: Page): Promise<Buffer> => {
  const bytes: unknown = await page.evaluate(`new Promise((resolve) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = async () => resolve([...new Uint8Array(await new Blob(parts).arrayBuffer())]);
    let drawn = 0;
    const timer = setInterval(() => {
      context.fillStyle = 'hsl(' + drawn * 20 + ' 50% 50%)';
      context.fillRect(0, 0, 320, 180);
      drawn += 1;
      if (drawn > 20) recorder.stop(clearInterval(timer));
    }, 100);
    recorder.start();
  })`);
  if (!Array.isArray(bytes)) throw new Error('nothing was recorded');
  return Buffer.from(bytes.map(Number));
};

/** A media server on another origin, as owners of recordings have one. It answers range requests. */
export const startMedia = async (
  recording: number | Buffer,
): Promise<{ readonly url: string; readonly end: () => void }> => {
  const [file, type] = typeof recording === 'number' ? [silence(recording), 'audio/wav'] : [recording, 'video/webm'];
  const server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = to === undefined || to === '' ? file.length - 1 : Number(to);
    response.writeHead(from === undefined ? 200 : 206, {
      'Content-Type': type,
      'Accept-Ranges': 'bytes',
      'Content-Length': end - start + 1,
      ...(from === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${file.length}` }),
    });
    response.end(file.subarray(start, end + 1));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/talk.wav`, end: () => void server.close() };
};
