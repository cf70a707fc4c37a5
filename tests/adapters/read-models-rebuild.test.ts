import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import Database from 'libsql';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { EventStore, Page, StoreUnavailable, StoredEvent } from '../../application/ports/event-store.js';
import { type Json, JsonObject } from '../../domain/kernel/recorded-event.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { projections } from '../../projections/projections.js';
import { mediaHistory, uuid } from '../projections/history.js';
import { type World, delivering, openWorld, registered, rowsOfFile, toNew } from '../projections/read-models-world.js';
import { made, at, speakerId } from '../support/values.js';
import { everyRecord } from '../support/selections.js';
import { failed, succeeded, until } from '../support/event-store/stores.js';
import { change, committed, runReverted } from '../support/video-events.js';

const rebuilding = 'the read models are being rebuilt from the log';

const object = (json: Json): JsonObject => (JsonObject.is(json) ? json : {});

describe('read models: their file', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    for (const number of [1, 2, 3])
      for (const { stream, events } of mediaHistory(number, 'o1')) await world.append(stream, ...events);
  });
  afterEach(() => world.end());

  const reasons = () =>
    world.lines.filter(({ message }) => message === rebuilding).map(({ facts }) => facts?.['reason']);

  /** The store, recording the pages that it delivers. */
  const watched = (): { store: EventStore; pages: Page[] } => {
    const pages: Page[] = [];
    const store = delivering(world.store, (page, onPage) => {
      pages.push(page);
      return onPage(page);
    });
    return { store, pages };
  };

  it('continues from its position, without reading earlier events', async () => {
    const rows = await world.rows();
    const { store, pages } = watched();
    expect(await world.rows({ store })).to.deep.equal(rows);
    expect(pages.flatMap(({ events }) => events)).to.deep.equal([]);
    expect(reasons()).to.deep.equal(['there were none']);
  });

  const changed = (sql: string): void => {
    const db = new Database(world.file);
    db.exec(sql);
    db.close();
  };
  const versions = projections.map(({ name, version }) => `${name} ${version}\n`).join('');
  /** What has happened to the file, by the reason that is logged. */
  const spoilt: Readonly<Record<string, () => void>> = {
    'the read models have changed': () =>
      changed(`UPDATE progress SET shape = replace(shape, '${versions}', 'audios 0')`),
    'file is not a database': () => writeFileSync(world.file, 'no database, but a long text'.repeat(200)),
    // SQLite can end a process at a damaged file.
    'a process ended while it opened them': () => writeFileSync(`${world.file}-opening`, ''),
    'no such column: row': () => changed('ALTER TABLE videos RENAME COLUMN row TO r0w'),
    'no such table: progress': () => changed('ALTER TABLE progress RENAME TO pr0gress'),
  };
  for (const [reason, spoil] of Object.entries(spoilt))
    it(`is rebuilt once: ${reason}`, async () => {
      const rows = await world.rows();
      spoil();
      const { store, pages } = watched();
      expect(await world.rows({ store })).to.deep.equal(rows);
      expect(pages.flatMap(({ events }) => events)).to.have.length(36);
      expect(await world.rows()).to.deep.equal(rows);
      expect(reasons()).to.deep.equal(['there were none', reason]);
    });

  const damage = {
    'has another form': [`'{"record": 1}'`, 'a row of videos does not fit its codec'],
    'is not UTF-8': [`CAST(x'ff41' AS TEXT)`, 'a text is not valid UTF-8'],
  } as const;
  for (const [what, [row, reason]] of Object.entries(damage))
    it(`is rebuilt when a row ${what}`, async () => {
      const rows = await world.rows();
      changed(`UPDATE videos SET row = ${row}`);
      const readModels = world.open();
      const id = made(VideoId, uuid(1, 2));
      expect(await failed(readModels.queries.video(id))).to.deep.equal({ _tag: 'ReadModelsUnavailable', reason });
      await until('rebuilt', () => reasons().length === 2);
      await world.caughtUp(readModels);
      expect((await succeeded(readModels.queries.video(id)))?.record.video_id).to.equal(id);
      await readModels.close();
      expect(rowsOfFile(world.file)).to.deep.equal(rows);
    });

  it('keeps the newest snapshot of each stream; one that cannot be read is ignored', async () => {
    const stream = 'creditAccount-x';
    const snapshot = (revision: number) => ({ version: 1, revision, event_id: 'id', state: { balance: '1' } });
    const first = world.open();
    expect(await first.snapshots.load(stream)()).to.equal(null);
    first.snapshots.save(stream, snapshot(1));
    first.snapshots.save(stream, snapshot(2));
    await first.close();
    first.snapshots.save(stream, snapshot(3));
    expect(await first.snapshots.load(stream)()).to.equal(null);
    const second = world.open();
    expect(await second.snapshots.load(stream)()).to.deep.equal(snapshot(2));
    // Even invalid UTF-8 does not crash the process.
    for (const damaged of ["CAST(x'ff41' AS TEXT)", "'{'", "'{}'"]) {
      changed(`UPDATE snapshots SET snapshot = ${damaged}`);
      expect(await second.snapshots.load(stream)()).to.equal(null);
    }
  });

  it('is left unchanged when it is a database of something else', () => {
    const file = join(world.folder, 'events.db');
    expect(() => world.open({ file })).to.throw('it is a database of something else');
  });

  it('refuses queries for another log, and is rebuilt if that log is accepted', async () => {
    const rows = await world.rows();
    const other = openSqliteEventStore({ file: join(world.folder, 'other.db') });
    for (const number of [7, 8, 9, 10])
      for (const { stream, events } of mediaHistory(number, 'o1')) {
        const last = (await succeeded(other.store.read(stream, -1, 100))).at(-1)?.revision;
        await succeeded(other.store.append(stream, last ?? 'no_stream', events));
      }
    const refusing = world.open({ store: other.store });
    expect(await refusing.mismatch).to.match(/ but the log is another one, which ends at position 0+48$/);
    expect((await failed(refusing.queries.hasAdminKey()))._tag).to.equal('ReadModelsUnavailable');
    await refusing.close();
    expect(rowsOfFile(world.file)).to.deep.equal(rows);
    const readModels = world.open({ store: other.store, acceptLog: true });
    const head = await succeeded(other.store.head());
    await succeeded(readModels.queries.reached(head ?? '', 5_000));
    const { items } = await succeeded(readModels.queries.videos(everyRecord(null), { limit: 10, cursor: null }));
    expect(items.map(({ record }) => record.title)).to.deep.equal(['Call 10', 'Call 9', 'Call 8', 'Call 7']);
    expect(reasons()).to.have.length(2);
    await readModels.close();
    await other.close();
  });

  it('refuses queries for a log that was emptied, or restored from an older copy and extended since', async () => {
    await world.rows();
    const older = openSqliteEventStore({ file: join(world.folder, 'older.db') });
    const refusing = world.open({ store: older.store });
    expect(await refusing.mismatch).to.match(
      /^they have seen the events up to position 0+36, the last of them .*, but the log is empty$/,
    );
    await refusing.close();
    const { events } = await succeeded(world.store.readAll(null, {}, 20));
    for (const { stream, revision, id, type, data, metadata } of events) {
      const copy = { id, type, data: object(data), metadata: object(metadata) };
      await succeeded(older.store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [copy]));
    }
    for (let number = 0; number < 30; number += 1)
      await succeeded(older.store.append(`other-${number}`, 'no_stream', [toNew('Other.v1', {})]));
    const grown = world.open({ store: older.store });
    expect(await grown.mismatch).to.match(/, but the log has another event there$/);
    await grown.close();
    await older.close();
  });

  it('refuses queries once it is closed', async () => {
    const readModels = world.open();
    await readModels.close();
    const answer = await readModels.queries.hasAdminKey()();
    expect(E.isLeft(answer) && answer.left.reason).to.equal('the read models are closed');
    expect((await failed(readModels.queries.reached('9', 10_000)))._tag).to.equal('ReadModelBehind');
  });

  it('stops at an event that no codec reads, and answers as of the event before', async () => {
    const good = await world.append('video-v9', registered('v9'));
    const bad = await world.append('video-v9', toNew('VideoRegistered.v7', {}));
    const later = await world.append('video-v9', registered('v9'));
    const readModels = world.open();
    await until('stopped', () => readModels.status().failure !== null);
    expect(readModels.status()).to.deep.include({
      position: good,
      caught_up: false,
      failure: {
        _tag: 'UnreadableEvent',
        position: bad,
        stream: 'video-v9',
        revision: 1,
        reason: 'VideoRegistered.v7: no codec for this type and version',
      },
    });
    expect((await succeeded(readModels.queries.video(made(VideoId, 'v9'))))?.revision).to.equal(0);
    await succeeded(readModels.queries.reached(good, 0));
    expect(await failed(readModels.queries.reached(later, 60_000))).to.deep.equal({
      _tag: 'ReadModelBehind',
      wanted: later,
      reached: good,
    });
    expect(world.lines.filter(({ level }) => level === 'error')).to.have.length(1);
  });

  it('gets no changes of a process that another has overtaken', async () => {
    let release: () => void = constVoid;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late = delivering(world.store, (page, onPage) => released.then(() => onPage(page)));
    const slower = world.open({ store: late });
    const rows = await world.rows();
    release();
    await world.caughtUp(slower);
    await slower.close();
    expect(world.lines.filter(({ level }) => level === 'warn').map(({ facts }) => facts?.['reason'])).to.deep.equal([
      'another process writes the same read models',
    ]);
    expect(rowsOfFile(world.file)).to.deep.equal(rows);
  });
});

const down: StoreUnavailable = { _tag: 'StoreUnavailable', reason: 'down' };

describe('read models: following the log', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.end());

  const isShown = async (video_id: string, { queries } = world.open()): Promise<boolean> =>
    (await succeeded(queries.video(made(VideoId, video_id)))) !== null;

  it('answers at once for a position it has reached, whatever event is there, and after the timeout for one it has not', async () => {
    const readModels = world.open();
    const position = await world.append('faceTracks-v1', toNew('SomethingElse.v1', {}));
    await succeeded(readModels.queries.reached(position, 5_000));
    await succeeded(readModels.queries.reached(position, 0));
    const wanted = `${position}9`;
    const start = performance.now();
    expect(await failed(readModels.queries.reached(wanted, 50))).to.deep.equal({
      _tag: 'ReadModelBehind',
      wanted,
      reached: position,
    });
    expect(performance.now() - start).to.be.within(45, 2_000);
  });

  it('marks a late write as reverted when both events are in one page', async () => {
    const late = committed('r', 100, { late: true, changes: [change(1, {}, { speaker_id: speakerId(2) })] });
    await world.append('video-v1', ...[late, runReverted(200, [])].map(({ type, data }) => toNew(`${type}.v1`, data)));
    const readModels = world.open();
    await world.caughtUp(readModels);
    const { items } = await succeeded(readModels.queries.lateWrites({ limit: 9, cursor: null }));
    expect(items.map(({ reverted_at }) => reverted_at)).to.deep.equal([at(200)]);
  });

  it('subscribes again after a failure, and logs each loss and recovery once', async () => {
    let losses = 0;
    let lose: (failure: unknown) => void = constVoid;
    const store: EventStore = {
      ...world.store,
      head: () => (losses > 0 && losses < 3 ? ((losses += 1), TE.left(down)) : world.store.head()),
      subscribe: (after, filter, handlers) => {
        lose = handlers.onFailure;
        return world.store.subscribe(after, filter, handlers);
      },
    };
    const readModels = world.open({ store });
    await world.caughtUp(readModels);
    losses = 1;
    lose(down);
    await until('lost', () => readModels.status().failure !== null);
    expect(readModels.status()).to.deep.include({ caught_up: false });
    const position = await world.append('video-v1', registered('v1'));
    await succeeded(readModels.queries.reached(position, 5_000));
    expect(await isShown('v1', readModels)).to.equal(true);
    expect(losses).to.equal(3);
    expect(readModels.status().failure).to.equal(null);
    expect(world.lines.map(({ level, message }) => `${level}: ${message}`)).to.deep.equal([
      'warn: the read models cannot follow the log',
      'info: the read models follow the log again',
    ]);
  });

  it('answers no query before the log was checked', async () => {
    let isDown = true;
    const store: EventStore = { ...world.store, head: () => (isDown ? TE.left(down) : world.store.head()) };
    const readModels = world.open({ store });
    const answer = await readModels.queries.hasAdminKey()();
    expect(E.isLeft(answer) && answer.left._tag).to.equal('ReadModelsUnavailable');
    isDown = false;
    await until('recovered', () => readModels.status().failure === null);
    expect(await succeeded(readModels.queries.hasAdminKey())).to.equal(false);
  });

  it('is rebuilt once an event whose key was missing can be opened, but not for an erased one', async () => {
    const withheld = new Map<string, 'key_missing' | 'erased'>([
      ['video-v1', 'key_missing'],
      ['video-v2', 'key_missing'],
    ]);
    const shown = (event: StoredEvent): StoredEvent => {
      const why = withheld.get(event.stream);
      return why === undefined ? event : { ...event, data: {}, withheld: why };
    };
    const isRebuilt = () =>
      world.lines.some(({ facts }) => facts?.['reason'] === 'a key that was missing is there again');
    const store: EventStore = {
      ...delivering(world.store, (page, onPage) => onPage({ ...page, events: page.events.map(shown) })),
      read: (...wanted) =>
        TE.map((events: ReadonlyArray<StoredEvent>) => events.map(shown))(world.store.read(...wanted)),
    };
    for (const id of ['v1', 'v2', 'v3']) await world.append(`video-${id}`, registered(id));
    const before = world.open({ store, keyRetryMs: 10 });
    await world.caughtUp(before);
    expect([await isShown('v1', before), await isShown('v3', before)]).to.deep.equal([false, true]);
    withheld.set('video-v2', 'erased');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isRebuilt()).to.equal(false);
    await before.close();
    const readModels = world.open({ store, keyRetryMs: 10 });
    await world.caughtUp(readModels);
    withheld.delete('video-v1');
    await until('rebuilt', isRebuilt);
    await world.caughtUp(readModels);
    expect(await isShown('v1', readModels)).to.equal(true);
    expect([await isShown('v2', readModels), await isShown('v3', readModels)]).to.deep.equal([false, true]);
  });
});
