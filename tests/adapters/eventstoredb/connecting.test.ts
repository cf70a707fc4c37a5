import { jsonEvent } from '@eventstore/db-client';
import { expect } from 'chai';
import { createClient } from '../../../adapters/event-store/eventstoredb/client.js';
import { addressOf, type ServerSettings, credentials, tlsPair } from '../../support/event-store/eventstoredb-server.js';
import { freshStream, newEvent, succeeded } from '../../support/event-store/stores.js';
import { useAdapter } from '../../support/event-store/use-adapter.js';
import { freePort } from '../../support/processes.js';

describe('the EventStoreDB adapter, by its connection string', function () {
  this.timeout(60_000);
  const { open, serve, serveMute } = useAdapter();

  const plain = 'localhost:PORT?tls=false';
  const reached: Readonly<Record<string, readonly [url: string, settings?: ServerSettings]>> = {
    'reaches a server by kurrentdb://': [`kurrentdb://${plain}`],
    'reaches a server by kdb://': [`kdb://${plain}`],
    'reaches a server by kdb+discover://': [`kdb+discover://${plain}`],
    'reaches a server at an IPv6 address': ['esdb://[::1]:PORT?tls=false', { host: '::1' }],
    'accepts any certificate if configured': [
      'esdb://admin:changeit@localhost:PORT?tlsVerifyCert=false',
      { tls: tlsPair('expired'), credentials },
    ],
    'sends no keep-alive if configured': [`esdb://${plain}&keepAliveInterval=-1&keepAliveTimeout=-1`],
  };
  Object.entries(reached).forEach(([what, [url, settings]]) =>
    it(what, async () => {
      const { port } = await serve(settings);
      const { store, checked, lines } = open(url.replace('PORT', String(port)));
      await checked();
      await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
      expect(await succeeded(store.head())).to.be.a('string');
      expect(lines).to.deep.equal([]);
    }),
  );

  it('refuses an append over a connection that was closed in the meantime, and does not end the process', async () => {
    const client = createClient(addressOf((await serve()).url));
    const append = () => client.appendToStream(freshStream(), jsonEvent({ type: 'Happened.v1', data: {} }));
    await append();
    await client.release();
    const error: unknown = await append().catch((reason: unknown) => reason);
    expect(error).to.have.property('message', 'the connection was closed');
  });

  it('tries all hosts, one of which is closed and one unresponsive, in any order', async () => {
    const [closed, mute] = [await freePort(), await serveMute()];
    for (let turn = 0; turn < 3; turn += 1) {
      const server = await serve();
      const hosts = [closed, mute.port, server.port].map((port) => `localhost:${port}`).join(',');
      const { store } = open(`esdb+discover://${hosts}?tls=false`);
      await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    }
  });
});
