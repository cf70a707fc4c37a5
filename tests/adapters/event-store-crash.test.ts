import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import * as t from 'io-ts';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { EventStore, StoredEvent } from '../../application/ports/event-store.js';
import { startAppender, type Acknowledged } from '../support/event-store/appender-process.js';
import { idsOf } from '../support/event-store/events.js';
import { succeeded, until } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { shortOrLong } from '../support/long-form.js';

const rounds = shortOrLong(4, 10);
const Batch = t.type({ batch: t.number, size: t.number });

type Streams = Readonly<Record<string, ReadonlyArray<StoredEvent>>>;

const readStreams = async (store: EventStore): Promise<Streams> => {
  const { events } = await succeeded(store.readAll(null, {}, Number.MAX_SAFE_INTEGER));
  return groupBy(({ stream }: StoredEvent) => stream)([...events]);
};

const expectWhole = (events: ReadonlyArray<StoredEvent>): void => {
  expect(events.map(({ revision }) => revision)).to.deep.equal(events.map((_, index) => index));
  const batches = groupBy(({ data }: StoredEvent) => String(Batch.is(data) && data.batch))([...events]);
  Object.values(batches).forEach((parts) =>
    expect(parts.map(({ data }) => Batch.is(data) && data.size)).to.deep.equal(parts.map(() => parts.length)),
  );
};

describe('event store: sqlite, killed', function () {
  this.timeout(60_000);

  it(`contains every acknowledged event, and each append completely, after ${rounds} kills at random moments`, async () => {
    const { path, remove } = await temporaryFolder();
    const file = join(path, 'events.db');
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const appender = startAppender(file, { writers: 8, batches: 1_000_000 });
      await until('the first acknowledgement', () => appender.acknowledged.length > 0);
      await setTimeout(Math.random() * 150);
      appender.kill();
      await appender.ended;
      acknowledged.push(...appender.acknowledged);
      const { store, close } = openSqliteEventStore({ file });
      const streams = await readStreams(store);
      await close();
      Object.values(streams).forEach(expectWhole);
      const lost = acknowledged.filter(({ stream, ids }) => {
        const stored = new Set(idsOf(streams[stream] ?? []));
        return !ids.every((id) => stored.has(id));
      });
      expect(lost).to.deep.equal([]);
    }
    expect(acknowledged.length).to.be.greaterThan(rounds);
    await remove();
  });
});
