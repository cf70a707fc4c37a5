import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { columnsOf } from '../../../adapters/read-models/row-json.js';
import { openReadModels } from '../../../adapters/read-models/open.js';
import { VideoId } from '../../../domain/kernel/ids.js';
import { valid } from '../../projections/given.js';
import { mediaHistory, uuid } from '../../projections/history.js';
import { succeeded, until } from '../../support/event-store/outcomes.js';

/** Numbers of one run in a process of its own. */
export type Figures = Readonly<Record<string, number>>;

const interleaved = 20;
const categories = ['video', 'audio', 'matchRun', 'account'];

const eventsFile = (folder: string): string => join(folder, 'events.db');
const rowsFile = (folder: string): string => join(folder, 'read-models.db');
const peerFile = (folder: string): string => join(folder, 'peer.db');

/** The first video of each group of twenty, for this number of events. */
const firsts = (events: number): ReadonlyArray<number> => {
  const perTwenty = interleaved * mediaHistory(0, 'account').flatMap((append) => append.events).length;
  return Array.from({ length: Math.ceil(events / perTwenty) }, (_, twenty) => twenty * interleaved);
};

/** Fills a log with the events of many videos, twenty at a time. Returns the number of events. */
export const seed = async (folder: string, events: number): Promise<number> => {
  const { store, close } = openSqliteEventStore({ file: eventsFile(folder) });
  const revisions = new Map<string, number>();
  let appended = 0;
  for (const first of firsts(events)) {
    const lives = Array.from({ length: interleaved }, (_, index) =>
      mediaHistory(first + index, `account-${(first + index) % 100}`),
    );
    for (let step = 0; step < (lives[0]?.length ?? 0); step += 1)
      await Promise.all(
        lives.map(async (life) => {
          const append = life[step];
          if (append === undefined) return;
          const last = revisions.get(append.stream);
          const { revision } = await succeeded(store.append(append.stream, last ?? 'no_stream', append.events));
          revisions.set(append.stream, revision);
          appended += append.events.length;
        }),
      );
  }
  await close();
  return appended;
};

/** Runs the work. Returns events per second of time and of processor time of all threads, and memory. */
const timed = async (events: number, work: () => Promise<void>): Promise<Figures> => {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(before);
  global.gc?.();
  return {
    'events/s': events / seconds,
    'CPU µs/event': (user + system) / events,
    'greatest rss MB': process.resourceUsage().maxRSS / 1_024,
    'heap after MB': process.memoryUsage().heapUsed / 1_048_576,
  };
};

const rebuild = async (folder: string, events: number): Promise<Figures> => {
  ['', '-wal', '-shm'].forEach((suffix) => rmSync(`${rowsFile(folder)}${suffix}`, { force: true }));
  const { store, close } = openSqliteEventStore({ file: eventsFile(folder) });
  const head = await succeeded(store.head());
  const readModels = openReadModels({ file: rowsFile(folder), store });
  const figures = await timed(events, async () => {
    await succeeded(readModels.queries.reached(head ?? '', 600_000));
  });
  await readModels.close();
  await close();
  return figures;
};

/** The store's share of a rebuild: a subscription that does nothing with the events. */
const readOnly = async (folder: string, events: number): Promise<Figures> => {
  const { store, close } = openSqliteEventStore({ file: eventsFile(folder) });
  const figures = await timed(events, async () => {
    let isRead = false;
    store.subscribe(
      null,
      { categories },
      {
        onPage: () => Promise.resolve(),
        onCaughtUp: () => {
          isRead = true;
        },
        onFailure: (failure) => {
          throw failure;
        },
      },
    );
    await until('read', () => isRead, 600_000);
  });
  await close();
  return figures;
};

const eventsPerTransaction = 4_000;

/** The minimal projector in this library: parses each event and replaces one row. */
const peer = (folder: string, events: number): Promise<Figures> => {
  ['', '-wal', '-shm'].forEach((suffix) => rmSync(`${peerFile(folder)}${suffix}`, { force: true }));
  const log = new Database(eventsFile(folder));
  const db = new Database(peerFile(folder));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  db.exec('CREATE TABLE rows (stream TEXT PRIMARY KEY, row TEXT NOT NULL) STRICT');
  const insert = db.prepare('INSERT OR REPLACE INTO rows (stream, row) VALUES (?, ?)');
  const page = log.prepare('SELECT position, stream, data FROM events WHERE position > ? ORDER BY position LIMIT ?');
  return timed(events, async () => {
    for (let after = 0; ;) {
      const rows = page.raw(true).all(after, eventsPerTransaction);
      if (rows.length === 0) break;
      db.exec('BEGIN IMMEDIATE');
      for (const row of rows) {
        const [position, stream, data] = columnsOf(row);
        const parsed: unknown = JSON.parse(String(data));
        insert.run(String(stream), JSON.stringify(parsed));
        after = Number(position);
      }
      db.exec('COMMIT');
      await new Promise((resolve) => setImmediate(resolve));
    }
    log.close();
    db.close();
  });
};

const questions = 20_000;

const microseconds = async (ask: (turn: number) => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  for (let turn = 0; turn < questions; turn += 1) await ask(turn);
  return ((performance.now() - from) / questions) * 1_000;
};

const id = (number: number): VideoId => valid(VideoId, uuid(1, number));

/** A start with existing read models, and the queries that every request needs. */
const start = async (folder: string): Promise<Figures> => {
  const { store, close } = openSqliteEventStore({ file: eventsFile(folder) });
  const head = await succeeded(store.head());
  const begin = performance.now();
  const readModels = openReadModels({ file: rowsFile(folder), store });
  await succeeded(readModels.queries.reached(head ?? '', 60_000));
  const started = performance.now() - begin;
  const figures = {
    'start ms': started,
    'rss MB': process.memoryUsage().rss / 1_048_576,
    'one video µs': await microseconds(() => readModels.queries.video(id(7))()),
    'any of 10,000 videos µs': await microseconds((turn) => readModels.queries.video(id((turn * 7_919) % 10_000))()),
    'unknown key µs': await microseconds(() => readModels.queries.keyByHash('unknown')()),
  };
  await readModels.close();
  await close();
  return figures;
};

export const measures = { 'the store alone': readOnly, peer, rebuild, start } as const;
