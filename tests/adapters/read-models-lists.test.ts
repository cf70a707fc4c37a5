import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import Database from 'libsql';
import type { Queries, VideoSelection } from '../../projections/queries.js';
import { foldedTitle, titleOrder } from '../../projections/tables.js';
import { needsReview } from '../../projections/review.js';
import { type World, openWorld, pagesOf, registered, replayed, toNew } from '../projections/read-models-world.js';
import { at, made, runId } from '../support/values.js';
import { succeeded, failed } from '../support/event-store/stores.js';
import { everyRecord } from '../support/selections.js';
import { shortOrLong } from '../support/long-form.js';
import { createReader } from '../../adapters/read-models/queries.js';
import { schema } from '../../adapters/read-models/file.js';
import { statementsOf } from '../../adapters/read-models/sqlite.js';
import { type Place, openTables } from '../../adapters/read-models/stored-table.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { mediaHistory, uuid } from '../projections/history.js';
import { lateArrival, runStarted } from '../support/match-run-events.js';

const runs = shortOrLong(120, 300);

/** A video whose properties each have one of a few values. */
const anyVideo = fc.record({
  owner_id: fc.constantFrom('o1', 'o2'),
  title: fc.constantFrom(
    null,
    null,
    'Ärger',
    'ÄRGER 2',
    'Zoo',
    'a',
    'B',
    '',
    'x'.repeat(300),
    '💡 idea',
    '50% \u0000_',
  ),
  audio_id: fc.constantFrom(null, 'a1', 'a2'),
  created: fc.integer({ min: 1, max: 4 }),
  updated: fc.constantFrom(null, 5, 6),
  status: fc.constantFrom(null, 'processing', 'completed'),
  tag: fc.constantFrom(null, 'x', 5, true, ['x', 'y']),
});

type AnyVideo = ReturnType<typeof anyVideo.generate>['value'];

const anyFilter = fc.oneof(
  fc.record({ status: fc.constantFrom('queue' as const, 'completed' as const) }),
  fc.record({ linked_id: fc.constantFrom('a1', 'a9') }),
  fc.record({ title: fc.constantFrom('är', 'A', 'xxx', '_', '%').map(foldedTitle) }),
  fc.record({ created: fc.record({ from: fc.constantFrom(null, at(2)), to: fc.constantFrom(null, at(3), at(4)) }) }),
  fc.record({
    tag: fc.record({
      key: fc.constantFrom('label.k', 'label.k', 'label.o'),
      value: fc.constantFrom('x', '"x"', '5', 'true', '["x","y"]', ''),
    }),
  }),
);

const anySelection = fc.record({
  owner_id: fc.constantFrom(null, null, 'o1', 'o3'),
  filters: fc.array(anyFilter, { maxLength: 2 }),
  order: fc.record({ sort: fc.constantFrom('created_at', 'updated_at', 'title'), descending: fc.boolean() }),
  limit: fc.constantFrom(1, 2, 3, 7, 1_000),
});

const appendVideo = async (world: World, video_id: string, video: AnyVideo): Promise<void> => {
  const { owner_id, title, audio_id, created, updated, status, tag } = video;
  const events = [
    registered(video_id, { owner_id, title, audio_id }),
    ...(status === null
      ? []
      : [toNew('VideoAnalysisRecorded.v1', { status, analysis_id: video_id, faces: [], tracks: null, at: at(1) })]),
    ...(tag === null
      ? []
      : [
          toNew('TagsWritten.v1', {
            source: 'user.o1',
            tags: [{ key: 'label.k', category: 'label', value: tag, previous: null }],
            at: at(1),
          }),
        ]),
  ];
  const dated = events.map((event, index) => ({
    ...event,
    metadata: { ...event.metadata, recorded_at: at(index === 0 ? created : (updated ?? created)) },
  }));
  await world.append(`video-${video_id}`, ...dated);
};

const walk = async (queries: Queries, selection: VideoSelection, limit: number): Promise<ReadonlyArray<string>> => {
  const ids: string[] = [];
  for await (const items of pagesOf((cursor) => queries.videos(selection, { limit, cursor }))) {
    expect(items.length).to.be.at.most(limit);
    ids.push(...items.map(({ record }) => record.video_id));
  }
  return ids;
};

/** The expected list, from all rows in memory. */
const expected = (rows: Awaited<ReturnType<typeof replayed>>, selection: VideoSelection): ReadonlyArray<string> => {
  const { owner_id, status, linked_id, title, created, tag, sort, descending, needs_review } = selection;
  const valueOf = ({ record }: { record: { title: string | null; created_at: string; updated_at: string } }) =>
    sort === 'title' ? record.title && titleOrder(record.title) : record[sort];
  return rows.videos
    .all()
    .filter((row) => {
      const { record } = row;
      const texts = rows.videoTags
        .where('video_id', record.video_id)
        .filter(({ key }) => key === tag?.key)
        .flatMap(({ value }) => [JSON.stringify(value), ...(typeof value === 'string' ? [value] : [])]);
      return (
        (owner_id === null || record.owner_id === owner_id) &&
        (status === null || record.status === status) &&
        (linked_id === null || record.audio_id === linked_id) &&
        (title === null || (record.title !== null && foldedTitle(record.title).includes(title))) &&
        (created.from === null || record.created_at >= created.from) &&
        (created.to === null || record.created_at < created.to) &&
        (tag === null || texts.includes(tag.value)) &&
        (needs_review === null || needsReview(row) === needs_review)
      );
    })
    .toSorted((a, b) => {
      const [one, other] = [valueOf(a), valueOf(b)];
      const byId = a.record.video_id < b.record.video_id ? -1 : 1;
      if (one === other) return byId;
      if (one === null || other === null) return one === null ? 1 : -1;
      return Buffer.compare(Buffer.from(one), Buffer.from(other)) * (descending ? -1 : 1);
    })
    .map(({ record }) => record.video_id);
};

describe('read models: selections of videos', function () {
  this.timeout(120_000);
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.end());

  it('contain what a scan of all rows finds, in order, for any page size', async () => {
    const videos = fc.sample(anyVideo, { numRuns: 60, seed: 7 });
    for (const [number, video] of videos.entries()) await appendVideo(world, `v${(number * 37) % 60}`, video);
    const readModels = world.open();
    await world.caughtUp(readModels);
    const rows = await replayed(world.store);
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(anySelection, async ({ owner_id, filters, order, limit }) => {
        const selection = everyRecord(
          owner_id,
          filters.reduce<Partial<VideoSelection>>((all, one) => ({ ...all, ...one }), order),
        );
        const wanted = expected(rows, selection);
        shown += wanted.length;
        expect(await walk(readModels.queries, selection, limit)).to.deep.equal(wanted);
      }),
      { numRuns: runs },
    );
    expect(shown).to.be.above(runs);
  });

  it('examine a bounded number of rows at once, and find a single match among many', async () => {
    const appended = Array.from({ length: 4_500 }, (_, number) => {
      const title = number === 3_000 ? 'The one' : `Call ${number}`;
      return world.append(`video-v${number}`, registered(`v${number}`, { title }));
    });
    await Promise.all(appended);
    const readModels = world.open();
    await world.caughtUp(readModels);
    const selection = everyRecord('o1', { title: 'the one' });
    const pages: string[][] = [];
    for await (const items of pagesOf((cursor) => readModels.queries.videos(selection, { limit: 10, cursor })))
      pages.push(items.map(({ record }) => record.video_id));
    expect(pages.flat()).to.deep.equal(['v3000']);
    expect(pages.length).to.equal(3);
  });
});

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
      const { type, data } = runStarted({ run_id: runId(run_id), video_id, video_revision });
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
            lists.videos(everyRecord(owner_id, { sort, descending, status: 'queue' }), place, 1);
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
    expect(plans.flat().join(), 'of what waits for its analysis').to.include('_waits_since');
    plans.flat().forEach((step) =>
      expect(step).to.match(
        // Rows found through an index may be grouped and sorted: the hours of an account, open runs, records of the
        // same time. The questions of two tables are merged.
        /^((?:CORRELATED )?SCALAR SUBQUERY \d+$|SEARCH \w+ USING (COVERING )?(INDEX|INTEGER PRIMARY KEY)|(CO-ROUTINE|SCAN) \(subquery-\d\)$|MERGE \(UNION ALL\)$|LEFT$|RIGHT$|USE TEMP B-TREE FOR ((GROUP|ORDER) BY|(RIGHT PART|LAST TERM) OF ORDER BY)$)/,
      ),
    );
  });
});
