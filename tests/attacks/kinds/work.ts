import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { browserOffer } from '../../support/realtime/offers.js';
import { newSession, pathOf } from '../../support/realtime/stage.js';
import {
  type OwnedMedia,
  ownedMedia,
  type Attack,
  type Scene,
  numbers,
  times,
  type AttackRequest,
} from '../support/scene.js';

/* Requests that cost the service much more work or memory than the sender. */

const inferring = (
  { audio, owner }: OwnedMedia,
  targets: ReadonlyArray<number>,
  how = '/suggestions',
): AttackRequest => ({
  method: 'POST',
  path: `${audio}/speaker-name-inference${how}`,
  key: owner,
  body: { target_speaker_ids: targets, infer_roles: true },
});

const granted = (scene: Scene) =>
  scene.admin.post('/v1/accounts/owner/credits', { amount: 10_000_000, reason: 'for an attack' });

const hostileTexts: ReadonlyArray<(bytes: number) => string> = [
  (bytes) => 'My name is '.repeat(bytes / 11),
  (bytes) => `I am ${' '.repeat(bytes)}Ada`,
  (bytes) => 'Aa '.repeat(bytes / 3),
  (bytes) => 'this is Ada, '.repeat(bytes / 13),
  (bytes) => 'a\u0301'.repeat(bytes / 3),
  (bytes) => `${'.'.repeat(bytes)} I am Ada`,
];

/** A small run of another account must finish. */
const runOfOthers = async (scene: Scene, media: OwnedMedia): Promise<void> => {
  await scene.send({ method: 'POST', path: media.suggestions, key: media.owner });
  for (const end = performance.now() + 60_000; performance.now() < end; await setTimeout(100)) {
    const { text } = await scene.send({ path: media.statuses, key: media.owner });
    if (text.includes('"in_flight":false')) return;
  }
  scene.fault('a small run of others did not end within 60 s');
};

export const work: ReadonlyArray<Attack> = [
  {
    name: 'different-ids',
    about: 'tens of thousands of invalid keys, unknown ids, request ids and Idempotency-Keys, each of maximum length',
    run: async (scene) => {
      const key = await scene.key('owner');
      const count = scene.size(20_000, 400);
      const long = (at: number, length: number): string => `${at}`.padStart(length, 'k');
      const invalid = (at: number): string => `mak_${randomUUID()}${'x'.repeat(at % 10 === 0 ? 8_000 : 10)}`;
      await scene.flood('keys', count, 401, (at) => ({ path: '/v2/videos', key: invalid(at) }));
      await scene.flood('ids', count, 404, (at) => ({ path: `/v2/videos/none-${at}`, key }));
      const post = { method: 'POST', path: '/v2/videos', key };
      await scene.flood('writes', count, 200, (at) => ({
        ...post,
        headers: { 'Idempotency-Key': long(at, 255), 'X-Request-Id': long(at, 128) },
      }));
    },
  },
  {
    name: 'long-stream',
    about: '5,000 changes of one record, then 64 simultaneous reads of past states, history, undos and match runs',
    run: async (scene) => {
      const { owner: key, video, videoId } = await ownedMedia(scene, 'long');
      const count = scene.size(5_000, 200);
      await scene.flood('changes', count, 200, (at) => ({
        method: 'PUT',
        path: `/v1/videos/${videoId}/faces/names`,
        key,
        body: [{ face_id: 1, name: `Ada ${at}` }],
      }));
      const past = numbers(64).map((at) => ({ path: `${video}?at=${count - at}`, key }));
      await scene.sendAll('as of then', past);
      await scene.sendAll('history', times(64, { path: `${video}/history?limit=1000`, key }));
      const { headers } = await scene.client(key).patch(video, { title: 'Long' });
      const position = headers.get('X-Event-Position') ?? '';
      const undo = { method: 'POST', path: `${video}/history/${position}/revert`, key };
      await scene.sendAll('undos', times(16, undo));
    },
  },
  {
    name: 'filters',
    about: '32 simultaneous sorted lists of 10,000 videos with filters that match few, and with related records',
    run: async (scene) => {
      const key = await scene.key('owner');
      const title = 'é'.repeat(200);
      await scene.flood('videos', scene.size(10_000, 300), 200, (at) => ({
        method: 'POST',
        path: '/v2/videos',
        key,
        body: { title: `${title}${at}` },
      }));
      const queries = [
        `title=${encodeURIComponent(`${'É'.repeat(150)}x`)}`,
        'title=9999&sort=title&order=desc',
        'needs_review=true&sort=updated_at',
        'tag=label.none:x',
        'status=failed&sort=updated_at&order=asc',
        'audio_id=none&expand=audio',
        'created_from=2000-01-01&sort=title&limit=1000&expand=audio',
      ];
      const lists = queries.map((query) => ({ path: `/v2/videos?${query}`, key }));
      await scene.sendAll('filters', times(scene.size(8, 1), lists).flat(), 32);
    },
  },
  {
    name: 'hostile-transcripts',
    about: 'name inference on transcripts of 200,000 utterances, and on one longest utterance built to be slow',
    run: async (scene) => {
      await scene.key('owner');
      await granted(scene);
      const ids = numbers(scene.size(1_000, 40));
      const many = await ownedMedia(scene, 'many', {
        speakers: ids.map((speaker_id) => ({ speaker_id })),
        transcript: numbers(scene.size(200_000, 8_000)).map((at) => ({
          speaker_id: at % ids.length,
          start: at,
          end: at + 1,
          text: `Hello, I am Ada No ${at}. Nice to meet you, Bob.`,
        })),
      });
      await scene.sendAll('many', [inferring(many, ids), inferring(many, ids)]);
      await scene.sendAll('estimates', times(16, inferring(many, ids, '/estimate')));
      for (const [at, make] of hostileTexts.entries()) {
        const transcript = [{ speaker_id: 1, start: 0, end: 1, text: make(99_000) }];
        const media = await ownedMedia(scene, `hostile-${at}`, { transcript });
        await scene.sendAll(`hostile ${at}`, [inferring(media, [1, 2, 3]), inferring(media, [1], '/estimate')]);
      }
    },
  },
  {
    name: 'match-run-bombs',
    about:
      'match runs of 700 and 1,000 simultaneous faces and speakers, with names alike; other clients need a small run',
    env: { MATCH_WORKER: 'embedded' },
    run: async (scene) => {
      const small = await ownedMedia(scene, 'small');
      const spans = (id: number) =>
        numbers(4).map((at) => ({ start: at * 100 + (id % 50), end: at * 100 + 60 + (id % 39) }));
      const mediaOf = (ids: ReadonlyArray<number>) => ({
        faces: ids.map((id) => ({ id, name: `${'mr '.repeat(60)}${id}x`, tracks: spans(id) })),
        speakers: ids.map((speaker_id) => ({ speaker_id, name: `${'Ünal Çelik-Nuñez '.repeat(10)}${speaker_id}` })),
        segments: ids.flatMap((speaker_id) => spans(speaker_id + 7).map((span) => ({ speaker_id, ...span }))),
      });
      // The maximum of a run, and many more.
      const [most, tooMany] = [mediaOf(numbers(scene.size(700, 60))), mediaOf(numbers(1_000))];
      const bombs = await Promise.all(
        numbers(6).map((at) => ownedMedia(scene, `bomb-${at}`, at % 2 === 0 ? most : tooMany)),
      );
      const runs = bombs.map(({ suggestions, owner }) => ({ method: 'POST', path: suggestions, key: owner }));
      await scene.sendAll('bombs', runs);
      await runOfOthers(scene, small);
    },
  },
  {
    name: 'offers',
    about: 'session descriptions of 2 MB, with thousands of lines and media sections, and with unterminated lines',
    run: async (scene) => {
      const key = await scene.key('owner');
      await granted(scene);
      const session = await newSession(scene.client(key));
      const lines = browserOffer.split('\r\n');
      const audio = lines.slice(7, 38);
      const offers = [
        'a='.repeat(1_000_000),
        `${browserOffer}\r\n${'a=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n'.repeat(40_000)}`,
        [...lines, ...numbers(300).flatMap(() => audio)].join('\r\n'),
        `${browserOffer}\r\na=fmtp:111 ${'a=b;'.repeat(200_000)}`,
        `${browserOffer}\r\na=extmap:1 ${' '.repeat(500_000)}x`,
        `${browserOffer}\r\na=rtpmap:${'1 '.repeat(200_000)}`,
        `${browserOffer}\r\na=group:BUNDLE ${'0 '.repeat(200_000)}`,
        `v=0\r\n${'\r\n'.repeat(400_000)}`,
      ];
      const offer = { method: 'POST', path: pathOf(session, '/offer'), key };
      const posts = offers.map((sdp) => ({ ...offer, body: { type: 'offer', sdp } }));
      await scene.sendAll('offers', posts, 2);
      const candidates = [
        'candidate:',
        'candidate:1 1 udp 1 1.1.1.1 1 typ host',
        `candidate:1 1 udp 1 ${'1.'.repeat(100)}`,
      ];
      const ice = candidates.map((candidate) => ({
        ...offer,
        path: pathOf(session, '/ice'),
        body: { candidate: `${candidate}${' a b'.repeat(400_000)}` },
      }));
      await scene.sendAll('candidates', ice);
    },
  },
];
