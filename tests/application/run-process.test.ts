import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { runProcess } from '../../application/processes/run-process.js';
import { storedType } from '../../domain/event-catalogue.js';
import { completedMedia } from '../support/application/media.js';
import { world } from '../support/application/world.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { until } from '../support/event-store/outcomes.js';

/** A process that handles registrations of videos. Those whose ids begin with `slow` wait until they are released. */
const setUp = async (concurrency: number) => {
  const { store } = await openInMemory();
  const place = world(store);
  const [done, saved]: [string[], string[]] = [[], []];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = runProcess(
    place.app,
    { load: () => TE.right(null), save: (_, position) => TE.fromIO(() => void saved.push(position)) },
    {
      name: 'watched',
      filter: { categories: ['video'], types: [storedType('VideoRegistered')] },
      concurrency,
      react: ({ stream }) =>
        TE.fromTask(async () => {
          if (stream.startsWith('video-slow')) await released;
          done.push(stream);
        }),
    },
  );
  return { place, done, saved, release, running };
};

describe('a process', () => {
  it('handles later events while a slow one is in progress, but saves no checkpoint after the slow one', async () => {
    const { place, done, saved, release, running } = await setUp(2);
    await completedMedia(place, 'slow');
    const before = [...saved];
    await completedMedia(place, 'quick');
    await completedMedia(place, 'other');
    await until('the events are handled', () => done.length === 2);
    expect(done).to.deep.equal(['video-quick', 'video-other']);
    expect(saved).to.deep.equal(before);
    release();
    await until('the events are handled', () => done.length === 3 && saved.length > before.length);
    expect(saved).to.deep.equal(saved.toSorted());
    await running.close();
  });

  it('keeps the order of events if it handles one at a time', async () => {
    const { place, done, release, running } = await setUp(1);
    await completedMedia(place, 'slow');
    await completedMedia(place, 'quick');
    expect(done).to.deep.equal([]);
    release();
    await until('the events are handled', () => done.length === 2);
    expect(done).to.deep.equal(['video-slow', 'video-quick']);
    await running.close();
  });

  it('waits for events in progress when it is closed', async () => {
    const { place, done, release, running } = await setUp(3);
    await completedMedia(place, 'slow');
    await completedMedia(place, 'quick');
    await until('the events are handled', () => done.length === 1);
    const closed = running.close();
    release();
    await closed;
    expect(done).to.deep.equal(['video-quick', 'video-slow']);
  });
});
