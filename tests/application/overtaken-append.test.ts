import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { commandContext } from '../../application/commands/context.js';
import { queueMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import type { RenameFaces } from '../../domain/video/contract.js';
import { matchRuns } from '../../projections/match-runs.js';
import { memoryRows } from '../../projections/tables.js';
import { completedMedia, videoState } from '../support/application/media.js';
import { type World, world } from '../support/application/world.js';
import { heldAppends } from '../support/event-store/held-appends.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { expectedRuns } from '../support/kill-nine/answers.js';
import { type Recorded, readLog } from '../support/kill-nine/log.js';
import { faceId, personName, videoId } from '../support/values.js';

const faces = [faceId(1), faceId(2)];

const rename = (instance: World, name: string, renamed = faces) => {
  const { app, request } = instance;
  const command: RenameFaces = {
    type: 'RenameFaces',
    faces: renamed.map((face_id) => ({ face_id, name: personName(name) })),
    at: app.clock.now(),
  };
  return app.videos.handle('v', command, commandContext(app.ids, request()));
};

/** The match runs as the read models list them. */
const listedRuns = (events: ReadonlyArray<Recorded>) => {
  const rows = memoryRows();
  events.forEach((event) => matchRuns.project(rows, event));
  return Object.fromEntries(
    rows.matchRuns.all().map(({ view: { run_id, outcome, superseded_by } }) => [run_id, { outcome, superseded_by }]),
  );
};

describe('a change that waited for another one of the same instance', () => {
  it("is decided on another instance's event if the one before it was not stored", async () => {
    const { store, close } = await openInMemory();
    const held = heldAppends(store);
    const [one, other] = [world(held.store, 'one'), world(store, 'other')];
    await completedMedia(other, 'v');
    const pending = rename(one, 'Ann', faces.slice(0, 1))();
    const following = rename(one, 'Ann')();
    await setTimeout(20);
    await succeeded(rename(other, 'Zoe', faces.slice(0, 1)));
    held.release('lose the first');
    expect(E.isLeft(await pending)).to.equal(true);
    expect(E.isRight(await following)).to.equal(true);
    const state = await videoState(other, 'v');
    expect(faces.map((face) => state.faces.get(face)?.name)).to.deep.equal(['Ann', 'Ann']);
    await close();
  });

  it('supersedes no match run that is not yet queued: runs are listed as the events of their video say', async () => {
    const { store, close } = await openInMemory();
    const held = heldAppends(store);
    const [one, other] = [world(held.store, 'one'), world(store, 'other')];
    await completedMedia(other, 'v');
    const queue = () => queueMatchRun(one.app, one.request(), videoId('v'), 'commit', null)();
    const queued = [queue(), queue()];
    await setTimeout(20);
    await succeeded(rename(other, 'Zoe', faces.slice(0, 1)));
    held.release('keep');
    for (const run of await Promise.all(queued)) expect(E.isRight(run)).to.equal(true);
    const { events, streams } = await readLog(store);
    expect(listedRuns(events)).to.deep.equal(expectedRuns(streams['video-v'] ?? []));
    await close();
  });
});
