import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import * as t from 'io-ts';
import Database from 'libsql';
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
  newEvent,
  follow,
  failed,
} from '../support/event-store/stores.js';
import { openSqliteEventStore, eventStoreOver, type SqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { Appended, EventStore, StoredEvent, EventFilter } from '../../application/ports/event-store.js';
import { startAppender, type Acknowledged } from '../support/event-store/appender-process.js';
import { shortOrLong } from '../support/long-form.js';
import { maxEventCharacters, readableEvents } from '../../adapters/event-store/new-events.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';
import { inspectFile, openDatabase } from '../../adapters/event-store/sqlite/file.js';
import { filterQuery } from '../../adapters/event-store/sqlite/read.js';

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

describe('event store: SQLite file', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  let opened: SqliteEventStore;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'events.db');
    opened = openSqliteEventStore({ file, lockTimeoutMs: 150 });
  });
  afterEach(async () => {
    await opened.close();
    await folder.remove();
  });

  const withDatabase = <A>(work: (db: Database.Database) => A): A => {
    const db = new Database(file);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };

  it('refuses everything once its file is found damaged, saying why', async () => {
    await succeeded(opened.store.append('video-1', 'no_stream', [newEvent()]));
    opened.refuse('the file is damaged');
    const refused = { _tag: 'StoreUnavailable', reason: 'the file is damaged' };
    expect(await failed(opened.store.append('video-1', 0, [newEvent()]))).to.deep.equal(refused);
    expect(await failed(opened.store.read('video-1', -1, 1))).to.deep.equal(refused);
    expect(await failed(opened.store.head())).to.deep.equal(refused);
  });

  it('refuses an append without events, and a position of another store', async () => {
    expect(await failed(opened.store.append(freshStream(), 'no_stream', []))).to.include({ _tag: 'StoreUnavailable' });
    expect(await failed(opened.store.readAll('C:1/P:1', {}, 1))).to.include({ _tag: 'StoreUnavailable' });
    const follower = follow(opened.store, 'C:1/P:1', {});
    await until('the failure', () => follower.failures.length > 0);
  });

  it('names the position of a text that is not valid UTF-8, also in an audit', async () => {
    await succeeded(opened.store.append('video-1', 'no_stream', [newEvent()]));
    await succeeded(opened.store.append('video-2', 'no_stream', [newEvent({ data: { title: 'second title' } })]));
    await opened.close();
    const content = readFileSync(file);
    content[content.indexOf('second title')] = 0xff;
    writeFileSync(file, content);
    opened = openSqliteEventStore({ file });
    const position = '0000000000000002';
    const reason = `the event log cannot be read at position ${position}: its data is not valid UTF-8; restore it from a backup ("media-analysis audit verify" lists all faults)`;
    expect(await failed(opened.store.read('video-2', -1, 10))).to.deep.equal({ _tag: 'StoreUnavailable', reason });
    expect((await failed(opened.store.readAll(null, {}, 10))).reason).to.equal(reason);
    expect(await succeeded(opened.store.read('video-1', -1, 10))).to.have.length(1);
    expect(inspectFile(file)).to.deep.equal([
      { kind: 'broken_storage', position, stream: 'video-2', revision: 0, message: 'its data is not valid UTF-8' },
    ]);
  });

  it('can be read with any SQLite tool, but not changed by mistake', async () => {
    await succeeded(opened.store.append('video-1', 'no_stream', [newEvent({ data: { name: 'Zoë' } })]));
    const row = withDatabase((db) =>
      db.prepare("SELECT stream, category, revision, data ->> 'name' FROM events").raw(true).get(),
    );
    expect(row).to.deep.equal(['video-1', 'video', 0, 'Zoë']);
    for (const change of ['DELETE FROM events', "UPDATE events SET type = 'Other.v1'"])
      expect(() => withDatabase((db) => db.exec(change))).to.throw('an event log is append-only');
  });

  it('refuses a file of another version or another program, naming it', async () => {
    await opened.close();
    withDatabase((db) => db.exec('PRAGMA user_version = 99'));
    expect(() => openSqliteEventStore({ file })).to.throw(
      `Cannot open the event log ${file}: its schema has version 99, this program expects version 1`,
    );
    withDatabase((db) => db.exec('PRAGMA application_id = 5'));
    expect(() => openSqliteEventStore({ file })).to.throw('it is not an event log');
    const missing = join(folder.path, 'missing', 'events.db');
    expect(() => openSqliteEventStore({ file: missing })).to.throw(`Cannot open the event log ${missing}`);
    expect(existsSync(missing)).to.equal(false);
  });

  it('scans an index in order for every filter on types, without sorting', () => {
    const filters: ReadonlyArray<EventFilter> = [
      { types: ['A.v1'] },
      { types: ['A.v1', 'B.v1', 'C.v1'] },
      { categories: ['video', 'audio'], types: ['A.v1', 'B.v1'] },
    ];
    filters.forEach((filter) => {
      const plan = withDatabase((db) => {
        const query = filterQuery(filter);
        const rows = db.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).raw(true);
        return JSON.stringify(rows.all(0, 1_000_000, 10, ...query.values));
      });
      expect(plan).to.match(/SEARCH events USING INDEX events_by_type \(type=\? AND rowid>\?/);
      expect(plan).not.to.match(/SCAN events|TEMP B-TREE/);
    });
  });

  it('limits the pages of a subscription to 1,000 events or about 4 MB', async () => {
    const { position } = await succeeded(opened.store.append('small-1', 'no_stream', newEvents(2_500)));
    const data = { text: 'x'.repeat(900_000) };
    await succeeded(opened.store.append('big-1', 'no_stream', newEvents(10, { data })));
    const [all, big] = [follow(opened.store, null, {}), follow(opened.store, position, {})];
    await Promise.all([all.received(2_510), big.received(10)]);
    expect(Math.max(...all.pages.map(({ events }) => events.length))).to.equal(1_000);
    expect(big.pages.map(({ events }) => events.length)).to.deep.equal([4, 4, 2]);
  });

  it('acknowledges nothing of a group whose commit fails, keeps nothing of it, and works afterwards', async () => {
    await opened.close();
    const db = openDatabase(file);
    opened = eventStoreOver(db);
    await succeeded(opened.store.append('video-1', 'no_stream', [newEvent()]));
    const seen = follow(opened.store, null, {});
    db.exec('PRAGMA max_page_count = 40');
    const small = newEvent();
    const big = newEvents(3, { data: { text: 'x'.repeat(200_000) } });
    const failures = await Promise.all([
      failed(opened.store.append('video-1', 0, [small])),
      failed(opened.store.append('video-2', 'no_stream', big)),
      failed(opened.store.append('video-3', 'no_stream', newEvents(2))),
    ]);
    expect(failures.map(({ _tag }) => _tag)).to.deep.equal(Array.from({ length: 3 }, () => 'StoreUnavailable'));
    expect((await succeeded(opened.store.readAll(null, {}, 10))).events).to.have.length(1);
    expect((await succeeded(opened.store.append('video-1', 0, [small]))).revision).to.equal(1);
    await seen.received(2);
    expect(seen.events.map(({ stream }) => stream)).to.deep.equal(['video-1', 'video-1']);
    expect(seen.failures).to.deep.equal([]);
  });

  it('waits for another writer, then fails', async () => {
    const stream = freshStream();
    const events = [newEvent()];
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    expect(await failed(opened.store.append(stream, 'no_stream', events))).to.include({ _tag: 'StoreUnavailable' });
    const waiting = succeeded(opened.store.append(stream, 'no_stream', events));
    expect(await succeeded(opened.store.read(stream, -1, 10))).to.deep.equal([]);
    await setTimeout(60);
    other.exec('ROLLBACK');
    other.close();
    expect((await waiting).revision).to.equal(0);
  });

  it('delivers events of another process to subscriptions, and shares the log with it', async () => {
    const follower = follow(opened.store, null, {});
    const appender = startAppender(file, { writers: 4, batches: 20 });
    const mine = freshStream();
    for (let revision = -1; revision < 50; revision += 1)
      await succeeded(opened.store.append(mine, revision === -1 ? 'no_stream' : revision, [newEvent()]));
    await appender.ended;
    await follower.received(4 * 60 + 51);
    const { events } = await succeeded(opened.store.readAll(null, {}, 1_000));
    expect(appender.acknowledged.flatMap(({ ids }) => ids)).to.have.length(4 * 60);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(events));
    expect(events).to.have.length(4 * 60 + 51);
  });
});
