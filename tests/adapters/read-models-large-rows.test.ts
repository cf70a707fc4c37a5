import { expect } from 'chai';
import { constVoid } from 'fp-ts/lib/function.js';
import { createProjector } from '../../adapters/read-models/projector.js';
import { shapeOf } from '../../adapters/read-models/schema.js';
import { type Session, openSession } from '../../adapters/read-models/session.js';
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

/** A session that records the content of each transaction. */
const counted = (session: Session) => {
  const commits: Array<{ readonly events: number; readonly characters: number }> = [];
  const commit: Session['commit'] = (next, erases) => {
    const events = Number(next.position) - Number(session.progress().position);
    commits.push({ events, characters: session.unwrittenSize() });
    return session.commit(next, erases);
  };
  return { session: { ...session, commit }, commits };
};

describe('read models: large rows', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.end());

  it('are written in transactions of bounded size, even if one page of small events changes many of them', async () => {
    const videos = Array.from({ length: 20 }, (_, number) => `v${number}`);
    for (const video_id of videos) {
      const data = { video_id, owner_id: 'o1', title: 'Zero \0 and é', kind: 'upload', audio_id: null };
      await world.append(`video-${video_id}`, toNew('VideoRegistered.v1', data), tags('large', 10, 10_000));
    }
    await world.rows();
    for (const video_id of videos) await world.append(`video-${video_id}`, tags('small', 1, 1));
    const { session, commits } = counted(openSession(world.file, shapeOf(projections)));
    const after = session.progress().position;
    const projector = createProjector(session, {
      isWanted: () => false,
      isRunAwaited: () => false,
      onFailed: (cause) => expect.fail(String(cause)),
      onCommitted: constVoid,
      maxEvents: 4_000,
      maxCharacters: 500_000,
    });
    await projector.take(await succeeded(world.store.readAll(after, {}, 1_000)));
    await projector.finish();
    await session.close();
    expect(commits.map(({ events }) => events).reduce((sum, events) => sum + events, 0)).to.equal(videos.length);
    expect(commits.length).to.be.greaterThanOrEqual(4);
    // A whole row is added before the limit is checked, so it may be exceeded by one row.
    for (const { characters } of commits) expect(characters).to.be.within(1, 500_000 + 110_000);
    const readModels = world.open();
    await world.caughtUp(readModels);
    for (const video_id of videos) {
      const view = await succeeded(readModels.queries.video(valid(VideoId, video_id)));
      expect(view?.record.tags).to.have.length(11);
      expect(view?.record.title).to.equal('Zero \0 and é');
    }
  });
});
