import { expect } from 'chai';
import type { EventStoreDBClient } from '@eventstore/db-client';
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

  it('presents an expired certificate, which no client accepts', () =>
    withEndpoint({ ...secure, tls: tlsPair('expired') }, async (client) => {
      expect((await failure(take(client.readStream('a'))))['code']).to.equal(14);
    }));

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
        () => client.appendToStream('a', numbered(1), { credentials }),
        () => client.setStreamMetadata('a', { maxCount: 1 }),
        () => client.deleteStream('a'),
        () => client.tombstoneStream('a'),
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
