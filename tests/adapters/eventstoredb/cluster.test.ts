import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { freshStream, idsOf, newEvent, newEvents, follow, succeeded, until } from '../../support/event-store/stores.js';
import { returns, useAdapter } from '../../support/event-store/use-adapter.js';

const options = 'tls=false&defaultDeadline=1000&maxDiscoverAttempts=2&gossipTimeout=1';

describe('the EventStoreDB adapter and a cluster', function () {
  this.timeout(60_000);
  const { newFile, open, serve } = useAdapter();

  it('finds the leader, from a list of nodes and by discovery', async () => {
    const leader = await serve();
    const follower = await serve({ leader: () => ({ host: 'localhost', port: leader.port }) });
    const nodes = `localhost:${follower.port},localhost:${leader.port}`;
    for (const url of [`esdb://${nodes}?${options}`, `esdb+discover://localhost:${follower.port}?${options}`]) {
      const { store } = open(url);
      const [stream, batch] = [freshStream(), newEvents(2)];
      await succeeded(store.append(stream, 'no_stream', batch));
      expect(idsOf(await succeeded(leader.events.store.read(stream, -1, 10)))).to.deep.equal(idsOf(batch));
    }
  });

  it('survives the loss of all nodes at once, and finds them again', async () => {
    const file = await newFile();
    const { port, stop } = await serve({ file });
    const { store, lines } = open(`esdb://localhost:${port},127.0.0.1:${port}?${options}`);
    const follower = follow(store, null, {});
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    const sent = Array.from({ length: 32 }, () => store.append(freshStream(), 'no_stream', newEvents(3))());
    await stop();
    const outcomes = await Promise.all(sent);
    for (let turn = 0; turn < 20; turn += 1) {
      void store.head()();
      void store.append(freshStream(), 'no_stream', [newEvent()])();
      await setTimeout(100);
    }
    expect(E.isLeft(await store.head()())).to.equal(true);
    await serve({ file, port });
    await until('the connection is back', () => returns(lines).length > 0, 20_000);
    const { events } = await succeeded(store.readAll(null, {}, 10_000));
    expect(events.length).to.be.at.least(3 * outcomes.filter(E.isRight).length);
    await until('the follower has all', () => follower.events.length >= events.length);
    expect(new Set(idsOf(follower.events)).size).to.equal(follower.events.length);
  });
});
