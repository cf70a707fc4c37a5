import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import Database from 'libsql';
import {
  temporaryFolder,
  freshStream,
  idsOf,
  newEvent,
  newEvents,
  follow,
  failed,
  succeeded,
  until,
} from '../support/event-store/stores.js';
import { inspectFile, openDatabase } from '../../adapters/event-store/sqlite/file.js';
import { filterQuery } from '../../adapters/event-store/sqlite/read.js';
import { eventStoreOver, openSqliteEventStore, type SqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { EventFilter } from '../../application/ports/event-store.js';
import { startAppender } from '../support/event-store/appender-process.js';

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
