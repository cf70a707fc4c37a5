import { type Socket, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { adminKey } from '../../support/service-process.js';
import { type OwnedMedia, ownedMedia } from '../support/media.js';
import { memoryOf } from '../support/process-figures.js';
import { type Attack, type Scene, forEach } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

/** Tags of nearly 1 MB in total; a request cannot have more. */
const largeTags = (text: string): string => {
  const value = text.repeat(1_900);
  return JSON.stringify({ tags: numbers(480).map((at) => ({ key: `label.k${at}`, value })) });
};

const tag = (
  { video, owner }: Pick<OwnedMedia, 'video' | 'owner'>,
  body: string,
  headers: AttackRequest['headers'] = {},
): AttackRequest => ({
  method: 'POST',
  path: `${video}/tags`,
  key: owner,
  headers,
  body,
});

const smallTag = JSON.stringify({ tags: [{ key: 'label.k0', value: 'x' }] });

/** A history of `count` events of nearly 1 MB. */
const largeHistory = async (
  scene: Scene,
  name: string,
  events: number,
  headers: AttackRequest['headers'] = {},
): Promise<OwnedMedia> => {
  const media = await ownedMedia(scene, name);
  /* Replaced values count too, so small and large values alternate. */
  await forEach(numbers(events), 4, async (at) => {
    const { status, text } = await scene.send(
      tag(media, at % 2 === 0 ? largeTags('x') : largeTags('').replaceAll('""', '"y"'), headers),
    );
    if (status !== 200) scene.fault(`writing a tag was answered ${status} ${text.slice(0, 100)}`);
  });
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
      const media = await largeHistory(scene, 'events', scene.size(240, 60));
      const key = media.owner;
      const pages = (path: string): ReadonlyArray<AttackRequest> => numbers(8).map(() => ({ path, key }));
      await scene.sendAll('history', pages(`${media.video}/history?limit=1000`));
      await scene.sendAll('as of then', pages(`${media.video}?at=${scene.size(200, 50)}`));
      const audit = numbers(8).map(() => ({ path: '/v1/audit/events?limit=1000', key: adminKey }));
      await scene.sendAll('audit', audit);
    },
  },
  {
    name: 'large-rows',
    about: 'videos with 1 MB of tags each, then one small tag change for each, all at once; lists of these videos',
    run: async (scene) => {
      const owner = await scene.key('owner');
      const count = scene.size(700, 80);
      const videos = numbers(count).map((at) => ({ owner, video: `/v2/videos/row-${at}` }));
      await forEach(numbers(count), 8, async (at) => {
        await scene.send({ method: 'POST', path: '/v2/videos', key: owner, body: `{"video_id":"row-${at}"}` });
      });
      const large = largeTags('x');
      await scene.sendAll(
        'large tags',
        videos.map((video) => tag(video, large)),
        4,
      );
      await scene.sendAll(
        'small tags',
        videos.map((video) => tag(video, smallTag)),
        64,
      );
      const last = await scene.send({ path: `/v2/videos/row-${count - 1}/tags`, key: owner });
      if (last.status !== 200) scene.fault(`the last video was answered ${last.status} ${last.text.slice(0, 100)}`);
      await scene.sendAll(
        'lists',
        numbers(8).map(() => ({ path: '/v2/videos?limit=1000', key: owner })),
      );
    },
  },
  {
    name: 'one-request-id',
    about: 'a history of 1 MB events that all have the same request id; undoing the last one, eight times at once',
    run: async (scene) => {
      const headers = { 'X-Request-Id': 'always-the-same' };
      const media = await largeHistory(scene, 'same', scene.size(240, 60), headers);
      const last = await scene.send(tag(media, smallTag, headers));
      const undo = {
        method: 'POST',
        path: `${media.video}/history/${String(last.headers['x-event-position'])}/revert`,
        key: media.owner,
        body: '{"dry_run": true}',
      };
      const answers = await scene.sendAll(
        'undo',
        numbers(8).map(() => undo),
      );
      for (const { status, text } of answers)
        if (status !== 200) scene.fault(`an undo was answered ${status} ${text.slice(0, 100)}`);
    },
  },
  {
    name: 'slow-readers',
    about: '100 connections that request large answers and do not read them',
    run: async (scene) => {
      const media = await largeHistory(scene, 'unread', scene.size(40, 20));
      const open = [
        ...unread(scene, `${media.video}/history`, media.owner, 40),
        ...unread(scene, '/v2/videos?limit=1000', media.owner, 20),
        ...unread(scene, '/v1/audit/events?limit=1000', adminKey, 20),
        ...unread(scene, '/v1/audit/events', adminKey, 20, 'Accept: application/x-ndjson\r\n'),
      ];
      await setTimeout(scene.size(10_000, 3_000));
      scene.note(`${Math.round(memoryOf(scene.pid))} MB with 100 unread answers`);
      await scene.sendAll(
        'others',
        numbers(50).map(() => ({ method: 'POST', path: '/v2/videos', key: media.owner })),
      );
      for (const socket of open) socket.destroy();
    },
  },
  {
    name: 'large-traits',
    about: 'faces with 16 kB of personality data each in one analysis, named, matched and read',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'traits');
      const trait = 'x'.repeat(16_000);
      const faces = numbers(scene.size(240, 60)).map((id) => ({ id, tracks: [], personality_traits: { a: trait } }));
      const body = JSON.stringify({ status: 'completed', faces });
      const key = media.worker;
      await scene.sendAll('analysis', [{ method: 'PUT', path: `${media.video}/analysis`, key, body }]);
      const names = JSON.stringify(faces.slice(0, 10).map(({ id }) => ({ face_id: id, name: `Ada ${id}` })));
      const renaming = {
        method: 'PUT',
        path: `/v1/videos/${media.videoId}/faces/names`,
        key: media.owner,
        body: names,
      };
      await scene.sendAll('names', [renaming, renaming]);
      await scene.sendAll(
        'reads',
        numbers(16).map(() => ({ path: media.video, key: media.owner })),
      );
      await scene.sendAll(
        'history',
        numbers(4).map(() => ({ path: `${media.video}/history`, key: media.owner })),
      );
    },
  },
  {
    name: 'largest-lists',
    about: 'repeated requests with the maximum number of faces, speakers, names, mappings, targets and tags',
    run: async (scene) => {
      const count = 1_000;
      const ids = numbers(count);
      const media = await ownedMedia(scene, 'lists', {
        faces: ids.map((id) => ({ id, tracks: [{ start: id, end: id + 1 }] })),
        speakers: ids.map((speaker_id) => ({ speaker_id })),
        segments: ids.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 1 })),
      });
      const name = 'n'.repeat(150);
      const put = (path: string, body: unknown): AttackRequest => ({
        method: 'PUT',
        path,
        key: media.owner,
        body: JSON.stringify(body),
      });
      for (const round of numbers(scene.size(5, 2))) {
        const turned = (id: number): number => (id + round) % count;
        await scene.sendAll('lists', [
          put(media.match, { mappings: ids.map((id) => ({ face_id: id, speaker_id: turned(id) })) }),
          put(media.match, { mappings: ids.map((id) => ({ face_id: id, speaker_id: id, name: `${name}${round}` })) }),
          put(
            `/v1/videos/${media.videoId}/faces/names`,
            ids.map((id) => ({ face_id: id, name: `${name}${id}` })),
          ),
          put(
            `/v1/audios/${media.audioId}/speakers/names`,
            ids.map((id) => ({ speaker_id: id, name: `${name}${id}` })),
          ),
          put(
            `/v1/audios/${media.audioId}/speakers/roles`,
            ids.map((id) => ({ speaker_id: id, role: 'agent' })),
          ),
        ]);
      }
      await scene.sendAll(
        'reads',
        numbers(32).map(() => ({ path: media.video, key: media.owner })),
      );
      await scene.sendAll(
        'then',
        numbers(8).map((at) => ({ path: `${media.video}?at=${at}`, key: media.owner })),
      );
    },
  },
];
