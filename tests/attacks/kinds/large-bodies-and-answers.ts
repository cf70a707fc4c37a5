import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import * as t from 'io-ts';
import { bodiedEndpoints } from '../../support/e2e/endpoints.js';
import { adminKey } from '../../support/service-process.js';
import {
  type OwnedMedia,
  ownedMedia,
  type Attack,
  type Scene,
  numbers,
  times,
  type AttackRequest,
} from '../support/scene.js';

const megabyte = 1_024 * 1_024;
const usualLimit = 2 * megabyte;
const analysisLimit = 64 * megabyte;
const gzipped = (text: string | Uint8Array): Buffer => gzipSync(text, { level: 9 });
const gzipHeader = { 'Content-Encoding': 'gzip' } as const;

/** JSON of a list of so many bytes, all of it the same item. */
const listOf = (item: string, bytes: number): string =>
  `[${`${item},`.repeat(Math.max(0, Math.floor(bytes / (item.length + 1)) - 1))}${item}]`;

/** Placeholder for a list. */
const gap = '\u0001list\u0001';

/** The body with each of its lists replaced, one at a time, by the placeholder. */
const withListGap = (body: unknown): ReadonlyArray<unknown> => {
  if (t.UnknownArray.is(body))
    return [gap, ...body.slice(0, 1).flatMap((item) => withListGap(item).map((inner) => [inner]))];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => withListGap(value).map((inner) => ({ ...body, [key]: inner })));
};

/** Every list of every body, filled up to the limit of bodies with the same item. */
const overfull = ({ videoId, audioId }: OwnedMedia, item: string) =>
  bodiedEndpoints({
    video_id: videoId,
    audio_id: audioId,
    account_id: 'owner',
    face_id: '1',
    key: 'label.any',
  }).flatMap(({ method, path, body }) =>
    withListGap(body).map((filled) => ({
      method,
      path,
      key: adminKey,
      body: JSON.stringify(filled).replace(JSON.stringify(gap), () => listOf(item, usualLimit - 100_000)),
    })),
  );

const analysis = (media: OwnedMedia, body: AttackRequest['body'], headers: Record<string, string> = {}) => ({
  method: 'PUT',
  path: `${media.video}/analysis`,
  key: media.worker,
  headers,
  body: body ?? '',
});

/** A valid analysis with as many tracks as there may be, or as have room, and spaces up to the maximum size. */
const largestAnalysis = (bytes: number): Buffer => {
  const track = '{"start":0.25,"end":1.75}';
  const head = '{"status":"completed","faces":[{"id":1,"tracks":[';
  const count = Math.min(200_000, Math.floor((bytes - 1_000) / (track.length + 1)));
  const spaces = ' '.repeat(Math.floor((bytes - 1_000) / count) - track.length - 1);
  return Buffer.from(`${head}${`${spaces}${track},`.repeat(count - 1)}${track}]}]}`);
};

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
    name: 'overfull-lists',
    about: 'lists of hundreds of thousands of invalid items in every request body with a list',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'lists');
      await scene.sendAll('plain', overfull(media, '{}'), 2);
      const zipped = overfull(media, 'null').map(({ body, ...rest }) => ({
        ...rest,
        headers: gzipHeader,
        body: gzipped(body),
      }));
      await scene.sendAll('gzip', zipped, 8);
    },
  },
  {
    name: 'strangers-bodies',
    about: '64 simultaneous bodies of 64 MiB as 64 kB of gzip, with a key without the permission, to an unknown video',
    run: async (scene) => {
      const key = await scene.key('stranger');
      const body = gzipped(Buffer.alloc(analysisLimit - 1, ' '));
      const unknown = { method: 'PUT', path: '/v2/videos/none/analysis', key, headers: gzipHeader, body };
      const answers = await scene.sendAll('gzip', times(64, unknown));
      const bad = await scene.sendAll('bad key', times(64, { ...unknown, key: 'none' }));
      if (answers.some(({ status }) => status === 200) || bad.some(({ status }) => status !== 401))
        scene.fault('accepted without the permission');
    },
  },
  {
    name: 'largest-bodies',
    about:
      '32 simultaneous analyses of 64 MiB with a permitted key: plain, gzip, valid, white space, gigabytes of zeros',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'largest');
      const bytes = scene.size(analysisLimit, 4_000_000);
      const count = scene.size(32, 3);
      const valid = largestAnalysis(bytes);
      const empty = Buffer.alloc(bytes - 1, ' ');
      const all = (body: Buffer, headers = {}) => times(count, analysis(media, body, headers));
      await scene.sendAll('gzip of white space', all(gzipped(empty), gzipHeader));
      await scene.sendAll('white space', all(empty));
      await scene.sendAll('gzip, valid', all(gzipped(valid), gzipHeader));
      await scene.sendAll('valid', all(valid));
      const zeros = gzipped(Buffer.alloc(scene.size(1_000, 20) * 1_000_000));
      await scene.sendAll('zeros', all(zeros, gzipHeader));
      await scene.sendAll('gzip of zeros in gzip', all(gzipped(zeros), { 'Content-Encoding': 'gzip, gzip' }));
      await othersMayWrite(scene, media);
    },
  },
  {
    name: 'largest-documents',
    about:
      '32 simultaneous provider documents of 64 MiB: turns, subtitles, objects, lines, cues and text without an end',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'largest-documents');
      const bytes = scene.size(analysisLimit, 1_000_000);
      const filled = (head: string, item: string): Buffer =>
        Buffer.concat([Buffer.from(head), Buffer.alloc(bytes - head.length, item)]);
      const kinds = {
        turns: filled('', 'SPEAKER a 1 0 1 <NA> <NA> s <NA> <NA>\n'),
        subtitles: filled('WEBVTT\n\n', '00:00:00.000 --> 00:00:01.000\n<v A>b\n\n'),
        objects: filled('[', '{},'),
        depth: filled('[', '['),
        lines: filled('', '\n'),
        times: filled('WEBVTT\n\n', '00:00:00.000 --> '),
        spaces: filled('a,', ' '),
      };
      for (const [name, body] of Object.entries(kinds)) {
        const document = { method: 'PUT', path: `${media.audio}/analysis?format=auto`, key: media.worker };
        const zipped = { ...document, headers: gzipHeader, body: gzipped(body) };
        await scene.sendAll(name, [...times(scene.size(32, 1), { ...document, body }), ...times(2, zipped)]);
      }
      await othersMayWrite(scene, media);
    },
  },
  {
    name: 'largest-lists',
    about: 'repeated requests with the maximum number of faces, speakers, names, mappings and decisions',
    run: async (scene) => {
      const ids = numbers(1_000);
      const media = await ownedMedia(scene, 'lists', {
        faces: ids.map((id) => ({ id, tracks: [{ start: id, end: id + 1 }] })),
        speakers: ids.map((speaker_id) => ({ speaker_id })),
        segments: ids.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 1 })),
      });
      const name = 'n'.repeat(150);
      const [faces, speakers] = [`/v1/videos/${media.videoId}/faces`, `/v1/audios/${media.audioId}/speakers`];
      const put = (path: string, body: object): AttackRequest => ({ method: 'PUT', path, key: media.owner, body });
      for (const round of numbers(scene.size(5, 1))) {
        const turned = (id: number): number => (id + round) % ids.length;
        const decided = ids.map((id) => ({ speaker_id: id, face_id: turned(id), verdict: 'rejected' }));
        const renamed = (id: number) => ({ name: `${name}${round}${id}` });
        await scene.sendAll('lists', [
          put(media.match, { mappings: ids.map((id) => ({ face_id: id, speaker_id: turned(id) })) }),
          put(media.match, { mappings: ids.map((id) => ({ face_id: id, speaker_id: id, name: `${name}${id}` })) }),
          put(
            `${faces}/names`,
            ids.map((id) => ({ face_id: id, ...renamed(id) })),
          ),
          put(
            `${speakers}/names`,
            ids.map((id) => ({ speaker_id: id, ...renamed(id) })),
          ),
          put(
            `${speakers}/roles`,
            ids.map((id) => ({ speaker_id: id, role: 'agent' })),
          ),
          { ...put(`${media.match}/decisions`, { decisions: decided }), method: 'POST' },
        ]);
      }
      const paths = [media.video, `${media.video}?at=2`, `${media.match}/decisions`, '/v2/review?limit=1000'];
      const reads = paths.flatMap((path) => times(8, { path, key: media.owner }));
      await scene.sendAll('reads', reads);
    },
  },
];

/** Tags of nearly 1 MB in total; a request cannot have more. */
const largeTags = (text: string): string => {
  const value = text.repeat(1_900);
  return JSON.stringify({ tags: numbers(480).map((at) => ({ key: `label.k${at}`, value })) });
};

const tag = ({ video, owner }: Pick<OwnedMedia, 'video' | 'owner'>, body: string): AttackRequest => ({
  method: 'POST',
  path: `${video}/tags`,
  key: owner,
  body,
});

/** A history of `count` events of nearly 1 MB. */
const largeHistory = async (scene: Scene, name: string, events: number): Promise<OwnedMedia> => {
  const media = await ownedMedia(scene, name);
  /* Replaced values count too, so small and large values alternate. */
  const bodies = [largeTags('x'), largeTags('').replaceAll('""', '"y"')];
  const tags = numbers(events).map((at) => tag(media, bodies[at % 2] ?? ''));
  await scene.sendAll('tags', tags, 4);
  return media;
};

/** Connections that request a large answer and read none of it. */
const unread = (scene: Scene, path: string, key: string, count: number, headers = ''): ReadonlyArray<Socket> =>
  numbers(count).map(() => {
    const socket = connect({ port: scene.port, host: '127.0.0.1' });
    socket.on('error', () => undefined).pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${headers}\r\n`);
    return socket;
  });

export const largeAnswers: ReadonlyArray<Attack> = [
  {
    name: 'large-events',
    about: 'a history of 1 MB events, read by eight clients at once, in whole, by pages, and as of past positions',
    run: async (scene) => {
      const events = scene.size(240, 12);
      const { video, owner } = await largeHistory(scene, 'events', events);
      const pages = (path: string, key: string) => times(8, { path, key });
      await scene.sendAll('history', pages(`${video}/history?limit=1000`, owner));
      await scene.sendAll('as of then', pages(`${video}?at=${Math.floor(events / 3)}`, owner));
      await scene.sendAll('audit', pages('/v1/audit/events?limit=1000', adminKey));
    },
  },
  {
    name: 'large-rows',
    about: 'videos with 1 MB of tags each, then one small tag change for each, all at once; lists of these videos',
    run: async (scene) => {
      const owner = await scene.key('owner');
      const videos = numbers(scene.size(700, 16)).map((at) => ({ owner, video: `/v2/videos/row-${at}` }));
      await scene.flood('videos', videos.length, 200, (at) => ({
        method: 'POST',
        path: '/v2/videos',
        key: owner,
        body: { video_id: `row-${at}` },
      }));
      const tagged = (body: string) => videos.map((video) => tag(video, body));
      await scene.sendAll('large tags', tagged(largeTags('x')), 4);
      await scene.sendAll('small tags', tagged(JSON.stringify({ tags: [{ key: 'label.k0', value: 'x' }] })), 64);
      const lists = times(8, { path: '/v2/videos?limit=1000', key: owner });
      await scene.sendAll('lists', [{ path: `${videos.at(-1)?.video}/tags`, key: owner }, ...lists]);
    },
  },
  {
    name: 'slow-readers',
    about: '100 connections that request large answers and do not read them',
    run: async (scene) => {
      const media = await largeHistory(scene, 'unread', scene.size(40, 4));
      unread(scene, `${media.video}/history`, media.owner, 40);
      unread(scene, '/v2/videos?limit=1000', media.owner, 20);
      unread(scene, '/v1/audit/events?limit=1000', adminKey, 20);
      unread(scene, '/v1/audit/events', adminKey, 20, 'Accept: application/x-ndjson\r\n');
      await delay(scene.size(10_000, 600));
      const others = times(50, { method: 'POST', path: '/v2/videos', key: media.owner });
      await scene.sendAll('others', others);
    },
  },
];
