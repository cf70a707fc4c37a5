import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EventStore, NewEvent } from '../../application/ports/event-store.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { median, quick, whole } from './support/figures.js';

const runs = quick ? 1 : 5;
const writers = 64;
const appendsEach = quick ? 5 : 150;

/** An event of 306 bytes, with its ids, stream and type. */
const eventOf = (number: number): NewEvent => ({
  id: randomUUID(),
  type: `FacesMatched${number % 12}.v1`,
  data: { run_id: `run-${number}`, note: 'x'.repeat(72), score: number / 7 },
  metadata: { correlation_id: randomUUID(), schema_version: 1, recorded_at: '2024-01-01T00:00:00.000Z' },
});

const append = async (store: EventStore, stream: string): Promise<void> => {
  for (let number = 0; number < appendsEach; number += 1)
    await succeeded(store.append(stream, number === 0 ? 'no_stream' : number - 1, [eventOf(number)]));
};

const figures: number[] = [];
for (let run = 0; run < runs; run += 1) {
  const { path, remove } = await temporaryFolder();
  const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
  const streams = Array.from({ length: writers }, (_, writer) => `audio-${writer}`);
  const start = performance.now();
  await Promise.all(streams.map((stream) => append(store, stream)));
  figures.push((writers * appendsEach * 1_000) / (performance.now() - start));
  await close();
  await remove();
}
console.log(
  `durable appends of ${writers} writers: median ${whole(median(figures))} a second, best ${whole(Math.max(...figures))}`,
);
