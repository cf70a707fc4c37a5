import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient, type Position } from '@eventstore/db-client';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb, { type ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { ChannelCredentials } from '@grpc/grpc-js';
import { caFile, credentials, tlsPair } from '../../support/event-store/eventstoredb-server.js';
import {
  connect,
  failure,
  numbered,
  revisions,
  take,
  type ProtocolEndpoint,
  startEndpoint,
  recorded,
} from '../../support/event-store/use-adapter.js';
import { newEvents, newEvent } from '../../support/event-store/stores.js';

const { BACKWARDS, END, FORWARDS, START, excludeSystemEvents, eventTypeFilter, streamNameFilter } = eventStoreDb;

type Settings = Parameters<typeof startEndpoint>[0];
type Use = (client: EventStoreDBClient, endpoint: ProtocolEndpoint) => Promise<void>;

const withEndpoint = async (settings: Settings, use: Use, url?: (port: number) => string): Promise<void> => {
  const endpoint = await startEndpoint(settings);
  const client = url === undefined ? endpoint.client : connect(url(endpoint.port));
  try {
    await endpoint.append('a', 2);
    await use(client, endpoint);
  } finally {
    await client.dispose();
    await endpoint.stop();
  }
};

const wrongPassword = (port: number): string => `esdb://admin:wrong@localhost:${port}?tlsCAFile=${caFile}`;
const nobody = (port: number): string => `esdb://localhost:${port}?tlsCAFile=${caFile}`;
const discovering = (port: number): string => `esdb+discover://localhost:${port}?tls=false`;

describe('EventStoreDB endpoint: access', () => {
  const secure = { tls: tlsPair('valid'), credentials };

  it('serves clients with the correct user name and password over TLS', () =>
    withEndpoint(secure, async (client) => {
      expect(revisions(await take(client.readStream('a')))).to.deep.equal([0, 1]);
    }));

  for (const [who, url] of Object.entries({ wrongPassword, nobody }))
    it(`refuses reads and subscriptions of ${who}`, () =>
      withEndpoint(
        secure,
        async (client) => {
          for (const call of [
            () => take(client.readStream('a')),
            () => take(client.readAll()),
            () => take(client.subscribeToAll()),
          ])
            expect((await failure(call()))['type']).to.equal('access-denied');
        },
        url,
      ));

  it('lets a client discover it', () =>
    withEndpoint(
      {},
      async (client) => {
        expect(revisions(await take(client.readStream('a')))).to.deep.equal([0, 1]);
      },
      discovering,
    ));

  it('answers all other calls with UNIMPLEMENTED', () =>
    withEndpoint({}, async (client, { events }) => {
      for (const call of [
        () => client.appendToStream('a', numbered(1)),
        () => client.setStreamMetadata('a', { maxCount: 1 }),
        () => client.deleteStream('a'),
        () => client.getProjectionStatus('p'),
      ])
        expect((await failure(call()))['code']).to.equal(12);
      for (const call of [
        () => client.deletePersistentSubscriptionToStream('a', 'g'),
        () => client.replayParkedMessagesToStream('a', 'g'),
      ])
        expect(await failure(call())).not.to.deep.equal({});
      expect(await events.store.read('a', -1, 10)()).to.have.nested.property('right.length', 2);
    }));
});

describe('EventStoreDB endpoint: reading', () => {
  let endpoint: ProtocolEndpoint;
  let client: EventStoreDBClient;
  before(async () => {
    endpoint = await startEndpoint();
    ({ client } = endpoint);
    await endpoint.append('letters-1', 600);
    await endpoint.append('letters-2', 3, { type: 'Other' });
  });
  after(() => endpoint.stop());

  const read = async (options: Parameters<EventStoreDBClient['readStream']>[1]) =>
    revisions(await take(client.readStream('letters-1', options)));

  it('reads a stream forwards and backwards, from any revision, up to a limit', async () => {
    const all = Array.from({ length: 600 }, (_, index) => index);
    expect(await read({})).to.deep.equal(all);
    expect(await read({ direction: BACKWARDS, fromRevision: END })).to.deep.equal(all.toReversed());
    expect(await read({ fromRevision: 598n })).to.deep.equal([598, 599]);
    expect(await read({ fromRevision: 600n })).to.deep.equal([]);
    expect(await read({ fromRevision: END, direction: FORWARDS })).to.deep.equal([]);
    expect(await read({ fromRevision: 1n, direction: BACKWARDS })).to.deep.equal([1, 0]);
    expect(await read({ fromRevision: START, direction: BACKWARDS })).to.deep.equal([0]);
    expect(await read({ maxCount: 3, fromRevision: 297n })).to.deep.equal([297, 298, 299]);
    expect(await read({ maxCount: 2, fromRevision: END, direction: BACKWARDS })).to.deep.equal([599, 598]);
  });

  it('reports that a stream does not exist', async () => {
    const { type, streamName } = await failure(take(client.readStream('letters-3')));
    expect([type, streamName]).to.deep.equal(['stream-not-found', 'letters-3']);
  });

  it('reads the whole log in both directions: forwards from a position, inclusive, backwards, exclusive', async () => {
    const forwards = await take(client.readAll());
    const backwards = await take(client.readAll({ direction: BACKWARDS, fromPosition: END }));
    expect(forwards).to.have.length(603);
    expect(backwards).to.deep.equal(forwards.toReversed());
    const middle = forwards[300]?.event?.position;
    if (middle === undefined) throw new Error('no position');
    expect(await take(client.readAll({ fromPosition: middle }))).to.deep.equal(forwards.slice(300));
    expect(await take(client.readAll({ fromPosition: middle, direction: BACKWARDS }))).to.deep.equal(
      forwards.slice(0, 300).toReversed(),
    );
    expect(await take(client.readAll({ maxCount: 5 }))).to.deep.equal(forwards.slice(0, 5));
    expect(await take(client.readAll({ fromPosition: START, direction: BACKWARDS }))).to.deep.equal([]);
    expect(await take(client.readAll({ fromPosition: END }))).to.deep.equal([]);
  });

  it('returns the events of the service itself unchanged', async () => {
    const metadata = { recorded_at: '2026-02-03T04:05:06.789Z', correlation_id: 'c' };
    const [event] = newEvents(1, { data: { a: ['ö', 1, null] } }).map((made) => ({ ...made, metadata }));
    if (event === undefined) throw new Error('no event');
    await endpoint.append('own-1', [event]);
    const [found] = await take(client.readStream('own-1'));
    const { id, type, data } = event;
    expect(found?.event).to.deep.include({ id, type, data, revision: 0n });
    expect(found?.event?.metadata).to.deep.include(metadata);
    expect(found?.event?.created).to.deep.equal(new Date(metadata.recorded_at));
  });
});

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
});

const { Options } = streamsPb.ReadReq;

const structured = (id: string) => {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return new sharedPb.UUID.Structured()
    .setMostSignificantBits(String(bytes.readBigInt64BE(0)))
    .setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
};

const empty = new sharedPb.Empty();

const options = () => new Options().setCount('2').setUuidOption(new Options.UUIDOption().setStructured(empty));

const ofStream = (stream: string) => {
  const name = new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
  return options().setStream(new Options.StreamOptions().setStreamIdentifier(name).setStart(empty)).setNoFilter(empty);
};

/** The newest events of these streams. */
const ofAll = (regex: string) =>
  options()
    .setAll(new Options.AllOptions().setEnd(empty))
    .setReadDirection(Options.ReadDirection.BACKWARDS)
    .setFilter(
      new Options.FilterOptions()
        .setStreamIdentifier(new Options.FilterOptions.Expression().setRegex(regex))
        .setCheckpointintervalmultiplier(1),
    );

describe('EventStoreDB endpoint: clients in other languages', () => {
  let endpoint: ProtocolEndpoint;
  let client: StreamsClient;
  before(async () => {
    endpoint = await startEndpoint();
    client = new StreamsClient(`localhost:${endpoint.port}`, ChannelCredentials.createInsecure());
  });
  after(async () => {
    client.close();
    await endpoint.stop();
  });

  const read = (wanted: ReadReq.Options) => {
    const found: Array<ReadResp.ReadEvent.RecordedEvent | undefined> = [];
    return new Promise<typeof found>((resolve, reject) => {
      const call = client.read(new streamsPb.ReadReq().setOptions(wanted));
      call.on('data', (response: ReadResp) => found.push(response.getEvent()?.getEvent()));
      call.on('error', reject);
      call.on('end', () => resolve(found));
    });
  };

  it('may read ids as two integers', async () => {
    const ids = ['f47ac10b-58cc-4372-a567-0e02b2c3d479', '00000000-0000-4000-8000-000000000001'];
    const events = ids.map((id) => newEvent({ id }));
    await endpoint.append('s', events);
    const found = await read(ofStream('s'));
    expect(found.map((event) => event?.getId()?.getStructured()?.toObject())).to.deep.equal(
      ids.map((id) => structured(id).toObject()),
    );
  });

  it('may read the newest events that pass a filter', async () => {
    await endpoint.append('wanted-1', 3);
    await endpoint.append('other-1', 300);
    const found = await read(ofAll('^wanted-'));
    expect(found.map((event) => event?.getStreamRevision())).to.deep.equal(['2', '1']);
    expect(await read(ofAll('^none-'))).to.deep.equal([]);
  });
});
