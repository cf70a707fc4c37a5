import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { OpenStore } from './event-store-contract.js';
import { freshCategory, freshStream, idsOf, newEvent, newEvents } from '../event-store/events.js';
import { follow } from '../event-store/follower.js';
import { failed, succeeded, until } from '../event-store/outcomes.js';

/** Answers of a closed store, and the content of a store that is opened again. */
export const closingContract = (open: OpenStore): void => {
  it('answers everything with StoreUnavailable, and never throws', async () => {
    const { store, close } = await open();
    await close();
    const failures = [
      await failed(store.append(freshStream(), 'no_stream', [newEvent()])),
      await failed(store.read(freshStream(), -1, 1)),
      await failed(store.readAll(null, {}, 1)),
      await failed(store.head()),
    ];
    const follower = follow(store, null, {});
    await until('the failure', () => follower.failures.length > 0);
    await follower.close();
    expect([...failures, ...follower.failures]).to.satisfy((all: ReadonlyArray<{ readonly _tag: string }>) =>
      all.every(({ _tag }) => _tag === 'StoreUnavailable'),
    );
    await close();
  });

  it('waits for handlers that still append', async () => {
    const { store, close } = await open();
    const category = freshCategory();
    const reaction = freshStream();
    await succeeded(store.append(freshStream(category), 'no_stream', [newEvent()]));
    const outcomes: boolean[] = [];
    const follower = follow(store, null, { categories: [category] }, async ({ events }) => {
      await setTimeout(20);
      if (events.length > 0) outcomes.push(E.isRight(await store.append(reaction, 'no_stream', newEvents(2))()));
    });
    await follower.received(1);
    await close();
    expect(outcomes).to.deep.equal([true]);
    expect(follower.failures).to.deep.equal([]);
  });

  it('answers all earlier calls', async () => {
    const { store, close } = await open();
    const sent = Array.from({ length: 20 }, () => store.append(freshStream(), 'no_stream', newEvents(2))());
    await close();
    expect((await Promise.all(sent)).every(E.isRight)).to.equal(true);
  });

  it('keeps everything when it is opened again', async function () {
    const opened = await open();
    if (opened.reopen === undefined) {
      await opened.close();
      this.skip();
      return;
    }
    const stream = freshStream();
    const batch = newEvents(3);
    const first = await succeeded(opened.store.append(stream, 'no_stream', batch));
    const { store, close } = await opened.reopen();
    expect(idsOf(await succeeded(store.read(stream, -1, 10)))).to.deep.equal(idsOf(batch));
    expect(await succeeded(store.append(stream, 'no_stream', batch))).to.include(first);
    const next = await succeeded(store.append(stream, 2, [newEvent()]));
    expect(next.position > first.position).to.equal(true);
    await close();
  });
};
