import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { aggregate } from '../../application/commands/aggregate.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { noSnapshots } from '../../application/ports/snapshots.js';
import { type LiveFeed, noLiveFeed } from '../../application/ports/live-feed.js';
import type { YieldIfBusy } from '../../application/ports/event-loop.js';
import { commandContext } from '../../application/commands/context.js';
import { isEventOf } from '../../domain/kernel/event-codecs.js';
import { video } from '../../domain/video/decider.js';
import { videoEvents } from '../../domain/video/events.js';
import { completedMedia, videoState } from '../support/application/media.js';
import { world } from '../support/application/world.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { faceId, personName } from '../support/values.js';

/** A video on a store that records the revisions of its reads, and a function that renames a face. */
const setUp = async () => {
  const { store } = await openInMemory();
  const place = world(store);
  await completedMedia(place, 'v');
  const reads: number[] = [];
  const read: EventStore['read'] = (stream, after, limit) => {
    reads.push(after);
    return store.read(stream, after, limit);
  };
  const videosOf = (append: EventStore['append'], liveFeed: LiveFeed, yieldIfBusy: YieldIfBusy) => {
    const videos = aggregate(
      { ...store, read, append },
      video,
      isEventOf(videoEvents),
      liveFeed,
      noSnapshots,
      yieldIfBusy,
    );
    const rename = (name: string) =>
      succeeded(
        videos.handle(
          'v',
          { type: 'RenameFaces', faces: [{ face_id: faceId(1), name: personName(name) }], at: place.app.clock.now() },
          commandContext(place.app.ids, place.request()),
        ),
      );
    return { videos, rename };
  };
  return { store, place, reads, videosOf };
};

describe('commands that yield to other work', () => {
  it('leave the newest state in the cache, whichever of them continues last', async () => {
    const { store, place, reads, videosOf } = await setUp();
    let pauses = 0;
    const yieldIfBusy = () => ((pauses += 1) % 4 === 0 ? null : setTimeout((pauses * 7) % 11));
    const { videos, rename } = videosOf(store.append, noLiveFeed, yieldIfBusy);
    const names = Array.from({ length: 30 }, (_, index) => `Name ${index}`);
    const revisions = (await Promise.all(names.map(rename))).map(({ revision }) => revision);
    expect(revisions).to.deep.equal(names.map((_, index) => 3 + index));
    reads.length = 0;
    const { state } = await succeeded(videos.load('v'));
    expect(reads).to.deep.equal([32]);
    expect(state).to.deep.equal(await videoState(place, 'v'));
    expect(pauses).to.be.greaterThan(60);
  });

  it('leave no state in the cache from before an erasure that happened meanwhile', async () => {
    const { store, reads, videosOf } = await setUp();
    const listeners: Array<Parameters<LiveFeed['onEvent']>[0]> = [];
    let isWritten = false;
    const append: EventStore['append'] = (...call) =>
      pipe(
        store.append(...call),
        TE.map((answer) => {
          isWritten = true;
          return answer;
        }),
      );
    const somethingIsErased = async (): Promise<void> => {
      const event = { position: '', stream: 'video-other', revision: 9, id: '', data: {}, metadata: {} };
      for (const listener of listeners) listener({ ...event, type: 'MediumErased.v1' });
    };
    const liveFeed: LiveFeed = { ...noLiveFeed, onEvent: (listener) => void listeners.push(listener) };
    const { videos, rename } = videosOf(append, liveFeed, () => (isWritten ? somethingIsErased() : null));
    await rename('Ann');
    reads.length = 0;
    await succeeded(videos.load('v'));
    expect(reads[0]).to.equal(-1);
  });
});
