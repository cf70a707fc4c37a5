import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { jsonEvent } from '@eventstore/db-client';
import { type ServiceError, status } from '@grpc/grpc-js';
import { constVoid } from 'fp-ts/lib/function.js';
import { readConfig } from '../../../adapters/config/config.js';
import { type Address, readAddress } from '../../../adapters/event-store/eventstoredb/address.js';
import {
  addressOf,
  caFile,
  type ServerSettings,
  credentials,
  tlsPair,
  invalidPosition,
} from '../../support/event-store/eventstoredb-server.js';
import { createClient } from '../../../adapters/event-store/eventstoredb/client.js';
import {
  freshStream,
  newEvent,
  idsOf,
  newEvents,
  succeeded,
  until,
  follow,
  failed,
  silentLog,
} from '../../support/event-store/stores.js';
import { useAdapter, returns, losses } from '../../support/event-store/use-adapter.js';
import { freePort } from '../../support/processes.js';
import { refusal } from '../../../adapters/eventstoredb-endpoint/errors.js';
import { openConnection } from '../../../adapters/event-store/eventstoredb/connection.js';
import { probe } from '../../../adapters/event-store/eventstoredb/read.js';

describe('a connection string', () => {
  const server = (address: string, port = 2113) => ({ address, port });
  const [file, pem] = [encodeURIComponent(caFile), readFileSync(caFile)];
  const never = 2 ** 31 - 1;
  /** What each connection string says, among other things. */
  const said: Readonly<Record<string, Partial<Address>>> = {
    'esdb://localhost?tls=false': { endpoints: [server('localhost')], discover: false, credentials: null, tls: false },
    'kurrentdb://u:p@host': { endpoints: [server('host')], discover: false },
    'kdb+discover://u:p@host': { endpoints: [server('host')], discover: true },
    'esdb://u:p@a:1,[fe80::1]/': { endpoints: [server('a', 1), server('[fe80::1]')] },
    'esdb://user%40home:p%3Aw%2F@host': { credentials: { username: 'user@home', password: 'p:w/' } },
    [`esdb://u:p@host?nodePreference=follower&TLSCAFILE=${file}`]: { tlsCAFile: pem },
    'esdb://u:p@host?defaultDeadline=2000&keepAliveInterval=15000': {
      defaultDeadline: 2_000,
      keepAliveInterval: 15_000,
    },
    'esdb://u:p@host?tlsVerifyCert=false': { tlsVerifyCert: false },
    'esdb://u:p@host?keepAliveInterval=-1&keepAliveTimeout=-1': { keepAliveInterval: never, keepAliveTimeout: never },
    [`esdb://host?userCertFile=${file}&userKeyFile=${file}`]: {
      credentials: null,
      userCertFile: pem,
      userKeyFile: pem,
    },
  };
  for (const [text, parts] of Object.entries(said))
    it(`says what it says: ${text.replaceAll(file, 'file')}`, () => expect(addressOf(text)).to.deep.include(parts));

  const wrong = {
    'another scheme': 'http://host',
    'no host': 'esdb://?tls=false',
    'a port that is none': 'esdb://host:99999?tls=false',
    'an unknown option': 'esdb://host?tls=false&colour=red',
    'a value that is none': 'esdb://u:secret@host?tls=perhaps',
    'half a user certificate': `esdb://u:secret@host?userCertFile=${file}`,
    'a file that cannot be read': 'esdb://u:secret@host?tlsCAFile=none.pem',
    'an IPv6 address that is none': 'esdb://u:secret@[::g]:2113',
    'TLS without credentials': 'esdb://host',
    'a broken encoding': 'esdb://u:secret%@host',
  };
  Object.entries(wrong).forEach(([what, text]) =>
    it(`is refused with ${what}, and the reason contains no password`, () => {
      const refused = readAddress(text);
      expect(E.isLeft(refused) && refused.left)
        .to.be.a('string')
        .and.not.include('secret');
    }),
  );

  it('is accepted as EVENT_STORE', () => {
    const engine = (EVENT_STORE: string) => readConfig({ EVENT_STORE });
    expect(E.isRight(engine('sqlite'))).to.equal(true);
    for (const scheme of ['esdb', 'kurrentdb', 'kdb']) expect(E.isRight(engine(`${scheme}://u:p@host`))).to.equal(true);
    const refused = engine('esdb://u:secret@host:x');
    const why = E.isLeft(refused) ? refused.left.join() : '';
    expect(why).to.include('EVENT_STORE').and.not.include('secret');
  });
});

describe('the EventStoreDB adapter, by its connection string', function () {
  this.timeout(60_000);
  const { open, serve, serveMute } = useAdapter();

  const reached: Readonly<Record<string, readonly [url: string, settings?: ServerSettings]>> = {
    'reaches a server by kdb+discover://': ['kdb+discover://localhost:PORT?tls=false'],
    'reaches a server at an IPv6 address': ['esdb://[::1]:PORT?tls=false', { host: '::1' }],
    'accepts any certificate if configured': [
      'esdb://admin:changeit@localhost:PORT?tlsVerifyCert=false',
      { tls: tlsPair('expired'), credentials },
    ],
    'sends no keep-alive if configured': ['esdb://localhost:PORT?tls=false&keepAliveInterval=-1&keepAliveTimeout=-1'],
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

const options = 'tls=false&defaultDeadline=1000&maxDiscoverAttempts=2&gossipTimeout=1';

describe('the EventStoreDB adapter and a cluster', function () {
  this.timeout(60_000);
  const { newFile, open, serve } = useAdapter();

  it('finds the leader, from a list of nodes and by discovery', async () => {
    const leader = await serve();
    const follower = await serve({ leader: () => ({ host: 'localhost', port: leader.port }) });
    const nodes = `localhost:${follower.port},localhost:${leader.port}`;
    for (const url of [`esdb://${nodes}?${options}`, `esdb+discover://localhost:${follower.port}?${options}`]) {
      const { store } = open(url);
      const [stream, batch] = [freshStream(), newEvents(2)];
      await succeeded(store.append(stream, 'no_stream', batch));
      expect(idsOf(await succeeded(leader.events.store.read(stream, -1, 10)))).to.deep.equal(idsOf(batch));
    }
  });

  it('survives the loss of all nodes at once, and finds them again', async () => {
    const file = await newFile();
    const { port, stop } = await serve({ file });
    const { store, lines } = open(`esdb://localhost:${port},127.0.0.1:${port}?${options}`);
    const follower = follow(store, null, {});
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    const sent = Array.from({ length: 32 }, () => store.append(freshStream(), 'no_stream', newEvents(3))());
    await stop();
    const outcomes = await Promise.all(sent);
    for (let turn = 0; turn < 20; turn += 1) {
      void store.head()();
      void store.append(freshStream(), 'no_stream', [newEvent()])();
      await setTimeout(100);
    }
    expect(E.isLeft(await store.head()())).to.equal(true);
    await serve({ file, port });
    await until('the connection is back', () => returns(lines).length > 0, 20_000);
    const { events } = await succeeded(store.readAll(null, {}, 10_000));
    expect(events.length).to.be.at.least(3 * outcomes.filter(E.isRight).length);
    await until('the follower has all', () => follower.events.length >= events.length);
    expect(new Set(idsOf(follower.events)).size).to.equal(follower.events.length);
  });
});

const timedOut = refusal(status.ABORTED, 'Operation timed out: Commit phase timeout');
const notReady = refusal(status.UNAVAILABLE, 'Server Is Not Ready');
const tooBusy = refusal(status.UNAVAILABLE, 'Server Is Too Busy');

/** Why a call fails that is no reason to give up the connection. */
const ofOneCall: Readonly<Record<string, ServiceError>> = {
  'because of a place that is no event': invalidPosition(false),
  'because the stream is deleted': refusal(status.FAILED_PRECONDITION, 'Event stream is deleted.', {
    exception: 'stream-deleted',
    'stream-name': 'deleted',
  }),
  'because the user may not see the stream': refusal(status.PERMISSION_DENIED, 'Access Denied', {
    exception: 'access-denied',
  }),
  'because its handler threw': refusal(status.UNKNOWN, 'Exception was thrown by handler.'),
  'because it took too long': timedOut,
  'because it has too much to do': tooBusy,
  'because it is out of something': refusal(status.RESOURCE_EXHAUSTED, 'no more of it'),
};

describe('a failed call to the server of the EventStoreDB adapter', function () {
  this.timeout(60_000);
  const { open, serve } = useAdapter();
  const openOn = async (deadline: number) => {
    const { url, faults } = await serve();
    return { ...open(`${url}&defaultDeadline=${deadline}`), faults };
  };

  Object.entries(ofOneCall).forEach(([why, fault]) =>
    it(`is no outage, ${why}`, async () => {
      const { store, faults, lines } = await openOn(500);
      const [poor, other] = [freshStream(), freshStream()];
      const follower = follow(store, null, {});
      await until('it follows', () => follower.caughtUp() > 0);
      faults.refuse = ({ stream }) => (stream === poor ? fault : null);
      const [failure] = await Promise.all([
        failed(store.read(poor, -1, 1)),
        setTimeout(20).then(() => succeeded(store.append(other, 'no_stream', [newEvent()]))),
        setTimeout(30).then(() => succeeded(store.head())),
      ]);
      expect(failure).to.have.property('_tag', 'StoreUnavailable');
      await follower.received(1);
      expect(losses(lines)).to.deep.equal([]);
    }),
  );

  it('is found to have been written when its deadline passed afterwards, and is written once', async () => {
    const { store, faults, lines } = await openOn(5_000);
    const [stream, events] = [freshStream(), newEvents(2)];
    let left = 2;
    faults.lose = () => ((left -= 1) >= 0 ? timedOut : null);
    expect(await succeeded(store.append(stream, 'no_stream', events))).to.include({ revision: 1 });
    expect(idsOf(await succeeded(store.read(stream, -1, 10)))).to.deep.equal(idsOf(events));
    expect(losses(lines)).to.deep.equal([]);
  });

  it('is sent again after growing pauses, and none of many at once fails', async () => {
    const { store, faults, lines } = await openOn(20_000);
    const most = 4;
    let running = 0;
    faults.refuse = ({ method }) => {
      if (method !== 'append') return null;
      if (running >= most) return tooBusy;
      running += 1;
      void setTimeout(5).then(() => (running -= 1));
      return null;
    };
    await Promise.all(
      Array.from({ length: 100 }, () => succeeded(store.append(freshStream(), 'no_stream', [newEvent()]))),
    );
    expect(losses(lines)).to.deep.equal([]);
  });

  it('is retried while another node becomes the leader: readers and writers wait, and none fails', async () => {
    const { store, faults, lines } = await openOn(5_000);
    await succeeded(store.head());
    faults.refuse = () => notReady;
    const waiting = Array.from({ length: 20 }, () => succeeded(store.append(freshStream(), 'no_stream', [newEvent()])));
    const reading = succeeded(store.head());
    await setTimeout(2_500);
    faults.refuse = () => null;
    await Promise.all([...waiting, reading]);
    expect(losses(lines)).to.have.length(1);
  });

  it('is too large, and nothing else fails', async () => {
    const { store, lines } = await openOn(5_000);
    const stream = freshStream();
    const large = newEvent({ data: { text: 'x'.repeat(1_200_000) } });
    expect(await failed(store.append(stream, 'no_stream', [large]))).to.have.property('_tag', 'AppendTooLarge');
    await succeeded(store.append(stream, 'no_stream', [newEvent()]));
    expect(losses(lines)).to.deep.equal([]);
  });

  it('makes a subscription again that the server does not confirm in time, and cancels the first', async () => {
    const { url, faults, subscriptions } = await serve();
    faults.rewrite = (message) => (message.hasConfirmation() ? [] : [message]);
    const { store } = open(`${url}&defaultDeadline=300`);
    const follower = follow(store, null, {});
    await until('it was made three times', () => subscriptions.length >= 3);
    expect(subscriptions.filter(({ cancelled }) => cancelled).length).to.be.at.least(2);
    faults.rewrite = (message) => [message];
    const events = newEvents(3);
    await succeeded(store.append(freshStream(), 'no_stream', events));
    await follower.received(3);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(events));
  });
});

describe('an outage of the event store', () => {
  const { newFile, serve } = useAdapter();

  it('is waited out for a limited time, until the server is back, or until the wait is aborted or closed', async () => {
    const file = await newFile();
    const first = await serve({ file });
    const address = addressOf(`${first.url}&defaultDeadline=100`);
    const { call, answering, close } = openConnection({ address, log: silentLog, probe, onReturn: constVoid });
    expect(await answering(0)).to.equal(true);
    await first.stop();
    while (await answering(0)) await call(probe);
    expect(await answering(20)).to.equal(false);
    expect(await answering(60_000, AbortSignal.timeout(20))).to.equal(false);
    const waiting = [answering(60_000), answering(60_000)];
    const second = await serve({ file, port: first.port });
    expect(await Promise.all(waiting)).to.deep.equal([true, true]);
    await second.stop();
    while (await answering(0)) await call(probe);
    const last = answering(60_000);
    await close();
    expect([await last, await answering(60_000)]).to.deep.equal([false, false]);
  });
});
