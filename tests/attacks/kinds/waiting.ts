import { setTimeout } from 'node:timers/promises';
import * as t from 'io-ts';
import { bodyOf } from '../../support/http-client.js';
import { ownedMedia } from '../support/media.js';
import { type Attack, forEach } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';

/* Requests that wait for a long time, and lists that examine much and find little. */

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

export const waiting: ReadonlyArray<Attack> = [
  {
    name: 'waits',
    about: '2,000 long polls for one run and 2,000 for any run, all answered at once; new runs during that',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'awaited');
      const others = await ownedMedia(scene, 'others');
      const trigger = async ({ suggestions, owner }: typeof media) =>
        bodyOf(t.type({ run_id: t.string }), await scene.client(owner).post(suggestions)).run_id;
      const run_id = await trigger(media);
      const count = scene.size(2_000, 300);
      const wait = { path: `${media.runs}/${run_id}?wait=25`, key: media.owner };
      const waits: ReadonlyArray<AttackRequest> = [
        ...numbers(count).map(() => wait),
        ...numbers(count).map(() => ({ path: '/v2/match-runs?state=failed&wait=25', key: media.worker })),
      ];
      const answered = scene.sendAll('waits', waits);
      await setTimeout(scene.size(6_000, 1_500));
      await trigger(others);
      const failed = JSON.stringify({ run_id, status: 'failed', error: 'set by a test', matches: [] });
      await scene.sendAll('answer', [{ method: 'PUT', path: media.writeBack, key: media.worker, body: failed }]);
      const { length } = (await answered).filter(({ status, text }) => status === 200 && text.includes(run_id));
      if (length !== waits.length)
        scene.fault(`${waits.length - length} of ${waits.length} waiting requests had a different answer`);
    },
  },
  {
    name: 'filters',
    about: '32 simultaneous sorted lists of 10,000 videos with filters that match few, and with related records',
    run: async (scene) => {
      const key = await scene.key('owner');
      const title = 'é'.repeat(200);
      await forEach(numbers(scene.size(10_000, 1_500)), 16, async (at) => {
        const body = JSON.stringify({ video_id: `listed-${at}`, title: `${title}${at}` });
        const { status } = await scene.send({ method: 'POST', path: '/v2/videos', key, body });
        if (status !== 200) scene.fault(`a video was answered ${status}`);
      });
      const queries = [
        `title=${encodeURIComponent(`${'É'.repeat(150)}x`)}`,
        'title=9999&sort=title&order=desc',
        'needs_review=true',
        'needs_review=true&sort=updated_at',
        'tag=label.none:x',
        'status=failed&sort=updated_at&order=asc',
        'audio_id=none&expand=audio',
        'created_from=2000-01-01&sort=title&limit=1000&expand=audio',
      ];
      const lists = numbers(scene.size(8, 2)).flatMap(() =>
        queries.map((query) => ({ path: `/v2/videos?${query}`, key })),
      );
      await scene.sendAll('filters', lists, 32);
      await scene.sendAll(
        'review',
        numbers(32).map(() => ({ path: '/v2/review?limit=1000', key })),
      );
    },
  },
];
