import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { commandContext } from '../../application/commands/context.js';
import type { RenameFaces } from '../../domain/video/contract.js';
import { completedMedia, videoState } from '../support/application/media.js';
import { type World, world } from '../support/application/world.js';
import { heldAppends } from '../support/event-store/held-appends.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { faceId, personName } from '../support/values.js';

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

describe('a change that was decided on a pending one of the same instance', () => {
  it("is decided again if another instance's event takes the place of the pending one", async () => {
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
});
