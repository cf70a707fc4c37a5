import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient } from '@eventstore/db-client';
import { connect, failure, numbered } from '../event-store/esdb-client.js';
import { type TestServer, startTestServer } from '../event-store/eventstoredb-server.js';
import { consume, until } from '../event-store/persistent-consumer.js';

const { END, START, persistentSubscriptionToAllSettingsFromDefaults: toAll, streamNameFilter } = eventStoreDb;

describe('the imitation of EventStoreDB: persistent subscriptions', () => {
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
  const create = (changes = {}, group = 'g') =>
    client.createPersistentSubscriptionToAll(group, toAll({ startFrom: START, checkPointAfter: 50, ...changes }), {
      filter: streamNameFilter({ prefixes: ['s'] }),
    });
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('delivers each event that passes the filter once to one of the consumers, including new events', async () => {
    await client.appendToStream('s', numbered(100));
    await client.appendToStream('other', numbered(5));
    await create();
    const consumers = [consume(client, 'g'), consume(client, 'g')];
    const seen = () => consumers.flatMap((consumer) => consumer.seen);
    await until(() => seen().length >= 100);
    await client.appendToStream('s', numbered(20, 'More', 100));
    await until(() => seen().length >= 120);
    expect(seen().toSorted((a, b) => a - b)).to.deep.equal(range(120));
    for (const { seen: own } of consumers) expect(own.length).to.be.greaterThan(0);
    await Promise.all(consumers.map((consumer) => consumer.leave()));
  });

  it('starts where requested: at a position, at the end', async () => {
    await client.appendToStream('s', numbered(7));
    const { position } = await client.appendToStream('s', numbered(1, 'Counted', 7));
    await client.appendToStream('s', numbered(2, 'Counted', 8));
    await create({ startFrom: position }, 'seven');
    await create({ startFrom: END }, 'end');
    const [seven, end] = [consume(client, 'seven'), consume(client, 'end')];
    await client.appendToStream('s', numbered(1, 'New', 10));
    await until(() => seven.seen.length === 4 && end.seen.length === 1);
    expect([seven.seen, end.seen]).to.deep.equal([[7, 8, 9, 10], [10]]);
    await Promise.all([seven.leave(), end.leave()]);
  });

  it('limits the unacknowledged events of a consumer, and gives them to another when it leaves', async () => {
    await client.appendToStream('s', numbered(30));
    await create();
    const mute = consume(client, 'g', { bufferSize: 7, answer: async () => undefined });
    await until(() => mute.seen.length === 7);
    const other = consume(client, 'g');
    await until(() => other.seen.length === 23);
    await mute.leave();
    await until(() => other.seen.length === 30);
    expect([mute.seen, other.seen.toSorted((a, b) => a - b)]).to.deep.equal([range(7), range(30)]);
    await other.leave();
  });

  it('delivers a message again on request and after its timeout, and counts the retries', async () => {
    await client.appendToStream('s', numbered(1));
    await create({ messageTimeout: 30 });
    const retries: number[] = [];
    const consumer = consume(client, 'g', {
      answer: async (subscription, event) => {
        retries.push(event.retryCount);
        if (event.retryCount === 0) await subscription.nack('retry', 'again', event);
        if (event.retryCount === 2) await subscription.ack(event);
      },
    });
    await until(() => retries.length === 3);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(retries).to.deep.equal([0, 1, 2]);
    await consumer.leave();
  });

  it('continues from its checkpoint after a restart', async () => {
    await client.appendToStream('s', numbered(50));
    await create();
    const first = consume(client, 'g', {
      answer: (subscription, event, n) => (n < 40 ? subscription.ack(event) : Promise.resolve()),
    });
    const checkpoints = server.events.log.db.prepare('SELECT position FROM checkpoints').raw(true);
    await until(() => String(checkpoints.all()) === '41');
    await first.leave();
    await client.dispose();
    server = await server.restart();
    client = connect(server.url);
    const second = consume(client, 'g');
    await until(() => second.seen.length === 10);
    expect(second.seen).to.deep.equal(range(50).slice(40));
    await second.leave();
  });

  it('reports what is wrong with a group', async () => {
    await create();
    expect(await failure(create())).to.include({
      type: 'persistent-subscription-exists',
      streamName: '$all',
      groupName: 'g',
    });
    expect((await failure(consume(client, 'x').ended))['type']).to.equal('persistent-subscription-does-not-exist');
  });
});
