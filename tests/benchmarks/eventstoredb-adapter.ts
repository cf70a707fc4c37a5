import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { addressOf } from '../support/event-store/address-of.js';
import { startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { freshCategory, freshStream, newEvent, newEvents } from '../support/event-store/events.js';
import { succeeded, until } from '../support/event-store/outcomes.js';
import { silentLog } from '../support/event-store/silent-log.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { median, quick, took, whole } from './support/figures.js';

/*
 * The EventStoreDB adapter beside a bare script with the same client and the same protocol server, which runs in a
 * process of its own: 64 writers, each with a stream of its own and one durable event at a time. The client has two
 * ways to append: one call for all (batch append), which is not safe when a server dies (see docs/decisions), and one
 * call for each (plain append). Both are measured. Then a subscription under 5,000 events a second, and reading the log.
 * Processor time is that of this process, without the server's.
 */

const writers = 64;
const seconds = quick ? 1 : 5;
/** Short alternating rounds, so that other load on the machine affects all equally. */
const rounds = quick ? 1 : 15;
const roundMs = 1_000;
const text = 'x'.repeat(200);
const credentials = { username: 'none', password: 'none' };

const { path, remove } = await temporaryFolder();
const server = await startServerProcess({ file: `${path}/events.db`, node: [] });
const bare = EventStoreDBClient.connectionString(server.url);
const { store, close } = openEventStoreDb(addressOf(server.url), silentLog);

type Append = (stream: string, revision: number) => Promise<unknown>;

const ways: Readonly<Record<string, Append>> = {
  'bare client, batch append': (stream, revision) =>
    bare.appendToStream(stream, jsonEvent({ id: randomUUID(), type: 'Benchmarked.v1', data: { text } }), {
      expectedRevision: revision < 0 ? 'no_stream' : BigInt(revision),
    }),
  'bare client, plain append': (stream, revision) =>
    bare.appendToStream(stream, jsonEvent({ id: randomUUID(), type: 'Benchmarked.v1', data: { text } }), {
      expectedRevision: revision < 0 ? 'no_stream' : BigInt(revision),
      credentials,
    }),
  adapter: (stream, revision) =>
    succeeded(store.append(stream, revision < 0 ? 'no_stream' : revision, [newEvent({ data: { text } })])),
};

/** Microseconds of processor time that this process has taken. */
const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

interface Measured {
  readonly per_second: number;
  /** Microseconds of processor time of one. */
  readonly each: number;
}

const measure = async (append: Append): Promise<Measured> => {
  const before = processor();
  const end = performance.now() + roundMs;
  let appended = 0;
  const write = async (stream: string): Promise<void> => {
    for (let revision = -1; performance.now() < end; revision += 1) {
      await append(stream, revision);
      appended += 1;
    }
  };
  const milliseconds = await took(() =>
    Promise.all(Array.from({ length: writers }, () => write(freshStream()))).then(() => undefined),
  );
  return { per_second: (appended / milliseconds) * 1_000, each: (processor() - before) / appended };
};

const compare = async (): Promise<void> => {
  const measured = new Map(Object.keys(ways).map((name) => [name, [] as Measured[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, append] of Object.entries(ways)) measured.get(name)?.push(await measure(append));
  const middle = (name: string, pick: (one: Measured) => number): number =>
    median((measured.get(name) ?? []).map(pick));
  const adapter = middle('adapter', ({ per_second }) => per_second);
  for (const name of Object.keys(ways)) {
    const rate = middle(name, ({ per_second }) => per_second);
    const each = middle(name, (one) => one.each);
    console.log(
      `${name}: ${whole(rate)} appends/s, ${whole(each)} µs of processor time each; ` +
        `the adapter has ${(adapter / rate).toFixed(2)} of the rate`,
    );
  }
};

/** Appends at a steady rate, and returns how far a subscription is behind at the end. */
const keepUp = async (log: EventStore, perSecond: number): Promise<void> => {
  const category = freshCategory();
  const stream = freshStream(category);
  let received = 0;
  const subscription = log.subscribe(
    await succeeded(log.head()),
    { categories: [category] },
    {
      onPage: ({ events }) => {
        received += events.length;
        return Promise.resolve();
      },
      onFailure: (failure) => console.log('the subscription failed', failure),
    },
  );
  const batch = perSecond / 50;
  let revision = -1;
  let most = 0;
  const start = performance.now();
  for (let turn = 0; turn < seconds * 50; turn += 1) {
    await succeeded(store.append(stream, revision < 0 ? 'no_stream' : revision, newEvents(batch, { data: { text } })));
    revision += batch;
    most = Math.max(most, revision + 1 - received);
    await setTimeout(Math.max(0, start + (turn + 1) * 20 - performance.now()));
  }
  const written = ((revision + 1) / (performance.now() - start)) * 1_000;
  const late = await took(() => until('all events', () => received > revision, 60_000));
  console.log(
    `subscription: ${whole(written)} events/s written, at most ${whole(most)} events behind, the last ${whole(late)} ms late`,
  );
  await subscription.close();
};

await compare();
await keepUp(store, 5_000);
const readings: Measured[] = [];
for (let reading = 0; reading < (quick ? 1 : 5); reading += 1) {
  const [start, before] = [performance.now(), processor()];
  const { events } = await succeeded(store.readAll(null, {}, quick ? 5_000 : 100_000));
  const { length } = events;
  readings.push({ per_second: (length * 1_000) / (performance.now() - start), each: (processor() - before) / length });
}
const each = median(readings.map((one) => one.each));
console.log(
  `reading the log: ${whole(median(readings.map(({ per_second }) => per_second)))} events/s with the server on the same ` +
    `machine; ${each.toFixed(1)} µs of processor time each, which is ${whole(1_000_000 / each)} events/s on a core`,
);
await close();
await bare.dispose();
await server.kill();
await remove();
