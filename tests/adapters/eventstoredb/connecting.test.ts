import { jsonEvent } from '@eventstore/db-client';
import { expect } from 'chai';
import { createClient } from '../../../adapters/event-store/eventstoredb/client.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../../support/event-store/address-of.js';
import {
  type ServerSettings,
  credentials,
  startTestServer,
  tlsPair,
} from '../../support/event-store/eventstoredb-server.js';
import { freshStream, newEvent } from '../../support/event-store/events.js';
import { startMuteServer } from '../../support/event-store/mute-server.js';
import { succeeded } from '../../support/event-store/outcomes.js';
import { freePort } from '../../support/free-port.js';
import { recordingLog } from '../../support/event-store/recording-log.js';

describe('the EventStoreDB adapter, by its connection string', function () {
  this.timeout(60_000);

  const serves = async (settings: ServerSettings, urlOf: (port: number) => string): Promise<void> => {
    const server = await startTestServer(settings);
    const { log, lines } = recordingLog();
    const { store, checked, close } = openEventStoreDb(addressOf(urlOf(server.port)), log);
    await checked();
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    expect(await succeeded(store.head())).to.be.a('string');
    expect(lines).to.deep.equal([]);
    await close();
    await server.stop();
  };

  it('reaches a server by each of its scheme names', async () => {
    for (const scheme of ['kurrentdb', 'kdb', 'kdb+discover'])
      await serves({}, (port) => `${scheme}://localhost:${port}?tls=false`);
  });

  it('reaches a server at an IPv6 address', async () => {
    await serves({ host: '::1' }, (port) => `esdb://[::1]:${port}?tls=false`);
  });

  it('accepts any certificate if configured', () =>
    serves(
      { tls: tlsPair('expired'), credentials },
      (port) => `esdb://admin:changeit@localhost:${port}?tlsVerifyCert=false`,
    ));

  it('sends no keep-alive if configured', () =>
    serves({}, (port) => `esdb://localhost:${port}?tls=false&keepAliveInterval=-1&keepAliveTimeout=-1`));

  it('refuses an append over a connection that was closed in the meantime, and does not end the process', async () => {
    const server = await startTestServer();
    const client = createClient(addressOf(server.url));
    const append = () => client.appendToStream(freshStream(), jsonEvent({ type: 'Happened.v1', data: {} }));
    await append();
    await client.release();
    const error: unknown = await append().catch((reason: unknown) => reason);
    expect(error).to.have.property('message', 'the connection was closed');
    await server.stop();
  });

  it('tries all hosts, one of which is closed and one unresponsive, in any order', async () => {
    const mute = await startMuteServer(null);
    const closed = await freePort();
    for (let turn = 0; turn < 3; turn += 1) {
      const server = await startTestServer();
      const hosts = [closed, mute.port, server.port].map((port) => `localhost:${port}`).join(',');
      const { store, close } = openEventStoreDb(addressOf(`esdb+discover://${hosts}?tls=false`), recordingLog().log);
      await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
      await close();
      await server.stop();
    }
    await mute.stop();
  });
});
