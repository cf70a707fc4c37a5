import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { openReadModels } from '../../adapters/read-models/open.js';
import type { EventStore, NewEvent } from '../../application/ports/event-store.js';
import { readSelection } from '../../application/queries/selections.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';
import { type EventSelection, everyEvent } from '../../projections/event-selection.js';
import { valid } from '../projections/given.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { count, median, percentile, quick, whole } from './support/figures.js';

/*
 * A page of 100 of `GET /v1/audit/events` by every filter, on a log of 1,000,000 events (the first argument says
 * another number). Types, keys and accounts alternate from event to event, which is the worst case for filters that
 * are combined: each alone has hundreds of thousands of events, together they have none.
 */

const events = count(0, 1_000_000, 20_000);
const rounds = quick ? 3 : 25;
const batch = 20;

const timeOf = (number: number): Timestamp =>
  valid(Timestamp, new Date(Date.UTC(2026, 0, 1) + number * 250 + ((number * 7_919) % 5_000)).toISOString());

const categories = ['thing', 'other', 'creditThing', 'long'];

const eventOf = (number: number): NewEvent => ({
  id: randomUUID(),
  type: `Happened${number % 8}.v1`,
  data: { run_id: `run-${number}`, note: 'x'.repeat(72), score: number / 7 },
  metadata: {
    actor: { key_id: `key-${number % 12}`, account_id: `account-${number % 4}` },
    correlation_id: `request-${Math.floor(number / 5)}`,
    causation_id: randomUUID(),
    schema_version: 1,
    recorded_at: timeOf(number),
  },
});

/** A quarter of the log in one long stream, the rest in streams of 20. */
const fill = async (store: EventStore): Promise<void> => {
  let long = -1;
  for (let first = 0; first < events; first += batch * 64)
    await Promise.all(
      Array.from({ length: 64 }, (_, index) => first + index * batch).map((number) => {
        const some = Array.from({ length: batch }, (_, index) => eventOf(number + index));
        const category = categories[(number / batch) % 4] ?? '';
        if (category !== 'long') return succeeded(store.append(`${category}-${number}`, 'no_stream', some));
        long += batch;
        return succeeded(store.append('long-1', long === batch - 1 ? 'no_stream' : long - batch, some));
      }),
    );
};

const [early, middle, late] = [timeOf(0), timeOf(events / 2), timeOf(events - 100)];
const soonAfter = timeOf(events / 2 + 40);

const questions: Readonly<Record<string, Partial<EventSelection>>> = {
  everything: {},
  'a short stream': { stream: `thing-${batch * 64}` },
  'a long stream': { stream: 'long-1' },
  'an unknown stream': { stream: 'thing-none' },
  'a category': { category: 'thing' },
  'a type': { type: 'Happened3' },
  'a type with version': { type: 'Happened3.v1' },
  'an unknown type': { type: 'Nothing' },
  'a key': { actor: 'key-7' },
  'an account': { actor: 'account-2' },
  'a request': { request_id: `request-${Math.floor(events / 10)}` },
  'an unknown request': { request_id: 'request-none' },
  'a time': { from: middle, to: soonAfter },
  'since late': { from: late },
  'until early': { to: early },
  'category and type': { category: 'other', type: 'Happened5' },
  'type and key, never together': { type: 'Happened3', actor: 'key-4' },
  'type and account, never together': { type: 'Happened3', actor: 'account-2' },
  'category, type, key': { category: 'thing', type: 'Happened3', actor: 'key-7' },
  'type and stream': { stream: 'long-1', type: 'Happened3' },
  'type and time': { type: 'Happened3', from: middle, to: soonAfter },
  'type, account, time, never together': { type: 'Happened3', actor: 'account-2', from: middle },
  'key and time': { actor: 'key-7', from: late },
  'request and type, never together': { request_id: 'request-100', type: 'Happened7' },
  'long stream and unknown actor': { stream: 'long-1', actor: 'nobody' },
  'long stream and key': { stream: 'long-1', actor: 'key-7' },
  'long stream, type and account, never together': { stream: 'long-1', type: 'Happened3', actor: 'account-2' },
};

const { path, remove } = await temporaryFolder();
const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
await fill(store);
const file = join(path, 'read-models.db');
const start = performance.now();
const readModels = openReadModels({ file, store });
const head = await succeeded(store.head());
await succeeded(readModels.queries.reached(head ?? '', 3_600_000));
const built = performance.now() - start;
const megabytes = (name: string): string => whole(statSync(join(path, name)).size / 1_048_576);
console.log(
  `${whole(events)} events, ${megabytes('events.db')} MB; index built at ${whole((events * 1_000) / built)} events/s, ` +
    `${megabytes('read-models.db')} MB`,
);

const rows: Record<string, object> = {};
for (const [name, selection] of Object.entries(questions)) {
  const spent: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now();
    const page = await succeeded(
      readSelection(
        store,
        readModels.queries,
        { ...everyEvent, ...selection },
        { limit: 100, cursor: null, until: null },
      ),
    );
    spent.push(performance.now() - begin);
    found = page.events.length;
  }
  rows[name] = {
    events: found,
    'median ms': Number(median(spent).toFixed(2)),
    'p95 ms': Number(percentile(spent, 95).toFixed(2)),
  };
}
console.table(rows);
await readModels.close();
await close();
await remove();
