import { expect } from 'chai';
import { withLiveFeed } from '../../adapters/event-store/live-feed.js';
import type { SubscriptionHandlers } from '../../application/ports/event-store.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { until } from '../support/event-store/outcomes.js';

const handlers: SubscriptionHandlers = { onPage: () => Promise.resolve(), onFailure: () => undefined };

describe('the live feed', () => {
  it('is not live while nobody follows the log, so that no cached state counts as current', async () => {
    const { store: plain, close } = await openInMemory();
    const { store, liveFeed } = withLiveFeed(plain);
    expect(liveFeed.isLive()).to.equal(false);
    const first = store.subscribe(null, {}, handlers);
    await until('live', liveFeed.isLive);
    await first.close();
    expect(liveFeed.isLive()).to.equal(false);
    store.subscribe(null, {}, handlers);
    await until('live again', liveFeed.isLive);
    await close();
  });

  it('stays live when a subscription to some events ends', async () => {
    const { store: plain, close } = await openInMemory();
    const { store, liveFeed } = withLiveFeed(plain);
    store.subscribe(null, {}, handlers);
    await until('live', liveFeed.isLive);
    await store.subscribe(null, { categories: ['video'] }, handlers).close();
    expect(liveFeed.isLive()).to.equal(true);
    await close();
  });

  it('stays live when an earlier subscription to all events ends', async () => {
    const { store: plain, close } = await openInMemory();
    const { store, liveFeed } = withLiveFeed(plain);
    const earlier = store.subscribe(null, {}, handlers);
    await until('live', liveFeed.isLive);
    store.subscribe(null, {}, handlers);
    await until('live again', liveFeed.isLive);
    await earlier.close();
    expect(liveFeed.isLive()).to.equal(true);
    await close();
  });
});
