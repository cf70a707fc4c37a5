import { brotliCompressSync, constants, deflateSync } from 'node:zlib';
import { analysisLimit, deepList, deepObject, gzipHeader, gzipped, tracksBody, usualLimit } from '../support/bodies.js';
import { type OwnedMedia, ownedMedia } from '../support/media.js';
import type { Attack, Scene } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';

const analysis = (
  media: OwnedMedia,
  body: AttackRequest['body'],
  headers: Record<string, string> = {},
): AttackRequest => ({
  method: 'PUT',
  path: `${media.video}/analysis`,
  key: media.worker,
  headers,
  body: body ?? '',
});

const times = <Item>(count: number, item: Item): ReadonlyArray<Item> => Array.from({ length: count }, () => item);

/** A valid analysis with as many tracks as there may be, or as have room, and spaces up to the maximum size. */
const largestAnalysis = (bytes: number): Buffer => {
  const track = '{"start":0.25,"end":1.75}';
  const head = '{"status":"completed","faces":[{"id":1,"tracks":[';
  const count = Math.min(200_000, Math.floor((bytes - 1_000) / (track.length + 1)));
  const spaces = ' '.repeat(Math.floor((bytes - 1_000) / count) - track.length - 1);
  return Buffer.from(`${head}${`${spaces}${track},`.repeat(count - 1)}${track}]}]}`);
};

/** The same number of bytes of white space. */
const whiteSpace = (bytes: number): Buffer => Buffer.alloc(bytes - 1, 0x20);

/** A small write of another account must be accepted, at the latest after some time. */
const othersMayWrite = async (scene: Scene, media: OwnedMedia): Promise<void> => {
  const body = '{"status":"completed","faces":[{"id":1,"tracks":[]}]}';
  const end = performance.now() + 30_000;
  for (;;) {
    const { status, text } = await scene.send(analysis(media, body));
    if (status === 200) return;
    if (status !== 503 || performance.now() > end)
      return scene.fault(`a small write of others was answered ${status} ${text.slice(0, 200)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

export const largeBodies: ReadonlyArray<Attack> = [
  {
    name: 'many-tracks',
    about: 'a valid analysis of 200,000 tracks, read back, and a suggest run on it',
    env: { MATCH_WORKER: 'embedded' },
    run: async (scene) => {
      const media = await ownedMedia(scene, 'tracks');
      await scene.sendAll('tracks', [analysis(media, tracksBody(200_000))]);
      const key = media.owner;
      await scene.sendAll('run', [{ method: 'POST', path: media.suggestions, key }]);
      await scene.sendAll('reads', times(8, { path: media.video, key }));
      await scene.sendAll('history', times(4, { path: `${media.video}/history`, key }));
      await untilRunEnds(scene, media);
    },
  },
  {
    name: 'strangers-bodies',
    about: '64 simultaneous bodies of 64 MiB as 64 kB of gzip, with a key without the permission, to an unknown video',
    run: async (scene) => {
      const key = await scene.key('stranger');
      const body = gzipped(whiteSpace(analysisLimit));
      const unknown: AttackRequest = {
        method: 'PUT',
        path: '/v2/videos/none/analysis',
        key,
        headers: gzipHeader,
        body,
      };
      const answers = await scene.sendAll('gzip', times(64, unknown));
      const bad = await scene.sendAll('bad key', times(64, { ...unknown, key: 'none' }));
      if (answers.some(({ status }) => status === 200) || bad.some(({ status }) => status !== 401))
        scene.fault('accepted without the permission');
    },
  },
  {
    name: 'largest-bodies',
    about: '32 simultaneous analyses of 64 MiB with a permitted key: plain, gzip, valid, and white space',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'largest');
      const bytes = scene.size(analysisLimit, 20_000_000);
      const count = scene.size(32, 16);
      const valid = largestAnalysis(bytes);
      const empty = whiteSpace(bytes);
      const all = (body: Buffer, headers = {}) => times(count, analysis(media, body, headers));
      await scene.sendAll('gzip of white space', all(gzipped(empty), gzipHeader));
      await scene.sendAll('white space', all(empty));
      await scene.sendAll('gzip, valid', all(gzipped(valid), gzipHeader));
      await scene.sendAll('valid', all(valid));
      await othersMayWrite(scene, media);
    },
  },
  {
    name: 'largest-documents',
    about: '32 simultaneous provider documents of 64 MiB: turns, subtitles, objects, plain and gzip',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'largest-documents');
      const bytes = scene.size(analysisLimit, 5_000_000);
      const count = scene.size(32, 6);
      const document = (body: Buffer, headers = {}): AttackRequest => ({
        method: 'PUT',
        path: `${media.audio}/analysis?format=auto`,
        key: media.worker,
        headers,
        body,
      });
      const kinds = {
        turns: Buffer.alloc(bytes, 'SPEAKER a 1 0 1 <NA> <NA> s <NA> <NA>\n'),
        subtitles: Buffer.concat([
          Buffer.from('WEBVTT\n\n'),
          Buffer.alloc(bytes - 8, '00:00:00.000 --> 00:00:01.000\n<v A>b\n\n'),
        ]),
        objects: Buffer.concat([Buffer.from('['), Buffer.alloc(bytes - 1, '{},')]),
        lines: Buffer.alloc(bytes, '\n'),
      };
      for (const [name, body] of Object.entries(kinds)) {
        await scene.sendAll(name, times(count, document(body)));
        await scene.sendAll(`${name}, gzip`, times(count, document(gzipped(body), gzipHeader)));
      }
      await othersMayWrite(scene, media);
    },
  },
  {
    name: 'deep-json',
    about: 'lists and objects nested a million levels deep, as bodies and inside bodies',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'deep');
      const levels = 1_000_000;
      const deep = [deepList(levels), deepObject(levels), '['.repeat(usualLimit - 10), deepList(4_000)];
      const post = (path: string, body: string, key = media.owner): AttackRequest => ({
        method: 'POST',
        path,
        key,
        body,
      });
      const requests = deep.flatMap((json) => [
        post('/v2/videos', json),
        post(`${media.video}/tags`, `{"tags":[{"key":"label.a","value":${json}}]}`),
        post('/v2/realtime/session', `{"metadata":{"a":${json}}}`),
        post(media.match, `{"target_speaker_ids":${json}}`),
        analysis(media, `{"status":"completed","faces":[{"id":1,"tracks":[],"personality_traits":{"a":${json}}}]}`),
        analysis(media, `{"status":"completed","faces":${json}}`),
      ]);
      await scene.sendAll('deep', requests, 4);
    },
  },
  {
    name: 'odd-json',
    about: 'numbers and texts of 2 MB, 150,000 different keys, escapes, wrong encodings',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'odd');
      const most = usualLimit - 1_000;
      const keys = Array.from({ length: 150_000 }, (_, at) => `"k${at}":1`).join(',');
      const values = [
        '9'.repeat(most),
        `0.${'1'.repeat(most)}`,
        `1e${'9'.repeat(1_000_000)}`,
        `"${'x'.repeat(most)}"`,
        `"${String.raw`\u0000`.repeat(Math.floor(most / 6))}"`,
        `"${'\u{1f469}'.repeat(Math.floor(most / 4))}"`,
        `{${keys}}`,
        `{"a":{${'"a":1,'.repeat(Math.floor(most / 7))}"a":1}}`,
      ];
      const tag = (value: string): AttackRequest => ({
        method: 'POST',
        path: `${media.video}/tags`,
        key: media.owner,
        body: `{"tags":[{"key":"label.a","value":${value}}]}`,
      });
      const title = (value: string): AttackRequest => ({
        method: 'POST',
        path: '/v2/videos',
        key: media.owner,
        body: `{"title":${value}}`,
      });
      const traits = (value: string): AttackRequest => ({
        method: 'PUT',
        path: `${media.video}/faces/1/personality-traits`,
        key: media.worker,
        body: `{"personality_traits":{"a":${value}}}`,
      });
      await scene.sendAll(
        'odd',
        values.flatMap((value) => [tag(value), title(value), traits(value)]),
        4,
      );
      const utf16 = Buffer.from('{"title":"x"}', 'utf16le');
      await scene.sendAll(
        'encodings',
        [utf16, Buffer.alloc(most, 0xff), Buffer.alloc(most, 0x80)].map((body) => ({ ...title(''), body })),
      );
    },
  },
  {
    name: 'bombs',
    about: 'decompression bombs: gigabytes of zeros in gzip, deflate and brotli, and gzip inside gzip',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'bombs');
      const zeros = Buffer.alloc(scene.size(1_000, 200) * 1_000_000);
      const once = gzipped(zeros);
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
      const bombs: ReadonlyArray<readonly [string, Buffer]> = [
        ['gzip', once],
        ['gzip', gzipped(once)],
        ['gzip, gzip', gzipped(once)],
        ['deflate', deflateSync(zeros, { level: 9 })],
        ['br', brotliCompressSync(zeros, quality)],
      ];
      for (const [encoding, body] of bombs)
        await scene.sendAll(
          encoding,
          times(scene.size(16, 10), analysis(media, body, { 'Content-Encoding': encoding })),
        );
      await othersMayWrite(scene, media);
    },
  },
];

const untilRunEnds = async (scene: Scene, { statuses, owner }: OwnedMedia): Promise<void> => {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const { text } = await scene.send({ path: statuses, key: owner });
    if (text.includes('"in_flight":false')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  scene.fault('a run did not end within 60 s');
};
