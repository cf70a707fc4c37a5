import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { EventStore } from '../../../application/ports/event-store.js';
import { freshCategory, freshStream, idsOf, newEvent, newEvents } from '../event-store/events.js';
import { follow } from '../event-store/follower.js';
import { succeeded, until } from '../event-store/outcomes.js';

/** Subscriptions: each event once and in order, at the pace of the handler, until closed or failed. */
export const subscribingContract = (store: () => EventStore): void => {
  it('delivers existing events from the first on, then reports that it has caught up', async () => {
    const category = freshCategory();
    const batch = newEvents(5);
    await succeeded(store().append(freshStream(category), 'no_stream', batch));
    const follower = follow(store(), null, { categories: [category] });
    await until('caught up', () => follower.caughtUp() > 0);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(batch));
    await follower.close();
  });

  it('starts after a position', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    const { position } = await succeeded(store().append(stream, 'no_stream', newEvents(2)));
    const later = newEvents(2);
    await succeeded(store().append(stream, 1, later));
    const follower = follow(store(), position, { categories: [category] });
    await follower.received(2);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(later));
    await follower.close();
  });

  it('delivers new events as they are appended, each page with its last examined position', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    const follower = follow(store(), await succeeded(store().head()), { categories: [category] });
    for (let revision = 0; revision < 5; revision += 1) {
      const { position } = await succeeded(
        store().append(stream, revision === 0 ? 'no_stream' : revision - 1, [newEvent()]),
      );
      await follower.received(revision + 1);
      expect((follower.pages.at(-1)?.examined ?? '') >= position).to.equal(true);
    }
    expect(follower.events.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3, 4]);
    await follower.close();
  });

  it('delivers without omissions or repetitions while 8 writers append', async () => {
    const categories = [freshCategory(), freshCategory()];
    const streams = Array.from({ length: 8 }, (_, index) => freshStream(categories[index % 2]));
    const start = await succeeded(store().head());
    const write = async (stream: string): Promise<void> => {
      for (let round = 0; round < 40; round += 1)
        await succeeded(store().append(stream, round === 0 ? 'no_stream' : round * 3 - 1, newEvents(3)));
    };
    const early = follow(store(), start, { categories });
    const writing = Promise.all(streams.map(write));
    await early.received(50);
    const late = follow(store(), early.events[20]?.position ?? null, { categories });
    const half = follow(store(), null, { categories: categories.slice(0, 1), types: ['SomethingHappened.v1'] });
    await writing;
    await Promise.all([early.received(960), late.received(939), half.received(480)]);
    const { events: all } = await succeeded(store().readAll(start, { categories }, 2_000));
    expect(all).to.have.length(960);
    expect(idsOf(early.events)).to.deep.equal(idsOf(all));
    expect(idsOf(late.events)).to.deep.equal(idsOf(all.slice(21)));
    expect(idsOf(half.events)).to.deep.equal(idsOf(all.filter(({ stream }) => stream.startsWith(`${categories[0]}-`))));
    await Promise.all([early, late, half].map(({ close }) => close()));
  });

  it('waits for a slow handler and never calls it concurrently', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    let running = 0;
    let most = 0;
    const follower = follow(store(), await succeeded(store().head()), { categories: [category] }, async () => {
      running += 1;
      most = Math.max(most, running);
      await setTimeout(5);
      running -= 1;
    });
    for (let revision = 0; revision < 40; revision += 1)
      await succeeded(store().append(stream, revision === 0 ? 'no_stream' : revision - 1, [newEvent()]));
    await follower.received(40);
    expect(follower.events.map(({ revision }) => revision)).to.deep.equal(Array.from({ length: 40 }, (_, n) => n));
    expect(most).to.equal(1);
    await follower.close();
  });

  it('ends with a failure when its handler rejects', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    await succeeded(store().append(stream, 'no_stream', [newEvent()]));
    const reason = new Error('the handler fails');
    const follower = follow(store(), null, { categories: [category] }, ({ events }) =>
      events.length > 0 ? Promise.reject(reason) : Promise.resolve(),
    );
    await until('the failure', () => follower.failures.length > 0);
    await succeeded(store().append(stream, 0, [newEvent()]));
    await setTimeout(30);
    expect(follower.failures).to.deep.equal([reason]);
    expect(follower.events).to.have.length(1);
    await follower.close();
  });

  it('is closed only when no handler runs, and calls none afterwards', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    await succeeded(store().append(stream, 'no_stream', [newEvent()]));
    let handled = false;
    const follower = follow(store(), null, { categories: [category] }, async ({ events }) => {
      await setTimeout(30);
      handled = events.length > 0;
    });
    await follower.received(1);
    await follower.close();
    expect(handled).to.equal(true);
    await succeeded(store().append(stream, 0, [newEvent()]));
    await setTimeout(30);
    expect(follower.events).to.have.length(1);
    expect(follower.failures).to.deep.equal([]);
    await follower.close();
  });

  it('may be closed by its own handlers', async () => {
    const filter = { categories: [freshCategory()] };
    const closedWhenCaughtUp = new Promise<void>((resolve) => {
      const subscription = store().subscribe(null, filter, {
        onPage: () => Promise.resolve(),
        onCaughtUp: () => void subscription.close().then(resolve),
        onFailure: () => undefined,
      });
    });
    const closedByPage = new Promise<void>((resolve) => {
      const subscription = store().subscribe(
        null,
        {},
        {
          onPage: () => {
            void subscription.close().then(resolve);
            return Promise.resolve();
          },
          onFailure: () => undefined,
        },
      );
    });
    await Promise.all([closedWhenCaughtUp, closedByPage]);
  });
};
