import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import * as t from 'io-ts';
import { bodyOf } from '../../support/http-client.js';
import { adminKey } from '../../support/service-process.js';
import { newSession, pathOf } from '../../support/realtime/stage.js';
import { ownedMedia } from '../support/media.js';
import { type Attack, type Scene, forEach } from '../support/scene.js';
import type { AttackRequest } from '../support/send.js';

/* Requests without a key, and of clients with few permissions: documents, pages and special endpoints. */

const numbers = (count: number): ReadonlyArray<number> => [...Array.from({ length: count }).keys()];

const documents = ['/openapi.json', '/asyncapi.json', '/docs', '/', '/console/', '/console', '/docs/none.js'];
const oddPaths = [
  '/console/%2e%2e/%2e%2e/package.json',
  '/console/..%2f..%2fpackage.json',
  '/console/%00',
  '/console/%ff',
  '/console/%zz',
  '/docs/%2e%2e%2fopenapi.json',
  '//console//',
  `/console/${'x/'.repeat(4_000)}`,
  '/openapi.json/',
  '/console/?x[]=%',
];
const oddHeaders: ReadonlyArray<Readonly<Record<string, string>>> = [
  {
    Range: `bytes=${numbers(900)
      .map((at) => `${at}-${at}`)
      .join(',')}`,
  },
  { Range: 'bytes=-0' },
  { Range: 'bytes=9999999999-' },
  { 'If-None-Match': `${'"x",'.repeat(1_500)}*` },
  { 'If-Match': '"x"' },
  { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
  { 'If-Modified-Since': 'Sat, 99 Foo 99999' },
  { 'Accept-Encoding': `${'gzip;q=0.1,'.repeat(700)}br` },
  { Accept: `${'text/html;q=0.1,'.repeat(500)}*/*` },
];

/** Pages are not covered by the contract: they may be redirections or partial content, but never errors. */
const askAll = async (scene: Scene, name: string, all: ReadonlyArray<AttackRequest>): Promise<void> => {
  const statuses = new Map<number, number>();
  await forEach(all, 64, async (wanted) => {
    const { status, text } = await scene.send(wanted);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 0 || status >= 500)
      scene.fault(
        `${name}: ${wanted.path.slice(0, 80)} ${JSON.stringify(wanted.headers ?? {}).slice(0, 80)}: ${status} ${text.slice(0, 80)}`,
      );
  });
  scene.note(`${name}: ${[...statuses].map(([status, times]) => `${status} ×${times}`).join(', ')}`);
};

/** Sends requests on connections whose answers nobody reads, and incomplete requests on others. */
const unread = async ({ port, size }: Scene, paths: ReadonlyArray<string>): Promise<void> => {
  const sockets = numbers(size(400, 60)).map((at) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined).pause();
    const request = `GET ${paths[at % paths.length] ?? '/'} HTTP/1.1\r\nHost: x\r\n`;
    socket.write(at % 4 === 0 ? request : `${request}\r\n`.repeat(20));
    return socket;
  });
  await setTimeout(size(3_000, 500));
  for (const socket of sockets) socket.destroy();
};

const asStranger = async (scene: Scene): Promise<void> => {
  const { text } = await scene.send({ path: '/console/' });
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, path]) =>
    path === undefined ? [] : [path.startsWith('/') ? path : `/console/${path}`],
  );
  const paths = [...documents, ...files];
  await askAll(
    scene,
    'documents',
    numbers(scene.size(2_000, 200)).map((at) => ({ path: paths[at % paths.length] ?? '/' })),
  );
  await askAll(
    scene,
    'odd headers',
    paths.flatMap((path) => oddHeaders.map((headers) => ({ path, headers: { Accept: 'text/html', ...headers } }))),
  );
  await askAll(
    scene,
    'odd paths',
    oddPaths.flatMap((path) => ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => ({ method, path }))),
  );
  await unread(scene, paths);
};

type Media = Awaited<ReturnType<typeof ownedMedia>>;

/** The requests of others for the media and the session of an owner. */
interface Named {
  readonly media: Media;
  readonly run_id: string;
  readonly position: string;
  /** The path of a running session. */
  readonly session: string;
}

/** The requests of a permitted client, and of one without permission. */
const everything = (scene: Scene, { media, run_id, position, session }: Named) => {
  const long = JSON.stringify({ days: '9'.repeat(2_000_000), dry_run: 'x' });
  const none = '/v2/realtime/session/00000000-0000-4000-8000-000000000000';
  const requests: ReadonlyArray<Omit<AttackRequest, 'key'>> = [
    { path: '/v1/accounts/owner/retention' },
    { method: 'PUT', path: '/v1/accounts/owner/retention', body: '{"days":1}' },
    { method: 'PUT', path: '/v1/accounts/owner/retention', body: long },
    ...[session, none].flatMap((path) => [
      { path },
      { method: 'POST', path: `${path}/token`, body: '{}' },
      // A running session is not erased.
      { method: 'DELETE', path },
    ]),
    { method: 'POST', path: `${media.video}/history/${position}/revert`, body: '{"dry_run":true}' },
    { method: 'POST', path: `${media.video}/history/${position}/revert`, body: long },
    { method: 'POST', path: `${media.video}/history/${'9'.repeat(4_000)}/revert`, body: '{}' },
    { path: `${media.runs}/${run_id}?wait=1` },
    { path: `${media.runs}/${run_id}?wait=${'9'.repeat(400)}` },
    {
      method: 'POST',
      path: `${media.audio}/speaker-name-inference/estimate`,
      body: JSON.stringify({ target_speaker_ids: numbers(1_000) }),
    },
    { path: '/v2/review?limit=1000' },
    { path: `${media.match}/decisions` },
    { method: 'DELETE', path: '/v2/videos/none' },
  ];
  return numbers(scene.size(20, 3)).flatMap(() => requests);
};

/** The number of answers with a status. */
const timesOf = (answers: ReadonlyArray<{ readonly status: number }>, wanted: number): number =>
  answers.filter(({ status }) => status === wanted).length;

/** Retention, set by an admin while others read it. */
const setRetention = async (scene: Scene, owner: string, admin: string): Promise<void> => {
  const path = '/v1/accounts/owner/retention';
  const requests = numbers(scene.size(600, 60)).map((at): AttackRequest =>
    at % 3 === 0
      ? { method: 'PUT', path, key: admin, body: JSON.stringify({ days: at % 2 === 0 ? 36_500 : null }) }
      : { path, key: at % 3 === 1 ? owner : admin },
  );
  const answers = await scene.sendAll('retention', requests, 32);
  if (timesOf(answers, 200) !== requests.length) scene.fault('retention could not be set or read');
};

/** Sessions that end and are erased by many requests at once, of which one succeeds. */
const eraseSessions = async (scene: Scene, owner: string): Promise<void> => {
  const client = scene.client(owner);
  for (const at of numbers(scene.size(8, 2))) {
    const session = pathOf(await newSession(client));
    const renewed = await scene.sendAll(
      `tokens of session ${at}`,
      numbers(scene.size(64, 16)).map(() => ({ method: 'POST', path: `${session}/token`, body: '{}', key: owner })),
    );
    if (timesOf(renewed, 200) === 0) scene.fault('no token was renewed');
    await scene.sendAll(
      `ends of session ${at}`,
      numbers(scene.size(16, 4)).map(() => ({ method: 'POST', path: `${session}/end`, body: '{}', key: owner })),
    );
    const erased = await scene.sendAll(
      `erasures of session ${at}`,
      numbers(scene.size(64, 16)).map(() => ({ method: 'DELETE', path: session, key: owner })),
    );
    if (timesOf(erased, 200) !== 1) scene.fault(`${timesOf(erased, 200)} of the erasures of one session were 200`);
    if (timesOf(erased, 200) + timesOf(erased, 410) !== erased.length) scene.fault('an erased session is not gone');
  }
};

export const littleRights: ReadonlyArray<Attack> = [
  {
    name: 'documents-and-pages',
    about:
      'the API documents, the console and its files: many requests at once, odd ranges, paths and encodings, unread answers',
    run: asStranger,
  },
  {
    name: 'little-rights',
    about: 'every group of endpoints, called by strangers, by keys without the permission, and by owners, many at once',
    run: async (scene) => {
      const media = await ownedMedia(scene, 'rights', {
        transcript: [{ speaker_id: 1, start: 0, end: 1, text: 'Hello, I am Ada.' }],
      });
      const { owner, suggestions, video, audio } = media;
      const triggered = await scene.client(owner).post(suggestions);
      const { run_id } = bodyOf(t.type({ run_id: t.string }), triggered);
      const position = triggered.headers.get('x-event-position') ?? '0';
      const keys: ReadonlyArray<readonly [string, string | null]> = [
        ['nobody', null],
        ['a key that is none', 'mak_none'],
        ['a stranger', await scene.key('stranger')],
        ['the owner', owner],
      ];
      await scene.admin.post('/v1/accounts/owner/credits', { amount: 1_000_000, reason: 'for an attack' });
      const session = pathOf(await newSession(scene.client(owner)));
      const all = everything(scene, { media, run_id, position, session });
      await forEach(keys, keys.length, async ([name, key]) => {
        await scene.sendAll(
          name,
          all.map((wanted) => ({ ...wanted, key })),
          16,
        );
      });
      // All at once: one of them erases.
      for (const path of [video, audio]) {
        const erased = await scene.sendAll(
          `erasures of ${path}`,
          numbers(scene.size(64, 16)).map(() => ({ method: 'DELETE', path, key: owner })),
        );
        const done = timesOf(erased, 200);
        if (done !== 1) scene.fault(`${done} of the erasures of one medium were 200`);
      }
      await setRetention(scene, owner, adminKey);
      await eraseSessions(scene, owner);
    },
  },
];
