import { join } from 'node:path';
import { systemIds } from '../../adapters/runtime/ids.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { aggregates } from '../../application/application.js';
import type { CommandContext } from '../../application/commands/context.js';
import { toNewEvent } from '../../application/commands/context.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { httpClient } from '../support/http-client.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { startServiceProcess } from '../support/service-process.js';
import { accountId, at, faceId, personName, videoId } from '../support/values.js';
import { analysed, face } from '../support/video-events.js';
import { median, quick, took, whole } from './support/figures.js';
import { issueKey } from './support/media.js';

/* Does a command cost more on a long stream? The same commands on a stream of 10 and on one of 10,000 events. */

const lengths = quick ? [10, 1_000] : [10, 10_000];
const rounds = quick ? 3 : 21;
const commands = quick ? 10 : 50;

const context = (): CommandContext => ({
  actor: { key_id: 'bench', account_id: 'bench' },
  correlation_id: 'bench',
  causation_id: 'bench',
  at: at(0),
  if_revision: null,
  follows: null,
  event_id: () => systemIds.random(),
});

const nameOf = (index: number) => personName(`Name ${index % 2} of ${Math.floor(Math.random() * 1e9)}`);

const rename = (index: number) =>
  ({ type: 'RenameFaces', faces: [{ face_id: faceId(0), name: nameOf(index) }], at: at(0) }) as const;

/** The events of a video that was renamed many times. */
const fill = async (store: EventStore, id: string, length: number): Promise<void> => {
  const renamed = (index: number) => {
    const names = { name: `Name ${index}`, previous_name: index === 0 ? 'Face 0' : `Name ${index - 1}` };
    const named_by = { before: index === 0 ? ('analysis' as const) : ('person' as const), after: 'person' as const };
    const data = {
      faces: [{ face_id: faceId(0), ...names, named_by }],
      cause: { kind: 'request' as const },
      at: at(0),
    };
    return { type: 'FacesRenamed' as const, data };
  };
  const events = [
    {
      type: 'VideoRegistered' as const,
      data: {
        video_id: videoId(id),
        owner_id: accountId('owner'),
        title: null,
        kind: 'upload' as const,
        media_url: null,
        audio_id: null,
      },
    },
    analysed([face(0, 'Face 0'), face(1, 'Face 1')]),
    ...Array.from({ length: length - 2 }, (_, index) => renamed(index)),
  ];
  for (let first = 0; first < length; first += 500)
    await succeeded(
      store.append(
        `video-${id}`,
        first === 0 ? 'no_stream' : first - 1,
        events.slice(first, first + 500).map((event) => toNewEvent(event, context(), 0, `video-${id}`)),
      ),
    );
};

const { path, remove } = await temporaryFolder();
const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
for (const length of lengths) await fill(store, `of-${length}`, length);

/** Milliseconds per command for each length, interleaved. */
const measured = async (command: (id: string, index: number) => Promise<unknown>): Promise<ReadonlyArray<number>> => {
  const all = lengths.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [which, length] of lengths.entries()) {
      const spent = await took(async () => {
        for (let index = 0; index < commands; index += 1) await command(`of-${length}`, index);
      });
      if (round > 0) all[which]?.push(spent / commands);
    }
  return all.map(median);
};

const longest = `of-${lengths.at(-1)}`;
const folds: number[] = [];
for (let run = 0; run < (quick ? 1 : 9); run += 1)
  folds.push(await took(() => succeeded(aggregates(store).videos.load(longest))));

const { videos } = aggregates(store);
const inProcess = await measured((id, index) => succeeded(videos.handle(videoId(id), rename(index), context())));
await close();

const service = await startServiceProcess(path);
const client = httpClient(service.url, await issueKey(service.url, 'owner'));
const overHttp = await measured(async (id, index) => {
  const { status, text } = await client.put(`/v1/videos/${id}/faces/names`, [{ face_id: 0, name: nameOf(index) }]);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
});
await service.stop();
await remove();

const row = ([short = 0, long = 0]: ReadonlyArray<number>) => ({
  [`ms at ${lengths[0]}`]: Number(short.toFixed(3)),
  [`ms at ${whole(lengths[1] ?? 0)}`]: Number(long.toFixed(3)),
  ratio: Number((long / short).toFixed(2)),
});
console.table({ 'command in process': row(inProcess), 'command over HTTP': row(overHttp) });
const fold = median(folds);
console.log(
  `Fold of ${whole(lengths.at(-1) ?? 0)} events from cold: ${whole(fold)} ms, ` +
    `${whole(((lengths.at(-1) ?? 0) * 1_000) / fold)} events/s`,
);
