import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { EventStore } from '../../application/ports/event-store.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { at, valid } from '../projections/given.js';
import { type World, openWorld, toNew } from '../projections/read-models-world.js';
import { succeeded } from '../support/event-store/outcomes.js';

const tags = (name: string, count: number, length: number) =>
  toNew('TagsWritten.v1', {
    source: `importer.${name}`,
    tags: Array.from({ length: count }, (_, index) => ({
      key: `vpm.${name}${index}`,
      category: 'provider',
      value: 'x'.repeat(length),
      previous: null,
    })),
    at: at(1),
  });

describe('read models: large rows', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.end());

  it('are written in transactions of a bounded size, also where one page of small events changes many of them', async () => {
    const videos = Array.from({ length: 20 }, (_, number) => `v${number}`);
    for (const video_id of videos) {
      const data = { video_id, owner_id: 'o1', title: 'Zero \0 and é', kind: 'upload', audio_id: null };
      await world.append(`video-${video_id}`, toNew('VideoRegistered.v1', data), tags('large', 10, 10_000));
    }
    await world.rows();
    for (const video_id of videos) await world.append(`video-${video_id}`, tags('small', 1, 1));
    const before = (await succeeded(world.store.readAll(null, {}, 1_000))).events.length - videos.length;
    const positions = new Set<string | null>();
    const store: EventStore = {
      ...world.store,
      subscribe: (after, filter, { onPage, ...handlers }) =>
        world.store.subscribe(after, filter, {
          ...handlers,
          onPage: async (page) => {
            const watching = new AbortController();
            const taken = onPage(page).finally(() => watching.abort());
            for (; !watching.signal.aborted; await setImmediate()) positions.add(readModels.status().position);
            await taken;
          },
        }),
    };
    const readModels = world.open({ store, charactersPerTransaction: 500_000 });
    await world.caughtUp(readModels);
    const inside = [...positions].filter((position) => Number(position) > before);
    expect(inside.length).to.be.greaterThanOrEqual(2);
    for (const video_id of videos) {
      const view = await succeeded(readModels.queries.video(valid(VideoId, video_id)));
      expect(view?.record.tags).to.have.length(11);
      expect(view?.record.title).to.equal('Zero \0 and é');
    }
  });
});
