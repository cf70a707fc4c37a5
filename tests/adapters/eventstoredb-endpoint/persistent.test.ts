import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient } from '@eventstore/db-client';
import { connect, failure, numbered, take } from '../../support/event-store/esdb-client.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';
import { consume, until } from '../../support/event-store/persistent-consumer.js';

const {
  END,
  START,
  persistentSubscriptionToAllSettingsFromDefaults: toAll,
  persistentSubscriptionToStreamSettingsFromDefaults: toStream,
  streamNameFilter,
} = eventStoreDb;

describe('EventStoreDB endpoint: persistent subscriptions', () => {
  let server: TestServer;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    server = await startTestServer();
    client = connect(server.url);
  });
  afterEach(async () => {
    await client.dispose();
    await server.stop();
  });
  const fromStart = (changes = {}) => toStream({ startFrom: START, checkPointAfter: 50, ...changes });
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  const restart = async (): Promise<void> => {
    await client.dispose();
    server = await server.restart();
    client = connect(server.url);
  };

  /** The parked events, as links. */
  const parked = async (): Promise<ReadonlyArray<string>> => {
    const events = await take(client.readStream('$persistentsubscription-s::g-parked')).catch(() => []);
    return events.map(({ event }) => (event?.data instanceof Uint8Array ? Buffer.from(event.data).toString() : ''));
  };

  it('delivers each event once to one of the consumers, including new events', async () => {
    await client.appendToStream('s', numbered(100));
    await client.createPersistentSubscriptionToStream('s', 'g', fromStart());
    const consumers = [consume(client, 's', 'g'), consume(client, 's', 'g')];
    const seen = () => consumers.flatMap((consumer) => consumer.seen);
    await until(() => seen().length >= 100);
    await client.appendToStream('s', numbered(20, 'More', 100));
    await until(() => seen().length >= 120);
    expect(seen().toSorted((a, b) => a - b)).to.deep.equal(range(120));
    for (const { seen: own } of consumers) expect(own.length).to.be.greaterThan(0);
    await Promise.all(consumers.map((consumer) => consumer.leave()));
  });

  it('starts where requested: at a revision, at the end', async () => {
    await client.appendToStream('s', numbered(10));
    await client.createPersistentSubscriptionToStream('s', 'seven', fromStart({ startFrom: 7n }));
    await client.createPersistentSubscriptionToStream('s', 'end', fromStart({ startFrom: END }));
    const [seven, end] = [consume(client, 's', 'seven'), consume(client, 's', 'end')];
    await client.appendToStream('s', numbered(1, 'New', 10));
    await until(() => seven.seen.length === 4 && end.seen.length === 1);
    expect([seven.seen, end.seen]).to.deep.equal([[7, 8, 9, 10], [10]]);
    await Promise.all([seven.leave(), end.leave()]);
  });

  it('follows all streams, limited by a filter', async () => {
    await client.appendToStream('a-1', numbered(5));
    await client.appendToStream('b-1', numbered(5));
    await client.createPersistentSubscriptionToAll('g', toAll({ startFrom: START }), {
      filter: streamNameFilter({ prefixes: ['b-'] }),
    });
    const consumer = consume(client, null, 'g');
    await client.appendToStream('a-1', numbered(5));
    await client.appendToStream('b-2', numbered(1, 'Last', 5));
    await until(() => consumer.seen.length === 6);
    expect(consumer.seen).to.deep.equal(range(6));
    await consumer.leave();
  });

  it('limits the unacknowledged events of a consumer, and gives them to another when it leaves', async () => {
    await client.appendToStream('s', numbered(30));
    await client.createPersistentSubscriptionToStream('s', 'g', fromStart());
    const mute = consume(client, 's', 'g', { bufferSize: 7, answer: async () => undefined });
    await until(() => mute.seen.length === 7);
    const other = consume(client, 's', 'g');
    await until(() => other.seen.length === 23);
    await mute.leave();
    await until(() => other.seen.length === 30);
    expect([mute.seen, other.seen.toSorted((a, b) => a - b)]).to.deep.equal([range(7), range(30)]);
    await other.leave();
  });

  it('retries, skips and parks on request', async () => {
    await client.appendToStream('s', numbered(4));
    await client.createPersistentSubscriptionToStream('s', 'g', fromStart({ maxRetryCount: 3 }));
    const attempts: Array<[number, number]> = [];
    const consumer = consume(client, 's', 'g', {
      answer: async (subscription, event, n) => {
        attempts.push([n, event.retryCount]);
        if (n === 0) await subscription.nack('skip', 'no', event);
        else if (n === 1) await subscription.nack('park', 'later', event);
        else if (n === 2) await subscription.nack('retry', 'again', event);
        else await subscription.ack(event);
      },
    });
    await until(async () => (await parked()).length === 2);
    expect(attempts.filter(([n]) => n === 2)).to.deep.equal([0, 1, 2, 3].map((retry) => [2, retry]));
    expect(attempts.filter(([n]) => n !== 2)).to.deep.equal([
      [0, 0],
      [1, 0],
      [3, 0],
    ]);
    expect(await parked()).to.deep.equal(['1@s', '2@s']);
    await consumer.leave();
  });

  it('retries a message after its timeout, and finally parks it', async () => {
    await client.appendToStream('s', numbered(1));
    await client.createPersistentSubscriptionToStream('s', 'g', fromStart({ messageTimeout: 30, maxRetryCount: 2 }));
    const mute = consume(client, 's', 'g', { answer: async () => undefined });
    await until(async () => (await parked()).length === 1);
    expect(mute.seen).to.deep.equal([0, 0, 0]);
    await mute.leave();
  });

  it('continues from its checkpoint after a restart', async () => {
    await client.appendToStream('s', numbered(50));
    await client.createPersistentSubscriptionToStream('s', 'g', fromStart());
    const first = consume(client, 's', 'g', {
      answer: (subscription, event, n) => (n < 40 ? subscription.ack(event) : Promise.resolve()),
    });
    const checkpoints = server.events.log.db.prepare('SELECT position FROM checkpoints').raw(true);
    await until(() => String(checkpoints.all()) === '40');
    await first.leave();
    await restart();
    const second = consume(client, 's', 'g');
    await until(() => second.seen.length === 10);
    expect(second.seen).to.deep.equal(range(50).slice(40));
    await second.leave();
  });

  it('sends a stream to one consumer with Pinned, and everything to one with DispatchToSingle', async () => {
    const streams = range(20).map((index) => `p-${index}`);
    for (const stream of streams) await client.appendToStream(stream, numbered(5));
    const filter = streamNameFilter({ prefixes: ['p-'] });
    for (const strategy of ['Pinned', 'DispatchToSingle'] as const) {
      const settings = toAll({ startFrom: END, consumerStrategyName: strategy });
      await client.createPersistentSubscriptionToAll(strategy, settings, { filter });
      const consumers = [consume(client, null, strategy), consume(client, null, strategy)];
      await Promise.all(consumers.map(({ joined }) => joined));
      for (const stream of streams) await client.appendToStream(stream, numbered(1));
      await until(() => consumers.flatMap(({ streams: own }) => own).length === 20);
      for (const stream of streams) await client.appendToStream(stream, numbered(1));
      await until(() => consumers.flatMap(({ streams: own }) => own).length === 40);
      const [one, two] = consumers.map(({ streams: own }) => new Set(own));
      expect(
        [...(one ?? [])].filter((stream) => two?.has(stream)),
        strategy,
      ).to.deep.equal([]);
      if (strategy === 'Pinned') for (const set of [one, two]) expect(set?.size).to.be.greaterThan(0);
      await Promise.all(consumers.map((consumer) => consumer.leave()));
    }
  });

  it('reports what is wrong with a group', async () => {
    await client.createPersistentSubscriptionToStream('s', 'g', fromStart({ maxSubscriberCount: 1 }));
    const create = () => client.createPersistentSubscriptionToStream('s', 'g', fromStart());
    expect(await failure(create())).to.include({
      type: 'persistent-subscription-exists',
      streamName: 's',
      groupName: 'g',
    });
    const missing = 'persistent-subscription-does-not-exist';
    for (const call of [() => consume(client, 's', 'x').ended, () => consume(client, null, 'g').ended])
      expect((await failure(call()))['type']).to.equal(missing);
    const first = consume(client, 's', 'g');
    await first.joined;
    expect((await failure(consume(client, 's', 'g').ended))['type']).to.equal('maximum-subscribers-reached');
    await first.leave();
    const bad = client.createPersistentSubscriptionToStream('s', 'b', fromStart({ historyBufferSize: 5 }));
    expect((await failure(bad))['type']).to.equal('persistent-subscription-failed');
  });
});
