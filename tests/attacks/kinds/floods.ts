import { randomUUID } from 'node:crypto';
import { adminKey } from '../../support/service-process.js';
import { ownedMedia } from '../support/media.js';
import { memoryOf } from '../support/process-figures.js';
import { type Attack, type Scene, forEach } from '../support/scene.js';
import { type AttackAnswer, type AttackRequest, faultOf } from '../support/send.js';

/** Sends `count` different requests, and compares the memory of the service before and after. */
const flood = async (
  scene: Scene,
  name: string,
  count: number,
  requestAt: (at: number) => AttackRequest,
  isExpected: (answer: AttackAnswer) => boolean,
): Promise<void> => {
  const before = memoryOf(scene.pid);
  const start = performance.now();
  await forEach(Array.from({ length: count }).keys(), 32, async (at) => {
    const answer = await scene.send(requestAt(at));
    const fault = faultOf(answer) ?? (isExpected(answer) ? null : `${answer.status} ${answer.text.slice(0, 100)}`);
    if (fault !== null) scene.fault(`${name}: ${fault}`);
  });
  const seconds = (performance.now() - start) / 1_000;
  const [rate, more] = [Math.round(count / seconds), Math.round(memoryOf(scene.pid) - before)];
  scene.note(`${name}: ${count}, ${rate} a second, ${more} MB more than before`);
};

const is =
  (...statuses: ReadonlyArray<number>) =>
  ({ status }: AttackAnswer): boolean =>
    statuses.includes(status);

const nines = '9'.repeat(15);
const odd = ['.', '..', '%2e%2e', '%00', '%ff', '%zz', 'a%2Fb', '%F0%9F%92%A9', '__proto__', "x'--", 'x'.repeat(8_000)];

export const floods: ReadonlyArray<Attack> = [
  {
    name: 'guessed-keys',
    about: '20,000 different invalid API keys, short and long',
    run: async (scene) => {
      const count = scene.size(20_000, 3_000);
      const key = (at: number): string => `mak_${randomUUID()}${'x'.repeat(at % 10 === 0 ? 8_000 : 10)}`;
      await flood(scene, 'keys', count, (at) => ({ path: '/v2/videos', key: key(at) }), is(401));
    },
  },
  {
    name: 'unknown-ids',
    about: 'reads and writes of 20,000 unknown ids, and ids with odd characters',
    run: async (scene) => {
      const key = await scene.key('owner');
      const count = scene.size(20_000, 3_000);
      const put = { method: 'PUT', body: '{"mappings":[{"face_id":1,"speaker_id":1}]}' };
      await flood(scene, 'reads', count, (at) => ({ path: `/v2/videos/none-${at}`, key }), is(404));
      const path = (at: number): string => `/v2/videos/none-${at}/speaker-face-match`;
      await flood(scene, 'writes', count, (at) => ({ ...put, path: path(at), key }), is(404));
      const session = (at: number): string => `/v2/realtime/session/${randomUUID()}${at}`;
      await flood(scene, 'sessions', count / 4, (at) => ({ path: session(at), key }), is(404));
      const oddPath = (at: number): string => `/v2/videos/${odd[at % odd.length]}/history`;
      await flood(scene, 'odd', odd.length, (at) => ({ path: oddPath(at), key }), is(404, 400));
    },
  },
  {
    name: 'request-ids',
    about: '10,000 writes, each with a request id of maximum length',
    run: async (scene) => {
      const key = await scene.key('owner');
      const count = scene.size(10_000, 1_500);
      const headers = (at: number) => ({ 'X-Request-Id': `${at}`.padStart(128, '0') });
      await flood(
        scene,
        'ids',
        count,
        (at) => ({ method: 'POST', path: '/v2/videos', key, headers: headers(at) }),
        is(200),
      );
      const pathOf = (at: number): string => `/v1/audit/events?request_id=${`${at}`.padStart(128, '0')}`;
      await flood(scene, 'asked', 200, (at) => ({ path: pathOf(at), key: adminKey }), is(200));
    },
  },
  {
    name: 'idempotency-keys',
    about: '5,000 refused and 500 charged name inferences, each with its own Idempotency-Key',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'idempotent', {
        transcript: [{ speaker_id: 1, start: 0, end: 1, text: 'Hello, I am Ada.' }],
      });
      await scene.admin.post('/v1/accounts/owner/credits', { amount: 100_000, reason: 'for an attack' });
      const path = `${media.audio}/speaker-name-inference/suggestions`;
      const headers = (at: number) => ({ 'Idempotency-Key': `${at}`.padStart(255, 'k') });
      const requestFor = (speaker: number) => (at: number) => ({
        method: 'POST',
        path,
        key: media.owner,
        headers: headers(at + speaker * 1_000_000),
        body: `{"target_speaker_ids":[${speaker}]}`,
      });
      await flood(scene, 'refused', scene.size(5_000, 1_000), requestFor(77), is(400));
      await flood(scene, 'charged', scene.size(500, 100), requestFor(1), is(200));
    },
  },
  {
    name: 'queries',
    about: 'thousands of query parameters, and forged cursors and positions',
    run: async (scene) => {
      const key = await scene.key('owner');
      const many = Array.from({ length: 2_000 }, (_, at) => `p${at}=1`).join('&');
      const queries = [
        many,
        'a&'.repeat(7_000),
        '%00='.repeat(3_000),
        'limit=1&'.repeat(1_900),
        `cursor=${'9'.repeat(15_000)}`,
        `cursor=${nines}`,
        `cursor=${Buffer.from(JSON.stringify({ a: nines })).toString('base64url')}`,
        `cursor=${'%5B'.repeat(5_000)}`,
        `title=${'%25'.repeat(5_000)}`,
        `tag=${'a:'.repeat(7_000)}`,
        `at=${nines}`,
        `from=${'9'.repeat(10_000)}`,
        `request_id=${'x'.repeat(15_000)}`,
      ];
      const paths = [
        '/v2/videos',
        '/v2/audios',
        '/v1/accounts/owner/ledger',
        '/v1/audit/events',
        '/v1/audit/late-writes',
      ];
      const all = paths.flatMap((path) => queries.map((query) => ({ path: `${path}?${query}`, key: adminKey })));
      await scene.sendAll('queries', all, 16);
      const headers = { 'X-Min-Position': nines };
      await scene.sendAll(
        'positions',
        Array.from({ length: scene.size(1_000, 300) }, () => ({ path: '/v2/videos', key, headers })),
        100,
      );
    },
  },
  {
    name: 'many-headers',
    about: 'a thousand requests with 14 kB of headers, 100 at once, and headers above the limit',
    run: async (scene) => {
      const key = await scene.key('owner');
      const headers = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`X-H-${at}`, 'abc']));
      await scene.sendAll(
        'headers',
        Array.from({ length: scene.size(1_000, 300) }, () => ({ path: '/v2/videos', key, headers })),
        100,
      );
      const long = { 'X-Long': 'x'.repeat(60_000) };
      await scene.sendAll(
        'too long',
        Array.from({ length: 100 }, () => ({ path: '/v2/videos', key, headers: long })),
      );
    },
  },
  {
    name: 'long-stream',
    about: '5,000 changes of one record, then 64 simultaneous reads of past states, history and match runs',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'long');
      const { owner: key, video } = media;
      const count = scene.size(5_000, 1_000);
      const rename = (at: number): AttackRequest => ({
        method: 'PUT',
        path: `/v1/videos/${media.videoId}/faces/names`,
        key,
        body: `[{"face_id":1,"name":"Ada ${at}"}]`,
      });
      await flood(scene, 'changes', count, rename, is(200));
      const reads = (path: (at: number) => string): ReadonlyArray<AttackRequest> =>
        Array.from({ length: 64 }, (_, at) => ({ path: path(at), key }));
      await scene.sendAll(
        'as of then',
        reads((at) => `${video}?at=${count - at}`),
      );
      await scene.sendAll(
        'history',
        reads(() => `${video}/history?limit=1000`),
      );
      await scene.sendAll(
        'pages',
        reads((at) => `${video}/history?limit=1&cursor=${at * 10}`),
      );
      const audit = Array.from({ length: 64 }, () => ({
        path: `/v1/audit/events?stream=video-${media.videoId}`,
        key: adminKey,
      }));
      await scene.sendAll('audit', audit);
    },
  },
];
