import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { type ClientOptions, MediaAnalysis } from '../client/index.js';
import { defaults } from '../config/config.js';
import { inPackage } from '../runtime/package-files.js';
import type { CommandNeeds } from '../cli/surroundings.js';

const mostLines = 20;
const mostOfText = 200;
/** Text indented by four fits on a terminal of 80 columns. */
const width = 74;
const indent = (text: string): string => text.replaceAll(/^/gm, '    ');

const whole = { depth: null, maxArrayLength: null, breakLength: width, compact: 4 };

const readable = (json: string, full: boolean): string => {
  const value: unknown = JSON.parse(json);
  if (full) return inspect(value, { ...whole, maxStringLength: null });
  const lines = inspect(value, { ...whole, maxStringLength: mostOfText }).split('\n');
  const left = lines.length - mostLines;
  return left <= 1 ? lines.join('\n') : [...lines.slice(0, mostLines), `… ${left} more lines`].join('\n');
};

/** `fetch` that prints requests and answers. */
const printing =
  (print: (line: string) => void, full: boolean): NonNullable<ClientOptions['fetch']> =>
  async (url, init) => {
    const response = await fetch(url, init);
    const { status, headers } = response;
    const body = await response.text();
    const { pathname, search } = new URL(url);
    const position = headers.get('X-Event-Position');
    print(`  ${init.method} ${pathname}${search}`);
    if (init.body !== undefined && init.body !== '{}') print(indent(readable(init.body, full)));
    print(`  → ${status}${position === null ? '' : `, event position ${position}`}`);
    print(indent(readable(body, full)));
    return { status, headers, text: async () => body };
  };

interface Access {
  readonly url: string;
  readonly key: string;
}

/** Calls a service with a key and prints the requests and answers. */
const conversation = ({ url: baseUrl, key: apiKey }: Access, print: (line: string) => void, full: boolean) => ({
  title: (text: string) => print(`\n${text}`),
  note: (line: string) => print(`  ${line}`),
  /** Prints each request with its answer. */
  shown: new MediaAnalysis({ baseUrl, apiKey, fetch: printing(print, full) }),
  /** Prints nothing. */
  quiet: new MediaAnalysis({ baseUrl, apiKey }),
});

type Conversation = ReturnType<typeof conversation>;

/** Starts a service on a free port with data of its own, which is removed when it stops. */
const startDemo = async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'media-analysis-demo-'));
  const key = randomUUID();
  const { startService } = await import('./service.js');
  const service = await startService({ ...defaults, port: 0, data_dir, admin_api_key: key, log_level: 'warn' });
  await service.firstAdminKey;
  return {
    url: service.url,
    key,
    stop: async (): Promise<void> => {
      await service.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
};

const videoId = 'demo-clip';
const audioId = 'demo-clip-audio';

const clip = (file: string): string =>
  relative('.', fileURLToPath(inPackage(`adapters/composition/demo-clip/${file}`)));

/** Imports the five minutes of a film that ship with the project (see the NOTICE file beside them). */
const importClip = async (to: Access): Promise<ReadonlyArray<string>> => {
  const { importFiles } = await import('../import/import-files.js');
  const files = [clip('faces.csv'), clip('turns.rttm')];
  const imported = await importFiles({ ...to, videoId, audioId, files, title: 'Five minutes of a film' });
  if (E.isRight(imported)) return imported.right.text;
  throw new Error(imported.left.messages.join('\n'));
};

/** Prints the faces that have a speaker. */
const matchedFaces = async ({ quiet, note }: Conversation, when: string): Promise<void> => {
  const { faces } = await quiet.videos.get(videoId);
  const matched = faces.filter(({ speaker_id }) => speaker_id !== null);
  const pairs = matched.map(({ id, name, speaker_id }) => `face ${id} "${name}" = speaker ${speaker_id}`);
  note(`${when}: ${pairs.length === 0 ? 'no face has a speaker' : pairs.join(', ')}`);
};

const undo = async (talk: Conversation, position: string): Promise<void> => {
  await matchedFaces(talk, 'before');
  await talk.shown.videos.revert(videoId, position, { dry_run: true });
  await talk.shown.videos.revert(videoId, position);
  await matchedFaces(talk, 'after');
};

const mainJob = async (talk: Conversation, to: Access): Promise<void> => {
  const { title, note, shown } = talk;
  title('1. A real clip comes in: face tracks of a video analysis, turns of a diarisation');
  (await importClip(to)).forEach(note);

  title('2. Ask for suggestions: nothing is written to the faces');
  const run = await shown.runs.wait(await shown.matches.suggest(videoId));
  if (run.state !== 'completed') throw new Error(`the run is ${run.state}`);

  title('3. The suggestion block: who is who, how sure, and why');
  const block = await shown.matches.suggestions(videoId);

  title('4. Commit it by sending the block back as it is');
  const { response } = await shown.matches.commit(videoId, block).withResponse();

  title('5. Name a speaker: the matched face follows');
  await shown.speakers.rename(audioId, [{ speaker_id: 0, name: 'Ada Example' }]);
  await shown.videos.get(videoId);

  title('6. Undo the commit: the faces lose their speakers, and keep the name given since');
  await undo(talk, response.position ?? '');

  title('7. Every step is an event that can be read back');
  const events = await shown.videos.history(videoId).toArray();
  events.forEach(({ position, type }) => note(`${position} ${type}`));
  await shown.runs.list(videoId).toArray();
};

/** `media-analysis demo`: the main steps on a real clip, with each request and answer; ends by itself. */
export const demoCommand = ({ print }: CommandNeeds): Command =>
  new Command('demo')
    .description('show the main job on a real clip: import, suggest, commit, undo, history; leaves nothing behind')
    .option('--full', 'show all lines of requests and answers')
    .action(async ({ full = false }: { readonly full?: boolean }) => {
      const { stop, ...access } = await startDemo();
      try {
        await mainJob(conversation(access, print, full), access);
        print('\nDone: the service stops, and its data goes with it.');
      } finally {
        await stop();
      }
    });
