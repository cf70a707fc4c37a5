import { expect } from 'chai';
import { shapeOf } from '../../adapters/read-models/database.js';
import { openSession } from '../../adapters/read-models/session.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { projections } from '../../projections/projections.js';
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

  it('are written in transactions of bounded size, even if one page of small events changes many of them', async () => {
    const videos = Array.from({ length: 40 }, (_, number) => `v${number}`);
    for (const video_id of videos) {
      const data = { video_id, owner_id: 'o1', title: 'Zero \0 and é', kind: 'upload', audio_id: null };
      await world.append(`video-${video_id}`, toNew('VideoRegistered.v1', data), tags('large', 10, 10_000));
    }
    await world.rows();
    for (const video_id of videos) await world.append(`video-${video_id}`, tags('small', 1, 1));
    const session = openSession(world.file, shapeOf(projections));
    const page = await succeeded(world.store.readAll(session.progress().position, {}, 1_000));
    const parts: number[] = [];
    for (let upTo = 0; upTo < videos.length;) {
      const applied = session.apply(page, upTo);
      parts.push(applied.upTo - upTo);
      expect(session.progress().last?.id).to.equal(page.events[applied.upTo - 1]?.id);
      ({ upTo } = applied);
    }
    session.close();
    // About 100,000 characters a row; a whole row is added before the limit of a million is checked.
    expect(parts.length).to.be.greaterThanOrEqual(4);
    expect(Math.max(...parts)).to.be.at.most(11);
    const readModels = world.open();
    await world.caughtUp(readModels);
    for (const video_id of videos) {
      const view = await succeeded(readModels.queries.video(valid(VideoId, video_id)));
      expect(view?.record.tags).to.have.length(11);
      expect(view?.record.title).to.equal('Zero \0 and é');
    }
  });
});
