import { expect } from 'chai';
import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  caFile,
  credentials,
  type ServerSettings,
  startTestServer,
  tlsPair,
} from '../../support/event-store/eventstoredb-server.js';
import { connect, failure, numbered, revisions, take } from '../../support/event-store/esdb-client.js';

type Use = (client: EventStoreDBClient, port: number) => Promise<void>;

const withServer = async (settings: ServerSettings, use: Use, url?: (port: number) => string): Promise<void> => {
  const server = await startTestServer(settings);
  const client = connect(url?.(server.port) ?? server.url);
  try {
    await use(client, server.port);
  } finally {
    await client.dispose();
    await server.stop();
  }
};

const wrongPassword = (port: number): string => `esdb://admin:wrong@localhost:${port}?tlsCAFile=${caFile}`;
const nobody = (port: number): string => `esdb://localhost:${port}?tlsCAFile=${caFile}`;

describe('EventStoreDB endpoint: access', () => {
  const secure = { tls: tlsPair('valid'), credentials };

  it('serves clients with the correct user name and password over TLS', () =>
    withServer(secure, async (client) => {
      await client.appendToStream('a', numbered(2));
      expect(revisions(await take(client.readStream('a')))).to.deep.equal([0, 1]);
    }));

  for (const [who, url] of Object.entries({ wrongPassword, nobody }))
    it(`refuses reads, appends and subscriptions of ${who}`, () =>
      withServer(
        secure,
        async (client) => {
          const other = { credentials: { username: 'x', password: 'y' } };
          const calls = [
            () => take(client.readStream('a')),
            () => take(client.readAll()),
            () => take(client.subscribeToAll()),
            () => client.appendToStream('a', numbered(1)),
            () => client.appendToStream('a', numbered(1), other),
          ];
          for (const call of calls) expect((await failure(call()))['type']).to.equal('access-denied');
        },
        url,
      ));

  it('presents an expired certificate, which no client accepts', () =>
    withServer({ ...secure, tls: tlsPair('expired') }, async (client) => {
      expect((await failure(client.appendToStream('a', numbered(1))))['code']).to.equal(14);
    }));

  it('refuses appends on both calls when it is read-only', () =>
    withServer({ ...secure, writable: false }, async (client) => {
      for (const way of [{}, { credentials }])
        expect((await failure(client.appendToStream('a', numbered(1), way)))['type']).to.equal('access-denied');
    }));

  it('plays a follower and names the leader', () =>
    withServer({ leader: () => ({ host: 'leader.example', port: 4321 }) }, async (client) => {
      const { type, leader } = await failure(
        client.appendToStream('a', numbered(1), { credentials, requiresLeader: true }),
      );
      expect([type, leader]).to.deep.equal(['not-leader', { address: 'leader.example', port: 4321 }]);
    }));

  it('redirects a client to the leader', () =>
    withServer({}, async (leader, port) =>
      withServer({ leader: () => ({ host: 'localhost', port }) }, async (client) => {
        const append = () => client.appendToStream('a', numbered(1), { credentials, requiresLeader: true });
        expect((await failure(append()))['type']).to.equal('not-leader');
        expect((await append()).success).to.equal(true);
        expect(revisions(await take(leader.readStream('a')))).to.deep.equal([0]);
      }),
    ));

  it('answers unknown calls with UNIMPLEMENTED, including deletions and group administration', () =>
    withServer({}, async (client) => {
      for (const call of [
        () => client.getProjectionStatus('p'),
        () => client.deleteStream('a'),
        () => client.tombstoneStream('a'),
      ])
        expect((await failure(call()))['code']).to.equal(12);
      for (const call of [
        () => client.deletePersistentSubscriptionToStream('a', 'g'),
        () => client.replayParkedMessagesToStream('a', 'g'),
        () => client.getPersistentSubscriptionToStreamInfo('a', 'g'),
      ])
        expect(await failure(call())).not.to.deep.equal({});
    }));
});
