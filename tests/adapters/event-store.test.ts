import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import * as t from 'io-ts';
import { eventStoreContract } from '../support/contracts/event-store-contract.js';
import {
  type OpenStore,
  type OpenedStore,
  openTemporarySqlite,
  temporaryFolder,
  freshStream,
  idsOf,
  newEvents,
  succeeded,
  until,
  openInMemory,
} from '../support/event-store/stores.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { Appended, EventStore, StoredEvent } from '../../application/ports/event-store.js';
import { startAppender, type Acknowledged } from '../support/event-store/appender-process.js';
import { shortOrLong } from '../support/long-form.js';
import { maxEventCharacters, readableEvents } from '../../adapters/event-store/new-events.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';

const stores: Readonly<Record<string, OpenStore>> = {
  sqlite: openTemporarySqlite,
  'in memory, for tests': () => openInMemory({ refusesKnownIds: true }),
  'sqlite, keeping hashes': () => openTemporarySqlite({ keepsHashes: true }),
};

Object.entries(stores).forEach(([name, open]) => describe(`event store: ${name}`, () => eventStoreContract(open)));

const choice = fc.record({
  stream: fc.nat(2),
  /** Undefined stands for the current revision of the stream. */
  expected: fc.option(fc.oneof(fc.constant('no_stream' as const), fc.nat(6)), { nil: undefined, freq: 2 }),
  firstId: fc.nat(30),
  count: fc.integer({ min: 1, max: 3 }),
  repeatsOneId: fc.boolean(),
});

/** The revision and the place in the log that an append was answered with. */
const placed = (events: ReadonlyArray<StoredEvent>) =>
  E.map(({ revision, position }: Appended) => ({
    revision,
    place: events.findIndex((event) => event.position === position),
  }));

describe('event store: sqlite, random appends', () => {
  let opened: OpenedStore;
  before(async () => {
    opened = await openTemporarySqlite();
  });
  after(() => opened.close());

  it('answers like the log in memory, for sequential and concurrent appends', () =>
    fc.assert(
      fc.asyncProperty(fc.array(choice, { maxLength: 40 }), fc.boolean(), async (choices, atOnce) => {
        const start = await succeeded(opened.store.head());
        const model = await openInMemory({ refusesKnownIds: true });
        const streams = [freshStream(), freshStream(), freshStream()];
        const pool = newEvents(40);
        const appends: Array<Parameters<EventStore['append']>> = [];
        const answers = [];
        for (const { stream: index, expected, firstId, count, repeatsOneId } of choices) {
          const stream = streams[index] ?? '';
          const some = pool.slice(firstId, firstId + count);
          const last = (await succeeded(model.store.read(stream, -1, 1_000))).at(-1)?.revision ?? 'no_stream';
          const events = repeatsOneId && firstId > 27 ? [...some, ...some.slice(0, 1)] : some;
          appends.push([stream, expected ?? last, events]);
          answers.push(await model.store.append(stream, expected ?? last, events)());
        }
        const outcomes = [];
        if (atOnce) outcomes.push(...(await Promise.all(appends.map((append) => opened.store.append(...append)()))));
        else for (const append of appends) outcomes.push(await opened.store.append(...append)());
        const { events } = await succeeded(opened.store.readAll(start, {}, 1_000));
        const wanted = await succeeded(model.store.readAll(null, {}, 1_000));
        expect(idsOf(events)).to.deep.equal(idsOf(wanted.events));
        expect(outcomes.map(placed(events))).to.deep.equal(answers.map(placed(wanted.events)));
      }),
      { numRuns: shortOrLong(25, 100) },
    )).timeout(60_000);
});

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

describe('event store: what an event may hold', () => {
  const open = async () => {
    const { store, close } = await openTemporarySqlite();
    const bounded = readableEvents(store);
    const appended = async (stream: string, type: string, ...all: ReadonlyArray<JsonObject>) => {
      const events = all.map((data) => ({ id: crypto.randomUUID(), type, data, metadata: {} }));
      const outcome = await bounded.append(stream, 'no_stream', events)();
      return E.isRight(outcome) ? 'appended' : outcome.left;
    };
    return { store, close, appended };
  };
  const transcript = (text: string) => ({
    audio_id: 'a-1',
    part: 0,
    parts: 1,
    transcript_id: 't',
    utterances: [{ speaker_id: 1, start: 0, end: 1, text }],
  });

  it('refuses an append with an event above the limit, and accepts one at the limit', async () => {
    const { close, appended } = await open();
    const both = [transcript('x'), transcript('x'.repeat(maxEventCharacters))];
    expect(await appended('a-1', 'TranscriptRecorded.v1', ...both)).to.have.property('_tag', 'AppendTooLarge');
    expect(await appended('a-1', 'TranscriptRecorded.v1', transcript('x'.repeat(maxEventCharacters - 200)))).to.equal(
      'appended',
    );
    await close();
  });

  it('refuses an event that could not be read back, and writes nothing of the append', async () => {
    const { store, close, appended } = await open();
    const unreadable: ReadonlyArray<readonly [type: string, data: JsonObject, reason: string]> = [
      [
        'TranscriptRecorded.v1',
        { ...transcript('x'), more: [{ deep: Number.NaN }] },
        'a number that JSON cannot write',
      ],
      ['TranscriptRecorded.v1', { ...transcript('x'), utterances: [null] }, 'utterances/0'],
      ['NothingLikeThat.v1', {}, 'no codec'],
    ];
    for (const [type, data, reason] of unreadable) {
      const refused = await appended('video-1', type, data);
      expect(refused).to.have.property('_tag', 'AppendUnreadable');
      expect(refused).to.have.property('reason').that.includes(reason);
    }
    expect(await store.head()()).to.deep.equal(E.right(null));
    await close();
  });
});
