import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import * as t from 'io-ts';
import { bodyOf } from '../../support/http-client.js';
import { type OwnedMedia, ownedMedia } from '../support/media.js';
import { type Attack, type Scene, forEach } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';

/* Requests that cost the service much more work than the sender. */

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

const inferring = (
  { audio, owner }: OwnedMedia,
  targets: ReadonlyArray<number>,
  how = '/suggestions',
): AttackRequest => ({
  method: 'POST',
  path: `${audio}/speaker-name-inference${how}`,
  key: owner,
  body: JSON.stringify({ target_speaker_ids: targets, infer_roles: true }),
});

const granted = (scene: Scene, amount: number) =>
  scene.admin.post('/v1/accounts/owner/credits', { amount, reason: 'for an attack' });

const balanceOf = async (scene: Scene): Promise<number> =>
  bodyOf(t.type({ balance: t.number }), await scene.admin.get('/v1/accounts/owner/credits')).balance;

const said = 'Hello, I am Ada Lovelace.';

const hostileTexts: ReadonlyArray<(bytes: number) => string> = [
  (bytes) => 'My name is '.repeat(bytes / 11),
  (bytes) => `I am ${' '.repeat(bytes)}Ada`,
  (bytes) => 'Aa '.repeat(bytes / 3),
  (bytes) => 'this is Ada, '.repeat(bytes / 13),
  (bytes) => 'a\u0301'.repeat(bytes / 3),
  (bytes) => `${'.'.repeat(bytes)} I am Ada`,
];

/** A small run of another account must finish. */
const runOfOthers = async (scene: Scene, media: OwnedMedia, patience: number): Promise<void> => {
  await scene.send({ method: 'POST', path: media.suggestions, key: media.owner });
  const start = performance.now();
  while (performance.now() - start < patience) {
    const { text } = await scene.send({ path: media.statuses, key: media.owner });
    if (text.includes('"in_flight":false'))
      return scene.note(`a small run of another client took ${Math.round(performance.now() - start)} ms`);
    await setTimeout(100);
  }
  scene.fault(`a small run of others did not end within ${patience / 1_000} s`);
};

/** A model that accepts requests and never answers. */
const startMuteModel = async (): Promise<Record<string, string>> => {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { NAME_MODEL_URL: `http://127.0.0.1:${port}/v1` };
};

const hostileDocuments: ReadonlyArray<readonly [format: string, make: (bytes: number) => string]> = [
  ['auto', (bytes) => '\n'.repeat(bytes)],
  ['auto', (bytes) => `WEBVTT\n\n${'00:00:00.000 --> '.repeat(bytes / 17)}`],
  ['auto', (bytes) => `[${'{"start":1,'.repeat(bytes / 11)}`],
  ['auto', (bytes) => '['.repeat(bytes)],
  ['auto', (bytes) => 'SPEAKER a 1 0 1 <NA> <NA> s <NA> <NA>\n'.repeat(bytes / 38)],
  ['auto', (bytes) => `a,${' '.repeat(bytes)},b`],
  ['auto', (bytes) => '<v A>'.repeat(bytes / 5)],
  ['srt', (bytes) => '1\n00:00:00,000 --> 00:00:01,000\nA: b\n\n'.repeat(bytes / 38)],
];

export const work: ReadonlyArray<Attack> = [
  {
    name: 'inferences-at-once',
    about: '64 simultaneous name inferences on a balance of 1',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'money', { transcript: [{ speaker_id: 1, start: 0, end: 1, text: said }] });
      await granted(scene, 1);
      const answers = await scene.sendAll(
        'inferences',
        numbers(64).map(() => inferring(media, [1])),
      );
      const balance = await balanceOf(scene);
      const served = answers.filter(({ status }) => status === 200).length;
      scene.note(`${served} served, balance ${balance}`);
      if (balance < -1.1) scene.fault(`a balance of 1 became ${balance}`);
      if (served === 0) scene.fault('no inference was served');
    },
  },
  {
    name: 'hostile-transcripts',
    about: 'name inference on transcripts of 200,000 utterances, and on one longest utterance built to be slow',
    run: async (scene) => {
      await scene.key('owner');
      await granted(scene, 10_000_000);
      const speakers = numbers(scene.size(1_000, 200)).map((speaker_id) => ({ speaker_id }));
      const ids = speakers.map(({ speaker_id }) => speaker_id);
      const utterances = numbers(scene.size(200_000, 40_000)).map((at) => ({
        speaker_id: at % speakers.length,
        start: at,
        end: at + 1,
        text: `Hello, I am Ada No ${at}. Nice to meet you, Bob.`,
      }));
      const many = await ownedMedia(scene, 'many', { speakers, transcript: utterances });
      await scene.sendAll('many', [inferring(many, ids), inferring(many, ids)]);
      await scene.sendAll(
        'estimates',
        numbers(16).map(() => inferring(many, ids, '/estimate')),
      );
      const bytes = 99_000;
      for (const [at, make] of hostileTexts.entries()) {
        const transcript = [{ speaker_id: 1, start: 0, end: 1, text: make(bytes) }];
        const media = await ownedMedia(scene, `hostile-${at}`, { transcript });
        await scene.sendAll(`hostile ${at}`, [inferring(media, [1, 2, 3]), inferring(media, [1], '/estimate')]);
      }
    },
  },
  {
    name: 'inference-at-the-end',
    about: 'SIGTERM while the service waits for a model that never answers',
    keepsConnections: true,
    prepare: startMuteModel,
    run: async (scene) => {
      const media = await ownedMedia(scene, 'mute', { transcript: [{ speaker_id: 1, start: 0, end: 1, text: said }] });
      await granted(scene, 100);
      for (const _ of numbers(8)) void scene.send(inferring(media, [1]));
      await setTimeout(500);
    },
  },
  {
    name: 'match-run-bombs',
    about: 'match runs of 700 and 1,000 simultaneous faces and speakers; other clients need a small run',
    env: { MATCH_WORKER: 'embedded' },
    run: async (scene) => {
      const small = await ownedMedia(scene, 'small');
      const spans = (id: number) =>
        numbers(4).map((at) => ({ start: at * 100 + (id % 50), end: at * 100 + 60 + (id % 39) }));
      const bodyOf = (ids: ReadonlyArray<number>) => ({
        faces: ids.map((id) => ({ id, tracks: spans(id) })),
        speakers: ids.map((speaker_id) => ({ speaker_id })),
        segments: ids.flatMap((speaker_id) => spans(speaker_id + 7).map((span) => ({ speaker_id, ...span }))),
      });
      // The maximum of a run, and many more.
      const [most, tooMany] = [bodyOf(numbers(scene.size(700, 300))), bodyOf(numbers(1_000))];
      const bombs = await Promise.all(
        numbers(6).map((at) => ownedMedia(scene, `bomb-${at}`, at % 2 === 0 ? most : tooMany)),
      );
      await scene.sendAll(
        'bombs',
        bombs.map(({ suggestions, owner }) => ({ method: 'POST', path: suggestions, key: owner })),
      );
      await runOfOthers(scene, small, 60_000);
    },
  },
  {
    name: 'hostile-documents',
    about: 'large provider documents built to be slow to read; other clients need a small one read',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'documents');
      const put = (format: string, body: string): AttackRequest => ({
        method: 'PUT',
        path: `${media.audio}/analysis?format=${format}`,
        key: media.worker,
        body,
      });
      const bytes = scene.size(50_000_000, 3_000_000);
      const others = async (): Promise<void> => {
        await setTimeout(500);
        const sent = await scene.send(put('rttm', 'SPEAKER a 1 0 1 <NA> <NA> s <NA> <NA>\n'));
        scene.note(`a small document took ${Math.round(sent.ms)} ms (${sent.status})`);
        if (sent.ms > 20_000) scene.fault(`a small document of others took ${Math.round(sent.ms)} ms`);
      };
      await forEach(hostileDocuments, 1, async ([format, make]) => {
        const document = put(format, make(bytes));
        await Promise.all([scene.sendAll(format, [document, document]), others()]);
      });
    },
  },
];
