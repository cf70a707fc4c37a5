import { type Socket, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
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
      await setTimeout(scene.size(10_000, 600));
      const others = times(50, { method: 'POST', path: '/v2/videos', key: media.owner });
      await scene.sendAll('others', others);
    },
  },
];
