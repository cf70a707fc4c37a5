import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { NewEvent } from '../../application/ports/event-store.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { connect, numbered, take } from '../support/event-store/esdb-client.js';
import { startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { median, percentile, quick, took, whole } from './support/figures.js';

/* The protocol server in a process of its own, read and followed by the vendor's client. */

const runs = quick ? 1 : 5;
const events = quick ? 5_000 : 100_000;
const idle = 100;
const seconds = quick ? 1 : 10;
const rate = 5_000;
const batch = 100;

const megabyte = 1_048_576;

/** An event of 306 bytes, with its ids, stream and type. */
const eventOf = (number: number): NewEvent => ({
  id: randomUUID(),
  type: `FacesMatched${number % 12}.v1`,
  data: { run_id: `run-${number}`, note: 'x'.repeat(72), score: number / 7 },
  metadata: { correlation_id: randomUUID(), schema_version: 1, recorded_at: '2024-01-01T00:00:00.000Z' },
});

const fill = async (file: string): Promise<void> => {
  const { store, close } = openSqliteEventStore({ file });
  for (let first = 0; first < events; first += 500) {
    const expected = first === 0 ? 'no_stream' : first - 1;
    await succeeded(
      store.append(
        'video-1',
        expected,
        Array.from({ length: 500 }, (_, at) => eventOf(first + at)),
      ),
    );
  }
  await close();
};

/** Resident memory in bytes, according to the system. */
const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

/** Processor time of a process in microseconds; other load on the machine hardly affects it. */
const workOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};

const readRate = async (pid: number, read: () => AsyncIterable<unknown>): Promise<string> => {
  const rates: number[] = [];
  const work = [workOf(pid), workOf(process.pid)] as const;
  for (let run = 0; run < runs; run += 1) {
    let count = 0;
    const ms = await took(async () => {
      for await (const _ of read()) count += 1;
    });
    if (count !== events) throw new Error(`${count} events instead of ${events}`);
    rates.push((count * 1_000) / ms);
  }
  const each = [pid, process.pid].map((of, at) => (workOf(of) - (work[at] ?? 0)) / (events * runs));
  const [ofServer, ofClient] = each.map((microseconds) => microseconds.toFixed(1));
  const range = `from ${whole(Math.min(...rates))} to ${whole(Math.max(...rates))}, median of ${runs}`;
  return `${whole(median(rates))} events/s (${range}); processor time an event: server ${ofServer} µs, client ${ofClient} µs`;
};

/** Appends at a steady pace; how long each event took from its acknowledgement's request to a subscriber, in ms. */
const followAtPace = async (writer: EventStoreDBClient, reader: EventStoreDBClient): Promise<number[]> => {
  const total = rate * seconds;
  const sent: number[] = [];
  const delays: number[] = [];
  const subscription = reader.subscribeToStream('paced', { fromRevision: 'start' });
  const caughtUp = once(subscription, 'caughtUp');
  const following = (async () => {
    for await (const { event } of subscription) {
      delays.push(performance.now() - (sent[Math.floor(Number(event?.revision) / batch)] ?? 0));
      if (delays.length === total) break;
    }
  })();
  await caughtUp;
  const begin = performance.now();
  const appends: Array<Promise<unknown>> = [];
  for (let number = 0; number < total / batch; number += 1) {
    const due = begin + (number * batch * 1_000) / rate;
    if (performance.now() < due) await setTimeout(due - performance.now());
    sent.push(performance.now());
    appends.push(writer.appendToStream('paced', numbered(batch)));
  }
  await Promise.all(appends);
  await following;
  const span = performance.now() - begin;
  console.log(`  ${whole((total * 1_000) / span)} events/s from the first append to the last arrival`);
  return delays;
};

const folder = await temporaryFolder();
const file = join(folder.path, 'events.db');
await fill(file);
const server = await startServerProcess({ file, node: [] });
const client = connect(server.url);

console.log(`reading all: ${await readRate(server.pid, () => client.readAll())}`);
console.log(`reading a stream: ${await readRate(server.pid, () => client.readStream('video-1'))}`);

const clients = Array.from({ length: 4 }, () => connect(server.url));
await Promise.all(clients.map((other) => take(other.readAll({ maxCount: 1 }))));
const before = residentOf(server.pid);
const idling = Array.from({ length: idle }, (_, at) => {
  const subscription = clients[at % clients.length]?.subscribeToAll({ fromPosition: 'end' });
  if (subscription === undefined) throw new Error('no client');
  subscription.resume();
  return subscription;
});
await Promise.all(idling.map((subscription) => once(subscription, 'caughtUp')));
await setTimeout(1_000);
const added = residentOf(server.pid) - before;
console.log(`${idle} idle subscriptions: ${(added / megabyte).toFixed(1)} MB more resident memory`);
await Promise.all(idling.map((subscription) => subscription.unsubscribe()));

console.log(`a subscriber of ${whole(rate)} events/s, for ${seconds} s:`);
const delays = await followAtPace(clients[0] ?? client, client);
console.log(`  delay ${percentile(delays, 50).toFixed(1)} ms (median), ${percentile(delays, 99).toFixed(1)} ms (p99)`);

await Promise.all([client, ...clients].map((other) => other.dispose()));
await server.stop();
await folder.remove();
process.exit(0);
