import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataFiles } from '../../../adapters/composition/data-files.js';
import { type Config, defaults } from '../../../adapters/config/config.js';
import type { Page } from '../../../application/ports/event-store.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { type EventSelection, everyEvent } from '../../../projections/event-selection.js';
import { AccountId, AudioId, VideoId } from '../../../domain/kernel/ids.js';
import { valid } from '../../projections/given.js';
import { mediaHistory, uuid } from '../../projections/history.js';
import { toNew } from '../../projections/read-models-world.js';
import { succeeded } from '../event-store/outcomes.js';
import { everyRecord } from '../selections.js';
import { ofSubjects } from '../event-store/events.js';
import { silentLog } from '../event-store/silent-log.js';

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
    video: valid(VideoId, uuid(1, number)),
    audio: valid(AudioId, uuid(2, number)),
    account: valid(AccountId, `owner-${number}`),
  }));
  const selections: ReadonlyArray<EventSelection> = [
    everyEvent,
    { ...everyEvent, category: 'video' },
    { ...everyEvent, actor: 'key' },
    { ...everyEvent, from: valid(Timestamp, '2024-01-01T00:00:00.000Z') },
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
export interface Originals {
  readonly closed: string;
  readonly killed: string;
  readonly older: string;
  /** The file with the answers of all of them. */
  readonly expected: string;
}

/** Creates the original folders. */
export const makeOriginals = async (folder: string): Promise<Originals> => {
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
