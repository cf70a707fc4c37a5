import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { startTestServer } from '../../support/event-store/eventstoredb-server.js';
import { freshStream, idsOf, newEvent, newEvents } from '../../support/event-store/events.js';
import { follow } from '../../support/event-store/follower.js';
import { succeeded, until } from '../../support/event-store/outcomes.js';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';
import { recordingLog } from '../../support/event-store/recording-log.js';

const options = 'tls=false&defaultDeadline=1000&maxDiscoverAttempts=2&gossipTimeout=1';

describe('the EventStoreDB adapter and a cluster', function () {
  this.timeout(60_000);

  it('finds the leader, from a list of nodes and by discovery', async () => {
    const leader = await startTestServer();
    const follower = await startTestServer({ leader: () => ({ host: 'localhost', port: leader.port }) });
    const nodes = `localhost:${follower.port},localhost:${leader.port}`;
    for (const url of [`esdb://${nodes}?${options}`, `esdb+discover://localhost:${follower.port}?${options}`]) {
      const { store, close } = openEventStoreDb(addressOf(url), recordingLog().log);
      const [stream, batch] = [freshStream(), newEvents(2)];
      await succeeded(store.append(stream, 'no_stream', batch));
      expect(idsOf(await succeeded(leader.events.store.read(stream, -1, 10)))).to.deep.equal(idsOf(batch));
      await close();
    }
    await Promise.all([leader.stop(), follower.stop()]);
  });

  it('survives the loss of all nodes at once, and finds them again', async () => {
    const { path, remove } = await temporaryFolder();
    const settings = { file: `${path}/events.db` };
    const first = await startTestServer(settings);
    const { log, lines } = recordingLog();
    const url = `esdb://localhost:${first.port},127.0.0.1:${first.port}?${options}`;
    const { store, close } = openEventStoreDb(addressOf(url), log);
    const follower = follow(store, null, {});
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    const sent = Array.from({ length: 32 }, () => store.append(freshStream(), 'no_stream', newEvents(3))());
    await first.stop();
    const outcomes = await Promise.all(sent);
    for (let turn = 0; turn < 20; turn += 1) {
      void store.head()();
      void store.append(freshStream(), 'no_stream', [newEvent()])();
      await setTimeout(100);
    }
    expect(E.isLeft(await store.head()())).to.equal(true);
    const second = await startTestServer({ ...settings, port: first.port });
    await until('the connection is back', () => lines.some((line) => line.includes('is back')), 20_000);
    const { events } = await succeeded(store.readAll(null, {}, 10_000));
    expect(events.length).to.be.at.least(3 * outcomes.filter(E.isRight).length);
    await until('the follower has all', () => follower.events.length >= events.length);
    expect(new Set(idsOf(follower.events)).size).to.equal(follower.events.length);
    await follower.close();
    await close();
    await second.stop();
    await remove();
  });
});
