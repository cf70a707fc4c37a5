import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient } from '@eventstore/db-client';
import { caFile, credentials, tlsPair } from '../../support/event-store/eventstoredb-server.js';
import {
  connect,
  failure,
  numbered,
  revisions,
  take,
  type ProtocolEndpoint,
  startEndpoint,
} from '../../support/event-store/use-adapter.js';
import { newEvents } from '../../support/event-store/stores.js';

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

const { BACKWARDS, END, FORWARDS, START } = eventStoreDb;

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
