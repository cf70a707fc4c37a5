import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operations } from '../../../adapters/runtime/operations.js';
import type { Callers } from '../e2e/test-api.js';
import type { Media } from '../e2e/media.js';
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

export interface FoundInHeaps {
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
const placesFor = ({ videoId, audioId }: Media, ids: Ids) => {
  const known: Ids = {
    video_id: videoId,
    audio_id: audioId,
    account_id: 'owner',
    face_id: '1',
    speaker_id: '1',
    ...ids,
  };
  return Object.entries(operations).map(([operation, place]) => {
    const [method = '', template = ''] = place.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known[name] ?? 'none'));
    return { operation, method, path };
  });
};

/** The path of every GET endpoint for one medium and one of its runs. */
export const readablePaths = (media: Media, ids: Ids): ReadonlyArray<string> =>
  placesFor(media, ids)
    .filter(({ method }) => method === 'GET')
    .flatMap(({ operation, path }) => ['', ...(queries[operation] ?? [])].map((query) => `${path}${query}`));

/** The words in the answers to writes of a medium, each as `operation: word`. The bodies contain only the medium's ids. */
export const foundInWrites = async (
  { admin, owner, worker }: Callers,
  media: Media,
  words: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const found = new Set<string>();
  const body = JSON.stringify({ video_id: media.videoId, audio_id: media.audioId });
  for (const { operation, method, path } of placesFor(media, { position: '2' }).filter(
    (place) => place.method !== 'GET',
  ))
    for (const client of [admin, owner, worker]) {
      const { text } = await client.raw(method, path, body);
      words.filter((word) => text.includes(word)).forEach((word) => found.add(`${operation}: ${word}`));
    }
  return [...found];
};

/** The words in the answers of these paths to any caller, each as `path: word`. */
export const foundInAnswers = async (
  { admin, owner, worker }: Callers,
  paths: ReadonlyArray<string>,
  words: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const found = new Set<string>();
  for (const path of paths)
    for (const client of [admin, owner, worker]) {
      const { text } = await client.get(path);
      words.filter((word) => text.includes(word)).forEach((word) => found.add(`${path}: ${word}`));
    }
  return [...found];
};
