import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Queries, VideoSelection } from '../../projections/queries.js';
import { foldedTitle, titleOrder } from '../../projections/tables.js';
import { needsReview } from '../../projections/review.js';
import { type World, openWorld, pagesOf, registered, replayed, toNew } from '../projections/read-models-world.js';
import { at } from '../support/values.js';
import { succeeded } from '../support/event-store/stores.js';
import { everyRecord } from '../support/selections.js';
import { shortOrLong } from '../support/long-form.js';

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
      const texts = (rows.videoTags.get(record.video_id)?.tags ?? [])
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

  it('find what waits for its analysis at once, however many newer videos do not', async () => {
    const completed = { status: 'completed', analysis_id: 'x', faces: [], tracks: null, at: at(1) };
    for (let number = 0; number < 2_500; number += 1) {
      await world.append(`video-v${number}`, registered(`v${number}`));
      if (number > 1) await world.append(`video-v${number}`, toNew('VideoAnalysisRecorded.v1', completed));
    }
    const readModels = world.open();
    await world.caughtUp(readModels);
    for (const owner_id of ['o1', null]) {
      const waiting = everyRecord(owner_id, { status: 'queue' });
      const first = await succeeded(readModels.queries.videos(waiting, { limit: 1, cursor: null }));
      expect(first.items.map(({ record }) => record.video_id)).to.have.length(1);
      const both = await succeeded(readModels.queries.videos(waiting, { limit: 10, cursor: null }));
      expect(both.items.map(({ record }) => record.video_id)).to.have.members(['v0', 'v1']);
      expect(both.next_cursor).to.equal(null);
    }
  });
});
