import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { EventStore, ExpectedRevision } from '../../../application/ports/event-store.js';
import { freshCategory, freshStream, idsOf, newEvents, follow, succeeded } from '../../support/event-store/stores.js';
import { losses, returns, useAdapter } from '../../support/event-store/use-adapter.js';

const rounds = 4;

/** Appends batch after batch; failed ones are sent again with the same ids until they are acknowledged. */
const write = async (store: EventStore, stream: string, going: () => boolean): Promise<ReadonlyArray<string>> => {
  const acknowledged: string[] = [];
  let expected: ExpectedRevision = 'no_stream';
  while (going()) {
    const batch = newEvents(1 + (acknowledged.length % 3));
    const send = store.append(stream, expected, batch);
    let answer = await send();
    while (E.isLeft(answer)) {
      if (answer.left._tag === 'RevisionConflict') throw new Error(`a conflict: ${JSON.stringify(answer.left)}`);
      await setTimeout(20);
      answer = await send();
    }
    expected = answer.right.revision;
    acknowledged.push(...idsOf(batch));
  }
  return acknowledged;
};

describe('the EventStoreDB adapter, while its server is killed and restarted', function () {
  this.timeout(90_000);
  const { newFile, open, serveInProcess } = useAdapter();

  it(`has everything once and in order, as have its subscriptions, after ${rounds} kills at random moments`, async () => {
    const file = await newFile();
    let server = await serveInProcess(file);
    const { store, lines } = open(`${server.url}&defaultDeadline=2000`);
    const category = freshCategory();
    const streams = Array.from({ length: 6 }, () => freshStream(category));
    const early = follow(store, null, { categories: [category] });
    const slow = follow(store, null, { categories: [category] }, ({ events }) => setTimeout(events.length));
    let going = true;
    const writing = Promise.all(streams.map((stream) => write(store, stream, () => going)));
    for (let round = 0; round < rounds; round += 1) {
      const before = early.events.length;
      await early.received(before + 30);
      await setTimeout(Math.random() * 100);
      await server.kill();
      await setTimeout(Math.random() * 300);
      server = await serveInProcess(file, server.port);
    }
    await early.received(early.events.length + 30);
    going = false;
    const acknowledged = await writing;
    const { events } = await succeeded(store.readAll(null, { categories: [category] }, 1_000_000));
    const inLog = (stream: string) => idsOf(events.filter((event) => event.stream === stream));
    streams.forEach((stream, index) => expect(inLog(stream)).to.deep.equal(acknowledged[index]));
    await Promise.all([early, slow].map(({ received }) => received(events.length)));
    expect(idsOf(early.events)).to.deep.equal(idsOf(events));
    expect(idsOf(slow.events)).to.deep.equal(idsOf(events));
    expect([...early.failures, ...slow.failures]).to.deep.equal([]);
    expect(losses(lines).length).to.equal(returns(lines).length).and.to.be.at.least(rounds);
  });
});
