import { ownedMedia } from '../support/media.js';
import { type Attack, type Scene, forEach } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';
import { sizeOfLog } from '../support/process-figures.js';

/* Requests that are cheap to send and expensive to store: idempotency keys, decisions, changes back and forth. */

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

/** A video with a record of several megabytes, and its owner. */
const largeRecord = async (scene: Scene, name: string) => {
  const ids = numbers(1_000);
  const summary = 'x'.repeat(scene.size(3_000, 600));
  const media = await ownedMedia(scene, name, {
    faces: ids.map((id) => ({ id, tracks: [], personality_traits: { summary } })),
    speakers: ids.map((speaker_id) => ({ speaker_id })),
    segments: [],
  });
  const long = 'n'.repeat(190);
  const body = JSON.stringify(ids.map((face_id) => ({ face_id, name: `${long}${face_id}` })));
  const path = `/v1/videos/${media.videoId}/faces/names`;
  await scene.sendAll('long names', [{ method: 'PUT', path, key: media.owner, body }]);
  return { ...media, ids };
};

/** Notes how much the log grew with these requests, and reports a fault if it was more than the limit per request. */
const growthOf = async (scene: Scene, name: string, requests: number, most: number, work: () => Promise<unknown>) => {
  const before = sizeOfLog(scene.data_dir);
  await work();
  const each = Math.round((sizeOfLog(scene.data_dir) - before) / requests);
  scene.note(`${name}: ${requests} requests, the log grew by ${Math.round(each / 1_000)} kB with each`);
  if (each > most) scene.fault(`${name}: each request made the log grow by ${Math.round(each / 1_000)} kB`);
};

export const repetitions: ReadonlyArray<Attack> = [
  {
    name: 'keyed-writes',
    about:
      'small writes, each with an Idempotency-Key, whose answers are megabytes; one key used by 500 requests, 100 at once',
    run: async (scene) => {
      const { video, owner } = await largeRecord(scene, 'keyed');
      const count = scene.size(64, 12);
      const patch = (at: number, key: string): AttackRequest => ({
        method: 'PATCH',
        path: video,
        key: owner,
        headers: { 'Idempotency-Key': key },
        body: `{"title":"${at}"}`,
      });
      await growthOf(scene, 'large answers', count, 700_000, () =>
        scene.sendAll(
          'large answers',
          numbers(count).map((at) => patch(at, `key-${at}`)),
          8,
        ),
      );
      const repeated = await scene.sendAll(
        'repeated',
        numbers(count).map((at) => patch(at, `key-${at}`)),
        8,
      );
      if (repeated.some(({ status }) => status !== 200)) scene.fault('a repetition was not answered 200');
      const answers = await scene.sendAll(
        'at once',
        numbers(scene.size(500, 100)).map(() => ({
          method: 'POST',
          path: '/v2/videos',
          key: owner,
          headers: { 'Idempotency-Key': 'at-once' },
          body: '{"title":"one"}',
        })),
        100,
      );
      if (new Set(answers.map(({ text }) => text)).size !== 1) scene.fault('one key had several answers');
    },
  },
  {
    name: 'key-flood',
    about: '20,000 writes, each with an Idempotency-Key of maximum length',
    run: async (scene) => {
      const key = await scene.key('owner');
      await forEach(numbers(scene.size(20_000, 2_000)), 32, async (at) => {
        const headers = { 'Idempotency-Key': `${at}`.padStart(255, 'k') };
        const { status } = await scene.send({ method: 'POST', path: '/v2/videos', key, headers });
        if (status !== 200) scene.fault(`a keyed write was answered ${status}`);
      });
    },
  },
  {
    name: 'decisions',
    about:
      'requests with the maximum number of decisions, on new pairs of one video each time; its review queue and match runs',
    run: async (scene) => {
      const { video, match, statuses, owner, ids } = await largeRecord(scene, 'decided');
      const count = ids.length;
      for (const round of numbers(scene.size(20, 4))) {
        const decisions = ids.map((id) => ({
          speaker_id: id,
          face_id: (id + round) % count,
          verdict: round % 5 === 4 ? 'confirmed' : 'rejected',
        }));
        await scene.sendAll('decisions', [
          { method: 'POST', path: `${match}/decisions`, key: owner, body: JSON.stringify({ decisions }) },
        ]);
      }

      const paths = [
        `${match}/decisions`,
        video,
        statuses,
        '/v2/review?limit=1000',
        `/v2/review?video_id=decided-video`,
      ];
      await scene.sendAll(
        'reads',
        paths.flatMap((path) => numbers(8).map(() => ({ path, key: owner }))),
      );
      await scene.sendAll('run', [{ method: 'POST', path: `${match}/suggestions`, key: owner }]);
      await scene.sendAll('runs', [{ path: `${video}/match-runs`, key: owner }]);
    },
  },
  {
    name: 'crowds-of-names',
    about: 'match runs of 1,000 faces and speakers with the same name, the longest names, or only titles',
    run: async (scene) => {
      const ids = numbers(1_000);
      const long = 'Ünal Çelik-Nuñez '.repeat(10);
      const names: Readonly<Record<string, (id: number) => string>> = {
        one: () => 'Ada Lovelace',
        long: (id) => `${long}${id}`,
        titles: (id) => `${'mr '.repeat(60)}${id}x`,
      };
      for (const [name, nameOf] of Object.entries(names)) {
        const media = await ownedMedia(scene, name, {
          faces: ids.map((id) => ({ id, name: nameOf(id), tracks: [] })),
          speakers: ids.map((speaker_id) => ({ speaker_id, name: nameOf(speaker_id) })),
          segments: [],
        });
        await scene.sendAll(name, [{ method: 'POST', path: media.suggestions, key: media.owner }]);
      }
    },
  },
  {
    name: 'back-and-forth',
    about: 'a large change of names that is undone and redone repeatedly, each time by an empty request',
    run: async (scene) => {
      const { video, owner } = await largeRecord(scene, 'undone');
      const history = await scene.client(owner).get(`${video}/history`);
      const positions = [...history.text.matchAll(/"position":"([^"]+)"/g)].map(([, position]) => position ?? '');
      let last = positions.at(-1) ?? '';
      for (const _ of numbers(scene.size(30, 5))) {
        const path = `${video}/history/${last}/revert`;
        const { status, text, headers } = await scene.send({ method: 'POST', path, key: owner });
        if (status !== 200) return scene.fault(`a revert was answered ${status} ${text.slice(0, 200)}`);
        last = headers['x-event-position'] ?? last;
      }
      await scene.sendAll(
        'at once',
        numbers(16).map(() => ({ method: 'POST', path: `${video}/history/${last}/revert`, key: owner })),
      );
    },
  },
];
