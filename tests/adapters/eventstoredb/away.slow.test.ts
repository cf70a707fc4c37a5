import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { openConnection } from '../../../adapters/event-store/eventstoredb/connection.js';
import { callFailureOf } from '../../../adapters/event-store/eventstoredb/errors.js';
import { probe, readStream } from '../../../adapters/event-store/eventstoredb/read.js';
import { addressOf, credentials, tlsPair, urlOf } from '../../support/event-store/eventstoredb-server.js';
import {
  freshStream,
  idsOf,
  newEvent,
  newEvents,
  failed,
  succeeded,
  until,
  silentLog,
} from '../../support/event-store/stores.js';
import { losses, returns, useAdapter } from '../../support/event-store/use-adapter.js';

/** Counts the connections that this process opens, from now on. */
const watchClientSockets = () => {
  const seen: Socket[] = [];
  const see = (message: unknown): void => {
    if (typeof message === 'object' && message !== null && 'socket' in message && message.socket instanceof Socket)
      seen.push(message.socket);
  };
  subscribe('net.client.socket', see);
  return {
    opened: (): number => seen.length,
    stillOpen: (): number => seen.filter(({ destroyed }) => !destroyed).length,
    stop: () => unsubscribe('net.client.socket', see),
  };
};

describe('the EventStoreDB adapter, while the server is unavailable', function () {
  this.timeout(60_000);
  const { later, newFile, open, serve, serveInProcess, serveMute } = useAdapter();
  const watchSockets = () => later(watchClientSockets(), ({ stop }) => stop());
  const refusal = async (url: string): Promise<string> => {
    const { store, lines } = open(url);
    const failures = [
      await failed(store.head()),
      await failed(store.append(freshStream(), 'no_stream', [newEvent()])),
      await failed(store.read(freshStream(), -1, 1)),
      await failed(store.readAll(null, {}, 1)),
    ];
    expect(failures.map(({ _tag }) => _tag)).to.deep.equal(Array(4).fill('StoreUnavailable'));
    expect(losses(lines)).to.have.length(1);
    return losses(lines)[0] ?? '';
  };

  it('fails on a refused port, and works once a server listens on it', async () => {
    const file = await newFile();
    const first = await serveInProcess(file);
    await first.kill();
    const { store, lines } = open(first.url);
    expect(await failed(store.head())).to.have.property('_tag', 'StoreUnavailable');
    await serveInProcess(file, first.port);
    await until('the connection is back', () => returns(lines).length > 0);
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    expect([losses(lines).length, returns(lines).length]).to.deep.equal([1, 1]);
  });

  const mutes = {
    'that accepts a connection': { certificate: null, settings: {} },
    'with which an encrypted connection is set up': {
      certificate: tlsPair('valid'),
      settings: { tls: tlsPair('valid'), credentials },
    },
  };
  Object.entries(mutes).forEach(([which, { certificate, settings }]) =>
    it(`keeps no connection of an earlier attempt to an unresponsive server ${which}, and none once closed`, async () => {
      const mute = await serveMute(certificate);
      const sockets = watchSockets();
      const { store, close } = open(`${urlOf(mute.port, settings)}&defaultDeadline=100`);
      await failed(store.head());
      await until('more attempts', () => sockets.opened() > 5, 30_000);
      expect(sockets.stillOpen()).to.be.at.most(2);
      await close();
      await until('no connection', () => sockets.stillOpen() === 0);
    }),
  );

  it('keeps no connection to a server that froze while in use', async () => {
    const server = await serveInProcess(await newFile());
    const sockets = watchSockets();
    const { store, close } = open(`${server.url}&defaultDeadline=1000`);
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    const subscription = store.subscribe(null, {}, { onPage: () => Promise.resolve(), onFailure: constVoid });
    server.freeze();
    await failed(store.head());
    await until('more attempts', () => sockets.opened() > 3, 30_000);
    expect(sockets.stillOpen()).to.be.at.most(2);
    await subscription.close();
    await close();
    await until('no connection', () => sockets.stillOpen() === 0);
  });

  it('does not know what a frozen server did, and finds out with the same ids once it responds again', async () => {
    const server = await serveInProcess(await newFile());
    const { store, lines } = open(`${server.url}&defaultDeadline=500`);
    const stream = freshStream();
    await succeeded(store.append(stream, 'no_stream', [newEvent()]));
    server.freeze();
    const batch = newEvents(3);
    expect(await failed(store.append(stream, 0, batch))).to.have.property('_tag', 'StoreUnavailable');
    expect(E.isLeft(await store.head()())).to.equal(true);
    server.thaw();
    await until('the connection is back', () => returns(lines).length > 0);
    expect((await succeeded(store.append(stream, 0, batch))).revision).to.equal(3);
    expect(idsOf(await succeeded(store.read(stream, 0, 10)))).to.deep.equal(idsOf(batch));
  });

  it('makes a read again whose connection is given up, and never takes it for complete', async () => {
    const server = await serveInProcess(await newFile());
    const { store } = open(server.url);
    const [stream, batch] = [freshStream(), newEvents(3)];
    await succeeded(store.append(stream, 'no_stream', batch));
    const address = addressOf(server.url);
    const connection = openConnection({ address, log: silentLog, probe, onReturn: constVoid });
    await connection.call(probe);
    server.freeze();
    const reading = readStream(connection, stream, -1, 10);
    connection.failed(callFailureOf(new Error('failed to discover')), connection.client());
    await setTimeout(1_000);
    server.thaw();
    expect(idsOf(await succeeded(() => reading))).to.deep.equal(idsOf(batch));
    await connection.close();
  });

  it('reports rejected credentials, and an expired or unknown certificate', async () => {
    const { url } = await serve({ tls: tlsPair('valid'), credentials });
    expect(await refusal(url.replace('changeit', 'guessed')))
      .to.include('refuses the credentials')
      .and.not.include('guessed');
    expect(await refusal(url.replace(/&tlsCAFile.*/, ''))).to.match(/certificate/);
    const expired = await serve({ tls: tlsPair('expired'), credentials });
    expect(await refusal(expired.url)).to.match(/certificate/);
  });
});
