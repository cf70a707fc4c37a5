import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, createMedia } from '../support/e2e/media.js';

const megabyte = 1024 * 1024;

/** An analysis with this number of tracks, with white space before each. */
const tracks = (count: number, space = 0): string => {
  const items = Array.from({ length: count }, (_, n) => `${' '.repeat(space)}{"start":${n}.25,"end":${n}.75}`);
  return `{"status":"completed","faces":[{"id":1,"tracks":[${items.join(',')}]}]}`;
};

describe('large bodies', () => {
  const api = useTestApi();

  it('are not read if they are not permitted: the answer is sent first, and the connection is closed', async () => {
    const { video }: Media = await createMedia(api());
    const { hostname, port } = new URL(api().world.url());
    for (const [path, key, status] of [
      [`${video}/analysis`, 'none', 401],
      ['/v2/videos/nowhere/analysis', api().world.adminKey, 404],
    ] as const) {
      const socket = connect(Number(port), hostname);
      let came = '';
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.on('data', (bytes) => (came += bytes.toString()));
      socket.on('error', () => undefined);
      socket.write(
        `PUT ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: ${90 * megabyte}\r\nExpect: 100-continue\r\n\r\n`,
      );
      await Promise.race([closed, setTimeout(8_000)]);
      expect(came).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(socket.destroyed || socket.readableEnded).to.equal(true);
    }
  });

  it('of many clients at once: each is accepted', async () => {
    const { video } = await createMedia(api());
    const body = Buffer.from(tracks(50_000, 1_000));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api().worker.raw('PUT', `${video}/analysis`, body)),
    );
    answers.forEach(({ status, text }) => expect(status, text).to.equal(200));
  });
});
