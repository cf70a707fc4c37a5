import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { createReader } from '../../adapters/read-models/queries.js';
import { schema } from '../../adapters/read-models/file.js';
import { statementsOf } from '../../adapters/read-models/sqlite.js';
import { type Place, openTables } from '../../adapters/read-models/stored-table.js';
import { VideoId } from '../../domain/kernel/ids.js';
import type { Queries } from '../../projections/queries.js';
import { mediaHistory, uuid } from '../projections/history.js';
import { type World, openWorld, pagesOf, registered, toNew } from '../projections/read-models-world.js';
import { lateArrival, runStarted } from '../projections/given.js';
import { at, made } from '../support/values.js';
import { failed, succeeded } from '../support/event-store/stores.js';
import { everyRecord } from '../support/selections.js';

describe('read models: lists', () => {
  let world: World;
  let queries: Queries;
  let readModels: ReturnType<World['open']>;
  beforeEach(async () => {
    world = await openWorld();
    readModels = world.open();
    ({ queries } = readModels);
    for (const number of [1, 2, 3, 4, 5, 6, 7])
      for (const { stream, events } of mediaHistory(number, number % 2 === 0 ? 'even' : 'odd'))
        await world.append(stream, ...events);
    await world.caughtUp(readModels);
  });
  afterEach(() => world.end());

  it('do not change for a client that pages through them while rows are added and changed', async () => {
    let number = 10;
    const meanwhile = async (): Promise<void> => {
      number += 1;
      for (const { stream, events } of mediaHistory(number, 'odd')) await world.append(stream, ...events);
      const change = toNew('AudioDissociated.v1', { audio_id: 'a' });
      await world.append(`video-${uuid(1, 2)}`, change);
      await world.caughtUp(readModels);
    };
    const titles: Array<string | null> = [];
    for await (const items of pagesOf((cursor) => queries.videos(everyRecord(null), { limit: 3, cursor }))) {
      expect(items.length).to.be.within(1, 3);
      titles.push(...items.map(({ record }) => record.title));
      await meanwhile();
    }
    expect(titles).to.deep.equal([7, 6, 5, 4, 3, 2, 1].map((title) => `Call ${title}`));
  });

  it('refuse an invalid cursor', async () => {
    for (const cursor of ['', '0', 'MA', '!!', 'MS41', 'LTE', 'MQ==', 'OTk5OTk5OTk5OTk5OTk5OTk5OQ'])
      expect(await failed(queries.videos(everyRecord(null), { limit: 2, cursor }))).to.deep.equal({
        _tag: 'InvalidCursor',
      });
  });

  it('contain runs in the order in which they were queued, with late arrivals, and late writes newest first', async () => {
    const video_id = made(VideoId, 'v9');
    const started = (run_id: string, video_revision: number) => {
      const { type, data } = runStarted({ run_id, video_id, video_revision });
      return toNew(`${type}.v1`, data);
    };
    await world.append('matchRun-r2', started('r2', 12));
    await world.append('matchRun-r1', started('r1', 3), toNew('LateWriteBackArrived.v1', lateArrival().data));
    await world.append('matchRun-r2', toNew('LateWriteBackArrived.v1', lateArrival().data));
    await world.caughtUp(readModels);
    const runs = await succeeded(queries.matchRuns(video_id, { limit: 9, cursor: null }));
    expect(runs.items.map(({ run_id, late_arrivals }) => [run_id, late_arrivals.length])).to.deep.equal([
      ['r1', 1],
      ['r2', 1],
    ]);
    const late = await succeeded(queries.lateWrites({ limit: 2, cursor: null }));
    expect(late.items.map(({ run_id }) => run_id)).to.deep.equal(['r2', 'r1']);
  });

  it('answer every query from an index', () => {
    const db = new Database(join(world.folder, 'plans.db'));
    db.exec(schema);
    const prepared: string[] = [];
    const prepare = db.prepare.bind(db);
    const recording: Database.Database = Object.assign(db, {
      prepare: (sql: string) => {
        prepared.push(sql);
        return prepare(sql);
      },
    });
    const statements = statementsOf(recording);
    const rows = openTables(statements);
    const { lists } = createReader(statements, rows);
    const places: ReadonlyArray<Place | null> = [null, ['x', 'x'], [null, 'x']];
    for (const owner_id of [null, 'o1'])
      for (const sort of ['created_at', 'updated_at', 'title'] as const)
        for (const descending of [true, false])
          for (const place of places) {
            lists.videos(everyRecord(owner_id, { sort, descending }), place, 1);
            lists.audios(everyRecord(owner_id, { sort, descending }), place, 1);
          }
    rows.lateWrites.where('effective_run_id', 'r1');
    const selects = prepared.filter((sql) => sql.startsWith('SELECT'));
    const plans = selects.map((sql) =>
      prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .raw(true)
        .all(...Array.from(sql.matchAll(/\?\d?/g), () => 'x'))
        .map((step): string => (Array.isArray(step) ? String(step[3]) : '')),
    );
    db.close();
    expect(selects).to.have.length.above(14);
    plans.flat().forEach((step) =>
      expect(step).to.match(
        // Rows found through an index may be grouped and sorted: the hours of an account, open runs, records of the
        // same time. The questions of two tables are merged.
        /^((?:CORRELATED )?SCALAR SUBQUERY \d+$|SEARCH \w+ USING (COVERING )?(INDEX|INTEGER PRIMARY KEY)|(CO-ROUTINE|SCAN) \(subquery-\d\)$|MERGE \(UNION ALL\)$|LEFT$|RIGHT$|USE TEMP B-TREE FOR ((GROUP|ORDER) BY|(RIGHT PART|LAST TERM) OF ORDER BY)$)/,
      ),
    );
  });
});

describe('read models: videos with many tags', () => {
  const manyTags = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      key: `vpm.k${index}`,
      category: 'provider',
      value: 'x'.repeat(200),
      previous: null,
    }));

  it('are read a few at a time, without omissions', async () => {
    const world = await openWorld();
    const counts = [1, 2_000, 2_000, 2_000, 0];
    for (const [index, count] of counts.entries()) {
      const tags = { source: 'importer.a', tags: manyTags(count), at: at(1) };
      const events = [registered(`v${index}`), ...(count === 0 ? [] : [toNew('TagsWritten.v1', tags)])];
      await world.append(`video-v${index}`, ...events);
    }
    const readModels = world.open();
    await world.caughtUp(readModels);
    const pages: number[][] = [];
    for await (const items of pagesOf((cursor) => readModels.queries.videos(everyRecord(null), { limit: 10, cursor })))
      pages.push(items.map(({ record }) => record.tags.length));
    expect(pages.flat()).to.deep.equal(counts);
    expect(pages.length).to.be.within(4, 5);
    await world.end();
  }).timeout(45_000);
});
