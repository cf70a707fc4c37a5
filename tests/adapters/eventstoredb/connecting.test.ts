import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { jsonEvent } from '@eventstore/db-client';
import { readConfig } from '../../../adapters/config/config.js';
import { type Address, readAddress } from '../../../adapters/event-store/eventstoredb/address.js';
import {
  addressOf,
  caFile,
  type ServerSettings,
  credentials,
  tlsPair,
} from '../../support/event-store/eventstoredb-server.js';
import { createClient } from '../../../adapters/event-store/eventstoredb/client.js';
import { freshStream, newEvent, idsOf, newEvents, succeeded, until, follow } from '../../support/event-store/stores.js';
import { useAdapter, returns } from '../../support/event-store/use-adapter.js';
import { freePort } from '../../support/processes.js';

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
