import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import type { EventStore, NewEvent } from '../../application/ports/event-store.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { succeeded, temporaryFolder } from '../support/event-store/stores.js';
import { median, quick, whole } from './support/figures.js';

const runs = quick ? 1 : 5;
const singles = quick ? 50 : 1_500;
const writers = 64;
const appendsEach = quick ? 5 : 150;

/** An event of 306 bytes, with its ids, stream and type. */
const eventOf = (number: number): NewEvent => ({
  id: randomUUID(),
  type: `FacesMatched${number % 12}.v1`,
  data: { run_id: `run-${number}`, note: 'x'.repeat(72), score: number / 7 },
  metadata: { correlation_id: randomUUID(), schema_version: 1, recorded_at: '2024-01-01T00:00:00.000Z' },
});

const perSecond = async (count: number, work: () => Promise<void> | void): Promise<number> => {
  const start = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - start);
};

const appendOneByOne = async (store: EventStore, stream: string, count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1)
    await succeeded(store.append(stream, number === 0 ? 'no_stream' : number - 1, [eventOf(number)]));
};

const plainInserts = (file: string): Promise<number> => {
  const db = new Database(file);
  ['journal_mode = WAL', 'synchronous = FULL'].forEach((setting) => db.exec(`PRAGMA ${setting}`));
  db.exec(`CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, event_id TEXT UNIQUE,
           type TEXT, data TEXT, metadata TEXT, UNIQUE (stream, revision))`);
  const insert = db.prepare(
    'INSERT INTO events (stream, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return perSecond(singles, () => {
    for (let number = 0; number < singles; number += 1) {
      const { id, type, data, metadata } = eventOf(number);
      insert.run('video-1', number, id, type, JSON.stringify(data), JSON.stringify(metadata));
    }
  }).finally(() => db.close());
};

const oneRun = async (): Promise<Readonly<Record<string, number>>> => {
  const { path, remove } = await temporaryFolder();
  const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
  const many = Array.from({ length: writers }, (_, writer) => `audio-${writer}`);
  const figures = {
    'peer: plain libsql insert, single': await plainInserts(join(path, 'plain.db')),
    'durable appends, 1 writer': await perSecond(singles, () => appendOneByOne(store, 'video-1', singles)),
    'durable appends, 64 writers': await perSecond(writers * appendsEach, async () => {
      await Promise.all(many.map((stream) => appendOneByOne(store, stream, appendsEach)));
    }),
  };
  await close();
  await remove();
  return figures;
};

const all: Array<Readonly<Record<string, number>>> = [];
for (let run = 0; run < runs; run += 1) all.push(await oneRun());
console.table(
  Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => {
      const values = all.map((figures) => figures[name] ?? Number.NaN);
      return [name, { 'median /s': whole(median(values)), 'best /s': whole(Math.max(...values)) }];
    }),
  ),
);
