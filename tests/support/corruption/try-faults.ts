import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  writeFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import { openDataFiles } from '../../../adapters/composition/data-files.js';
import { type Config, defaults } from '../../../adapters/config/config.js';
import type { Page } from '../../../application/ports/event-store.js';
import { AccountId, AudioId, VideoId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { type EventSelection, everyEvent } from '../../../projections/event-selection.js';
import { made } from '../values.js';
import { mediaHistory, uuid } from '../../projections/history.js';
import { toNew } from '../../projections/read-models-world.js';
import { succeeded, ofSubjects, silentLog } from '../event-store/stores.js';
import { randomFrom } from '../realtime/random.js';
import { everyRecord } from '../selections.js';

type Opened = Awaited<ReturnType<typeof openDataFiles>>;

const videos = 12;
const owner = (number: number): string => `owner-${number % 3}`;

export const configOf = (data_dir: string): Config => ({ ...defaults, data_dir });

/** The events of the videos `from` to `to`, with an account for each. */
const fill = async ({ events: { store } }: Opened, from: number, to: number): Promise<void> => {
  const revisions = new Map<string, number>();
  for (let number = from; number < to; number += 1) {
    const account_id = `owner-${number}`;
    const opening = { account_id, name: `Owner ${number} of é and 漢字`, at: '2024-01-01T00:00:00.000Z' };
    await succeeded(store.append(`account-${account_id}`, 'no_stream', [toNew('AccountOpened.v1', opening)]));
    for (const { stream, events } of mediaHistory(number, owner(number))) {
      const { revision } = await succeeded(
        store.append(stream, revisions.get(stream) ?? 'no_stream', ofSubjects(stream, events)),
      );
      revisions.set(stream, revision);
    }
  }
};

/** The answers to all queries of the read models and the log, as one text. Rejects if any is refused. */
export const allAnswers = async ({ events: { store }, readModels: { queries } }: Opened): Promise<string> => {
  const listing = { limit: 1_000, cursor: null };
  const numbers = Array.from({ length: videos }, (_, number) => number);
  const ids = numbers.map((number) => ({
    video: made(VideoId, uuid(1, number)),
    audio: made(AudioId, uuid(2, number)),
    account: made(AccountId, `owner-${number}`),
  }));
  const selections: ReadonlyArray<EventSelection> = [
    everyEvent,
    { ...everyEvent, category: 'video' },
    { ...everyEvent, actor: 'key' },
    { ...everyEvent, from: made(Timestamp, '2024-01-01T00:00:00.000Z') },
    ...ids.map(({ video }) => ({ ...everyEvent, stream: `video-${video}` })),
  ];
  const head = await succeeded(store.head());
  if (head !== null) await succeeded(queries.reached(head, 10_000));
  const answers: unknown[] = [
    await succeeded(queries.videos(everyRecord(null), listing)),
    await succeeded(queries.audios(everyRecord(null), listing)),
    await succeeded(queries.lateWrites(listing)),
  ];
  for (const { video, audio, account } of ids) {
    answers.push(await succeeded(queries.video(video)), await succeeded(queries.audio(audio)));
    answers.push(await succeeded(queries.matchRuns(video, listing)), await succeeded(queries.account(account)));
    answers.push(await succeeded(store.read(`video-${video}`, -1, 500)));
    answers.push(await succeeded(store.read(`audio-${audio}`, -1, 500)));
  }
  for (const selection of selections)
    answers.push(await succeeded(queries.events(selection, { ...listing, until: null })));
  for (let after: string | null = null; ;) {
    const page: Page = await succeeded(store.readAll(after, {}, 200));
    answers.push(page.events);
    if (page.examined === null) return JSON.stringify(answers);
    after = page.examined;
  }
};

/** Folders to damage: one that was closed, one as a killed process leaves it, and an older one. */
interface Originals {
  readonly closed: string;
  readonly killed: string;
  readonly older: string;
  /** The file with the answers of all of them. */
  readonly expected: string;
}

/** Creates the original folders. */
const makeOriginals = async (folder: string): Promise<Originals> => {
  const at = (name: string): string => join(folder, name);
  const [data, closed, killed, older] = [at('data'), at('closed'), at('killed'), at('older')];
  mkdirSync(data);
  const first = await openDataFiles(configOf(data), silentLog);
  await fill(first, 0, videos / 2);
  await succeeded(first.readModels.queries.reached((await succeeded(first.events.store.head())) ?? '', 10_000));
  await first.close();
  cpSync(data, older, { recursive: true });
  const second = await openDataFiles(configOf(data), silentLog);
  await fill(second, videos / 2, videos);
  const expected = join(folder, 'expected.json');
  writeFileSync(expected, await allAnswers(second));
  cpSync(data, killed, { recursive: true });
  await second.close();
  cpSync(data, closed, { recursive: true });
  return { closed, killed, older, expected };
};

const pageSize = 4_096;

interface Damage {
  /** The file in a copy of a folder, and the same file in an older one. */
  readonly file: string;
  readonly older: string;
  /** A random whole number from 0 up to, but not including, the limit. */
  readonly below: (limit: number) => number;
}

const overwrite = (file: string, at: number, bytes: Uint8Array): void => {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
};

const sizeOf = (file: string): number => readFileSync(file).length;

const bytes = (below: Damage['below'], length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));

const pageOf = (file: string, page: number): Uint8Array =>
  readFileSync(file).subarray(page * pageSize, (page + 1) * pageSize);

const anyPage = (file: string, below: Damage['below']): number => below(Math.ceil(sizeOf(file) / pageSize));

/** The WAL if there is one, otherwise the file itself. */
const walOf = (file: string): string => (existsSync(`${file}-wal`) && sizeOf(`${file}-wal`) > 0 ? `${file}-wal` : file);

const flip = (file: string, below: Damage['below']): void => {
  const content = readFileSync(file);
  const at = below(content.length);
  overwrite(file, at, Uint8Array.of((content[at] ?? 0) ^ (1 << below(8))));
};

/** Writes a byte that is invalid in UTF-8 into a text of the file. */
const breakText = (file: string, below: Damage['below']): void => {
  const content = readFileSync(file);
  const from = below(content.length);
  const letter = content.findIndex((byte, at) => at >= from && byte >= 97 && byte <= 122);
  overwrite(file, letter === -1 ? from : letter, Uint8Array.of(0xff));
};

/** The kinds of damage to a data file. */
const faults: Readonly<Record<string, (damage: Damage) => void>> = {
  'one bit': ({ file, below }) => flip(file, below),
  'one bit of the WAL': ({ file, below }) => flip(walOf(file), below),
  'some bytes': ({ file, below }) => overwrite(file, below(sizeOf(file)), bytes(below, 1 + below(64))),
  'a byte that is no UTF-8': ({ file, below }) => breakText(file, below),
  'a byte of the WAL that is no UTF-8': ({ file, below }) => breakText(walOf(file), below),
  'a page of zeros': ({ file, below }) => overwrite(file, anyPage(file, below) * pageSize, new Uint8Array(pageSize)),
  'a page of noise': ({ file, below }) => overwrite(file, anyPage(file, below) * pageSize, bytes(below, pageSize)),
  'a page of another place': ({ file, below }) =>
    overwrite(file, anyPage(file, below) * pageSize, pageOf(file, anyPage(file, below))),
  'a page of an older copy': ({ file, older, below }) => {
    const page = anyPage(older, below);
    overwrite(file, page * pageSize, pageOf(older, page));
  },
  'cut off': ({ file, below }) => truncateSync(file, below(sizeOf(file))),
  'cut off at a page': ({ file, below }) => truncateSync(file, anyPage(file, below) * pageSize),
  'cut off WAL': ({ file, below }) => truncateSync(walOf(file), below(sizeOf(walOf(file)))),
  'no WAL': ({ file }) => rmSync(`${file}-wal`, { force: true }),
  'an older copy': ({ file, older }) => {
    ['-wal', '-shm'].forEach((suffix) => rmSync(`${file}${suffix}`, { force: true }));
    copyFileSync(older, file);
  },
  'an older copy beside the WAL': ({ file, older }) => copyFileSync(older, file),
  emptied: ({ file }) => writeFileSync(file, ''),
  removed: ({ file }) => rmSync(file),
};

const program = fileURLToPath(new URL('./probe-process.js', import.meta.url));
const Answer = t.type({ outcome: t.string, reason: t.string });

type DataFile = 'events.db' | 'read-models.db';

/** The result of one fault; `aborted`: it ended the process. */
export interface Tried {
  readonly file: DataFile;
  readonly seed: number;
  readonly fault: string;
  readonly outcome: string;
  readonly reason: string;
}

const longest = 60_000;

/** Opens a folder in a process of its own. */
const probed = (folder: string, expected: string): Promise<t.TypeOf<typeof Answer>> =>
  new Promise((resolve) => {
    const options = { timeout: longest, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [program, folder, expected], options, (error, stdout) => {
      const answer: unknown = stdout === '' ? null : JSON.parse(stdout);
      if (Answer.is(answer)) resolve(answer);
      else if (error?.killed === true) resolve({ outcome: 'hanging', reason: `no answer in ${longest} ms` });
      else resolve({ outcome: 'aborted', reason: String(error?.signal ?? error?.code) });
    });
  });

/** Faults that put well-formed content in the place of other content, or change an index: SQLite may notice neither. */
const unnoticed = ['one bit', 'some bytes', 'no UTF-8', 'page of', 'older copy'];

/**
 * Whether a result is permitted: damaged read models are rebuilt if the damage is noticed, a damaged log is refused with
 * its name, or served with faults that an audit names.
 */
export const isAllowed = ({ file, fault, outcome, reason }: Tried): boolean =>
  outcome === 'right' ||
  (file === 'read-models.db' && outcome === 'wrong' && unnoticed.some((name) => fault.includes(name))) ||
  (file === 'events.db' && (outcome === 'named' || (outcome === 'refused' && reason.includes('event log'))));

/**
 * Tries the faults that these seeds determine in both files, each in a copy of the folder that was closed or of the one that
 * a killed process left; several at the same time.
 */
export const tryFaults = async (
  folder: string,
  seeds: ReadonlyArray<number>,
  onTried: (tried: Tried) => void,
  processes = 2,
): Promise<void> => {
  const kinds = Object.entries(faults);
  const originals = await makeOriginals(folder);
  const files: ReadonlyArray<DataFile> = ['events.db', 'read-models.db'];
  const work = seeds.flatMap((seed) => files.map((file) => ({ seed, file })));
  const runOne = async (): Promise<void> => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      const { seed, file } = next;
      const random = randomFrom(seed);
      const below = (limit: number): number => Math.floor(random() * limit);
      const [fault, damage] = kinds[seed % kinds.length] ?? ['', () => undefined];
      const copy = join(folder, `${file}-${seed}`);
      cpSync(random() < 0.5 ? originals.killed : originals.closed, copy, { recursive: true });
      damage({ file: join(copy, file), older: join(originals.older, file), below });
      const first = await probed(copy, originals.expected);
      // A service that SQLite ended at damaged read models is started again, and rebuilds them.
      const isRestarted = first.outcome === 'aborted' && file === 'read-models.db';
      onTried({ file, seed, fault, ...(isRestarted ? await probed(copy, originals.expected) : first) });
      rmSync(copy, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: processes }, runOne));
};
