import { expect } from 'chai';
import { type World, openWorld, toNew } from '../projections/read-models-world.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { everyRecord } from '../support/selections.js';
import { at } from '../projections/given.js';

const manyTags = (count: number) =>
  toNew('TagsWritten.v1', {
    source: 'importer.a',
    tags: Array.from({ length: count }, (_, index) => ({
      key: `vpm.k${index}`,
      category: 'provider',
      value: 'x'.repeat(200),
      previous: null,
    })),
    at: at(1),
  });

describe('read models: videos with many tags', function () {
  this.timeout(45_000);
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.end());

  const videosWith = async (...counts: ReadonlyArray<number>) => {
    for (const [index, count] of counts.entries()) {
      const video_id = `v${index}`;
      const data = { video_id, owner_id: 'o1', title: null, kind: 'upload', audio_id: null };
      const events = [toNew('VideoRegistered.v1', data), ...(count === 0 ? [] : [manyTags(count)])];
      await world.append(`video-${video_id}`, ...events);
    }
    const readModels = world.open();
    await world.caughtUp(readModels);
    return readModels.queries;
  };

  it('are read a few at a time, without omissions', async () => {
    const queries = await videosWith(1, 2_000, 2_000, 2_000, 0);
    const found: Array<readonly [string, number]> = [];
    let pages = 0;
    let cursor: string | null = null;
    do {
      const page: {
        items: ReadonlyArray<{ record: { video_id: string; tags: ReadonlyArray<unknown> } }>;
        next_cursor: string | null;
      } = await succeeded(queries.videos(everyRecord(null), { limit: 10, cursor }));
      found.push(...page.items.map(({ record }) => [record.video_id, record.tags.length] as const));
      cursor = page.next_cursor;
      pages += 1;
    } while (cursor !== null);
    expect(found).to.deep.equal([
      ['v0', 1],
      ['v1', 2_000],
      ['v2', 2_000],
      ['v3', 2_000],
      ['v4', 0],
    ]);
    expect(pages).to.be.within(4, 5);
  });
});
