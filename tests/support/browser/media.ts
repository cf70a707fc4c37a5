import type { Page } from 'playwright-core';
import { startLocalServer } from '../local-server.js';
import { wavOf } from './wav.js';

const rate = 8_000;

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

/** A media server on another origin with a recording, or with silence of so many seconds. It answers range requests. */
export const startMedia = async (recording: number | Buffer) => {
  const [file, type] =
    typeof recording === 'number'
      ? [wavOf(new Float32Array(recording * rate), rate), 'audio/wav']
      : [recording, 'video/webm'];
  const { url, close } = await startLocalServer(({ headers }, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = to === undefined || to === '' ? file.length - 1 : Number(to);
    response.writeHead(from === undefined ? 200 : 206, {
      'Content-Type': type,
      'Accept-Ranges': 'bytes',
      'Content-Length': end - start + 1,
      ...(from === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${file.length}` }),
    });
    response.end(file.subarray(start, end + 1));
  });
  return { url: `${url}/talk.wav`, end: () => void close() };
};
