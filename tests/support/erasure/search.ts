import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { marts } from '../../../projections/audit/marts/catalogue.js';
import { endpointsAt } from '../e2e/endpoints.js';
import { runCommand } from '../e2e/command.js';
import type { Media } from '../e2e/media.js';
import type { Callers } from '../e2e/test-api.js';
import { temporaryFolder } from '../event-store/stores.js';
import { connect, recorded, take } from '../event-store/use-adapter.js';
import type { HttpAnswer, HttpClient } from '../http-client.js';
import type { ServiceProcess } from '../service-process.js';
import { foundIn } from './bytes.js';

const folderOf = (data_dir: string): string => join(tmpdir(), `heaps-of-${data_dir.split('/').at(-1) ?? ''}`);

/** Options of node that let a service write heap snapshots of its threads, with complete strings. */
export const showsHeaps = (data_dir: string) => ({
  node: [
    '--expose-gc',
    '--heap-snapshot-string-limit=100000000',
    '--import',
    fileURLToPath(new URL('./heap-of-threads.js', import.meta.url)),
  ],
  env: { HEAP_FOLDER: folderOf(data_dir) },
});

interface FoundInHeaps {
  readonly threads: number;
  /** Each as `snapshot: word`. */
  readonly found: ReadonlyArray<string>;
}

/** The words in the heaps of a service's threads. */
export const foundInHeaps = async (
  { pid, hasEnded }: ServiceProcess,
  data_dir: string,
  words: ReadonlyArray<string>,
): Promise<FoundInHeaps> => {
  const folder = folderOf(data_dir);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  process.kill(pid, 'SIGUSR2');
  const written = join(folder, 'written');
  while (!existsSync(written)) {
    if (hasEnded()) throw new Error('the service ended while it wrote the heap snapshots');
    await setTimeout(100);
  }
  const threads = Number(readFileSync(written, 'utf8'));
  const found = await foundIn(folder, words);
  rmSync(folder, { recursive: true });
  return { threads, found };
};

/** Queries with which an endpoint returns more, or something else. */
const queries: Readonly<Record<string, ReadonlyArray<string>>> = {
  'videos.list': ['?expand=audio', '?title=a', '?tag=label.fruit'],
  'videos.get': ['?at=2'],
  'videos.tracks': ['?boxes=true'],
  'audios.get': ['?at=2'],
  'audit.events': ['?category=video', '?category=audio', '?category=idempotencyKey', '?type=SuggestionsStored'],
};

type Ids = Readonly<Record<string, string>>;

/** The path of every operation for one medium, with further ids. */
const placesFor = ({ videoId, audioId }: Media, ids: Ids) =>
  endpointsAt({ video_id: videoId, audio_id: audioId, account_id: 'owner', face_id: '1', speaker_id: '1', ...ids });

/** The path of every GET endpoint for one medium and one of its runs. */
export const readablePaths = (media: Media, ids: Ids): ReadonlyArray<string> =>
  placesFor(media, ids)
    .filter(({ method }) => method === 'GET')
    .flatMap(({ operation, path }) => ['', ...(queries[operation] ?? [])].map((query) => `${path}${query}`));

type Words = ReadonlyArray<string>;

const wordsIn = (text: string, words: Words): Words => words.filter((word) => text.includes(word));

/** The words in what these callers are answered, each as `place: word`. */
const foundBy = async (
  { admin, owner, worker }: Callers,
  places: ReadonlyArray<readonly [place: string, ask: (client: HttpClient) => Promise<HttpAnswer>]>,
  words: Words,
): Promise<Words> => {
  const found = new Set<string>();
  for (const [place, ask] of places)
    for (const client of [admin, owner, worker])
      wordsIn((await ask(client)).text, words).forEach((word) => found.add(`${place}: ${word}`));
  return [...found];
};

/** The words in the answers to writes of a medium, each as `operation: word`. The bodies contain only the medium's ids. */
export const foundInWrites = (callers: Callers, media: Media, words: Words): Promise<Words> => {
  const body = JSON.stringify({ video_id: media.videoId, audio_id: media.audioId });
  const writes = placesFor(media, { position: '2' }).filter(({ method }) => method !== 'GET');
  return foundBy(
    callers,
    writes.map(({ operation, method, path }) => [operation, (client) => client.raw(method, path, body)]),
    words,
  );
};

/** The words in the answers of these paths to any caller, each as `path: word`. */
export const foundInAnswers = (callers: Callers, paths: ReadonlyArray<string>, words: Words): Promise<Words> =>
  foundBy(
    callers,
    paths.map((path) => [path, (client) => client.get(path)]),
    words,
  );

/** The words in the marts of a data folder's log, each as `mart: word`. The files are compressed, so their rows are queried. */
export const foundInMarts = async (data_dir: string, words: Words): Promise<Words> => {
  const { path: folder, remove } = await temporaryFolder();
  const { code, out, err } = await runCommand(['audit', 'export', '--marts', '--out', folder], { DATA_DIR: data_dir });
  if (code !== 0) throw new Error(`${out}${err}`);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const found: string[] = [];
  for (const name of Object.keys(marts)) {
    const rows = await connection.runAndReadAll(`SELECT * FROM '${join(folder, `${name}.parquet`)}'`);
    found.push(...wordsIn(JSON.stringify(rows.getRowObjectsJson()), words).map((word) => `${name}: ${word}`));
  }
  connection.closeSync();
  await remove();
  return found;
};

/**
 * The words that `audit explain` prints about the faces and speakers of a medium, known to it or not. Its JSON contains
 * everything; the text form is checked for one face and one speaker.
 */
export const foundInExplanations = async (
  data_dir: string,
  media: Media,
  words: Words,
  ids: ReadonlyArray<string> = ['1', '2', '3'],
): Promise<Words> => {
  const found: string[] = [];
  for (const which of ids)
    for (const subject of [`face ${media.videoId}`, `speaker ${media.audioId}`])
      for (const form of which === '1' ? [[], ['--json']] : [['--json']]) {
        const args = ['audit', 'explain', ...subject.split(' '), which, ...form];
        const { out, err } = await runCommand(args, { DATA_DIR: data_dir });
        found.push(...wordsIn(`${out}${err}`, words).map((word) => `${subject} ${which}: ${word}`));
      }
  return found;
};

/** The words that an EventStoreDB client reads in a log served on a port. */
export const foundByClients = async (port: number, words: Words): Promise<Words> => {
  const client = connect(`esdb://127.0.0.1:${port}?tls=false`);
  const events = recorded(await take(client.readAll()));
  await client.dispose();
  if (events.length === 0) throw new Error('it read nothing');
  return wordsIn(
    JSON.stringify(events, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    words,
  );
};
