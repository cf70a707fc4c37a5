import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { type EventStoreDb, openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { startServerProcess } from '../../support/event-store/eventstoredb-process.js';
import { credentials, startTestServer, tlsPair } from '../../support/event-store/eventstoredb-server.js';
import { freshStream, idsOf, newEvent, newEvents } from '../../support/event-store/events.js';
import { failed, succeeded, until } from '../../support/event-store/outcomes.js';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';
import { told } from '../../support/event-store/told.js';

const away = (line: string): boolean => line.startsWith('warn: the connection to the event store is lost');
const back = (line: string): boolean => line.startsWith('info: the connection to the event store is back');

describe('the EventStoreDB adapter, while the server cannot serve it', function () {
  this.timeout(60_000);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let opened: EventStoreDb[] = [];
  beforeEach(async () => {
    folder = await temporaryFolder();
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await folder.remove();
  });
  const open = (url: string) => {
    const { log, lines } = told();
    const store = openEventStoreDb(addressOf(url), log);
    opened.push(store);
    return { ...store, lines };
  };
  const refusal = async (url: string): Promise<ReadonlyArray<string>> => {
    const { store, lines } = open(url);
    const failures = [
      await failed(store.head()),
      await failed(store.append(freshStream(), 'no_stream', [newEvent()])),
      await failed(store.read(freshStream(), -1, 1)),
      await failed(store.readAll(null, {}, 1)),
    ];
    expect(failures.map(({ _tag }) => _tag)).to.deep.equal(Array(4).fill('StoreUnavailable'));
    expect(lines.filter(away)).to.have.length(1);
    return lines;
  };

  it('fails on a refused port, and works once there is a server behind it', async () => {
    const first = await startServerProcess({ file: `${folder.path}/events.db` });
    await first.kill();
    const { store, lines } = open(first.url);
    expect(await failed(store.head())).to.have.property('_tag', 'StoreUnavailable');
    expect(await failed(store.append(freshStream(), 'no_stream', [newEvent()]))).to.have.property(
      '_tag',
      'StoreUnavailable',
    );
    const server = await startServerProcess({ file: `${folder.path}/events.db`, port: first.port });
    await until('the connection is back', () => lines.some(back));
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    expect([lines.filter(away).length, lines.filter(back).length]).to.deep.equal([1, 1]);
    await server.kill();
  });

  it('fails within its deadline on a port that accepts and stays mute', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await refusal(`esdb://127.0.0.1:${port}?tls=false&defaultDeadline=300`);
    mute.close();
  });

  it('does not know what a frozen server did, and learns it from the same ids once it is thawed', async () => {
    const server = await startServerProcess({ file: `${folder.path}/events.db` });
    const { store, lines } = open(`${server.url}&defaultDeadline=500`);
    const stream = freshStream();
    await succeeded(store.append(stream, 'no_stream', [newEvent()]));
    server.freeze();
    const batch = newEvents(3);
    expect(await failed(store.append(stream, 0, batch))).to.have.property('_tag', 'StoreUnavailable');
    expect(E.isLeft(await store.head()())).to.equal(true);
    server.thaw();
    await until('the connection is back', () => lines.some(back));
    expect((await succeeded(store.append(stream, 0, batch))).revision).to.equal(3);
    expect(idsOf(await succeeded(store.read(stream, 0, 10)))).to.deep.equal(idsOf(batch));
    await server.kill();
  });

  it('says that wrong credentials are refused, and an expired or unknown certificate', async () => {
    const server = await startTestServer({ tls: tlsPair('valid'), credentials });
    const wrong = server.url.replace('changeit', 'guessed');
    expect((await refusal(wrong)).find(away))
      .to.include('refuses the credentials')
      .and.not.include('guessed');
    const [untrusting] = server.url.split('&tlsCAFile');
    expect((await refusal(untrusting ?? '')).find(away)).to.match(/certificate/);
    await server.stop();
    const expired = await startTestServer({ tls: tlsPair('expired'), credentials });
    expect((await refusal(expired.url)).find(away)).to.match(/certificate/);
    await expired.stop();
  });

  it('follows the answer that another node leads', async () => {
    const leader = await startTestServer();
    const follower = await startTestServer({ leader: () => ({ host: 'localhost', port: leader.port }) });
    const { store, lines } = open(follower.url);
    const batch = newEvents(2);
    const stream = freshStream();
    await succeeded(store.append(stream, 'no_stream', batch));
    expect(idsOf(await succeeded(store.read(stream, -1, 10)))).to.deep.equal(idsOf(batch));
    expect(idsOf(await succeeded(leader.events.store.read(stream, -1, 10)))).to.deep.equal(idsOf(batch));
    expect(await succeeded(follower.events.store.head())).to.equal(null);
    expect(lines).to.deep.equal([]);
    await Promise.all([leader.stop(), follower.stop()]);
  });
});
