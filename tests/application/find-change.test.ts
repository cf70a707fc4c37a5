import { expect } from 'chai';
import type { EventStore } from '../../application/ports/event-store.js';
import { findChange } from '../../application/use-cases/undo/find-change.js';
import { changeVideo } from '../../application/use-cases/videos/change-video.js';
import { completedMedia } from '../support/application/media.js';
import { world } from '../support/application/world.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { videoId } from '../support/values.js';

const changes = 300;

describe('finding a change to undo', () => {
  it('reads only a few events of long streams, wherever the change is', async () => {
    const { store, close } = await openInMemory();
    const place = world(store);
    const { app, request } = place;
    await completedMedia(place, 'v');
    const positions: string[] = [];
    for (let number = 0; number < changes; number += 1) {
      const asking = request({ onWrite: (position) => void positions.push(position) });
      const details = { title: `Title ${number}`, media_url: undefined, at: asking.at };
      await succeeded(changeVideo(app, asking, videoId('v'), { type: 'ChangeVideoDetails', ...details }));
    }
    const streams = await Promise.all(
      ['video-v', 'audio-v'].map(async (stream) => ({
        stream,
        revision: (await succeeded(store.read(stream, -1, 1_000))).length - 1,
      })),
    );
    let reads = 0;
    const counting: EventStore = { ...store, read: (...args) => ((reads += args[2]), store.read(...args)) };
    for (const place of [0, 1, 150, changes - 1]) {
      reads = 0;
      const found = await succeeded(findChange({ ...app, store: counting }, streams, positions[place] ?? ''));
      expect(found.video.changes.title?.after).to.equal(`Title ${place}`);
      expect(reads).to.be.at.most(20);
    }
    await close();
  });
});
