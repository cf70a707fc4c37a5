import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient, type Position } from '@eventstore/db-client';
import {
  recorded,
  revisions,
  take,
  type ProtocolEndpoint,
  startEndpoint,
} from '../../support/event-store/use-adapter.js';

const { END, START, excludeSystemEvents, eventTypeFilter, streamNameFilter } = eventStoreDb;

describe('EventStoreDB endpoint: subscribing', () => {
  let endpoint: ProtocolEndpoint;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    endpoint = await startEndpoint();
    ({ client } = endpoint);
    await endpoint.append('a-1', 400);
    await endpoint.append('b-1', 200, { type: 'Other' });
  });
  afterEach(() => endpoint.stop());

  const caughtUp = (subscription: { once: (event: 'caughtUp', listener: () => void) => unknown }) =>
    new Promise<void>((resolve) => subscription.once('caughtUp', resolve));

  it('delivers existing events, reports that it has caught up, and delivers new ones', async () => {
    const subscription = client.subscribeToAll({ fromPosition: START });
    const caughtUpEvent = caughtUp(subscription);
    const taken = take(subscription, 605);
    await caughtUpEvent;
    await endpoint.append('a-1', 5);
    const events = await taken;
    expect(revisions(events.slice(600))).to.deep.equal([400, 401, 402, 403, 404]);
    expect(new Set(recorded(events).map(({ id }) => id)).size).to.equal(605);
  });

  it('starts after the given revision or position, or at the end', async () => {
    const [, second] = await take(client.readAll({ maxCount: 2 }));
    const after = second?.event?.position;
    if (after === undefined) throw new Error('no position');
    expect(revisions(await take(client.subscribeToAll({ fromPosition: after }), 2))).to.deep.equal([2, 3]);
    expect(revisions(await take(client.subscribeToStream('a-1', { fromRevision: 397n }), 2))).to.deep.equal([398, 399]);
    const [live, liveAll] = [
      client.subscribeToStream('a-1', { fromRevision: END }),
      client.subscribeToAll({ fromPosition: END }),
    ];
    const taken = Promise.all([take(live, 1), take(liveAll, 1)]);
    await Promise.all([caughtUp(live), caughtUp(liveAll)]);
    await endpoint.append('a-1', 1);
    expect((await taken).map(revisions)).to.deep.equal([[400], [400]]);
  });

  it('waits for a stream that does not exist yet', async () => {
    const subscription = client.subscribeToStream('later', { fromRevision: START });
    const taken = take(subscription, 2);
    await caughtUp(subscription);
    await endpoint.append('later', 2);
    expect(revisions(await taken)).to.deep.equal([0, 1]);
  });

  it('delivers what passes a filter on stream names or types', async () => {
    await endpoint.append('c-1', 2, { type: '$system' });
    await endpoint.append('c-1', 1, { type: 'Last' });
    const filters = {
      prefixes: streamNameFilter({ prefixes: ['x', 'c-'] }),
      regex: streamNameFilter({ regex: '^c-\\d$' }),
      types: eventTypeFilter({ prefixes: ['$sys', 'La'] }),
      pattern: eventTypeFilter({ regex: '^(\\$system|Last)$' }),
    };
    for (const [name, filter] of Object.entries(filters)) {
      const events = recorded(await take(client.subscribeToAll({ filter }), 3));
      expect(
        events.map(({ type }) => type),
        name,
      ).to.deep.equal(['$system', '$system', 'Last']);
    }
    const [first] = recorded(
      await take(client.subscribeToAll({ filter: excludeSystemEvents(), fromPosition: START }), 601),
    ).slice(600);
    expect(first?.type).to.equal('Last');
  });

  it('refuses a regular expression that takes for ever, without blocking others', async () => {
    await endpoint.append(`${'a'.repeat(60)}!`, 1);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const endless = client.subscribeToAll({ filter: streamNameFilter({ regex: '^(a+)+$' }), fromPosition: START });
    const refusal = await new Promise<Error>((resolve) => endless.on('error', resolve).resume());
    delay.disable();
    expect(refusal.message).to.include('takes too long');
    expect(delay.max / 1e6).to.be.lessThan(5_000);
  });

  it('reports how far it examined the log for a filter, at each interval, even if nothing passes', async () => {
    const checkpoints: Position[] = [];
    const filter = streamNameFilter({
      prefixes: ['z'],
      maxSearchWindow: 50,
      checkpointInterval: 2,
      checkpointReached: (_, position) => void checkpoints.push(position),
    });
    const subscription = client.subscribeToAll({ filter });
    const taken = take(subscription, 1);
    await caughtUp(subscription);
    await endpoint.append('a-1', 100);
    await endpoint.append('z-1', 1);
    await taken;
    const all = recorded(await take(client.readAll()));
    expect(checkpoints).to.deep.equal([99, 199, 299, 399, 499, 599, 699].map((index) => all[index]?.position));
  });

  it('delivers everything to a slow subscriber, in order and without duplicates', async () => {
    const subscription = client.subscribeToStream('a-1', { fromRevision: START }, { highWaterMark: 1 });
    const seen: number[] = [];
    const writing = (async () => {
      for (let batch = 0; batch < 20; batch += 1) await endpoint.append('a-1', 50);
    })();
    for await (const { event } of subscription) {
      seen.push(Number(event?.revision));
      if (seen.length % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      if (seen.length === 1_400) break;
    }
    await writing;
    expect(seen).to.deep.equal(Array.from({ length: 1_400 }, (_, index) => index));
  });
});
