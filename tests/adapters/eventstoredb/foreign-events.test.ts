import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { openReadModels } from '../../../adapters/read-models/open.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';
import { freshStream, idsOf, newEvent, newEvents } from '../../support/event-store/events.js';
import { startFaultProxy } from '../../support/event-store/fault-proxy.js';
import { follow } from '../../support/event-store/follower.js';
import { succeeded, until } from '../../support/event-store/outcomes.js';
import { silentLog } from '../../support/event-store/silent-log.js';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';
import { recordingLog } from '../../support/event-store/recording-log.js';

const checkpointAt = (position: string): Buffer =>
  Buffer.from(
    new streams.ReadResp()
      .setCheckpoint(new streams.ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(position))
      .serializeBinary(),
  );

const read = (message: Buffer) => streams.ReadResp.deserializeBinary(message);

/** Like versions 24.2.0, 24.6.0 and 24.10.0 to .4 on a log without events of this service. */
const beyondAll = (method: string, message: Buffer): ReadonlyArray<Buffer> =>
  method === 'Read' && read(message).hasConfirmation() ? [message, checkpointAt('18446744073709551615')] : [message];

/** Like version 25.0.0: a checkpoint contains the position of the next event. */
const ahead = (method: string, message: Buffer): ReadonlyArray<Buffer> => {
  const event = method === 'Read' ? read(message).getEvent()?.getEvent() : undefined;
  return event === undefined ? [message] : [checkpointAt(event.getCommitPosition()), message];
};

describe('the EventStoreDB adapter on a log that also contains events of others', function () {
  this.timeout(60_000);
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  const faults = { 'beyond all positions': beyondAll, 'at the place of the next event': ahead };
  Object.entries(faults).forEach(([where, rewrite]) =>
    it(`misses no event when the server sends a checkpoint ${where}`, async () => {
      const proxy = await startFaultProxy(server.port, { rewrite });
      const { store, close } = openEventStoreDb(addressOf(proxy.url), silentLog);
      const follower = follow(store, null, {});
      await until('it has subscribed', () => follower.caughtUp() > 0);
      const stream = freshStream();
      const events = newEvents(3);
      await succeeded(store.append(stream, 'no_stream', events));
      await follower.received(3);
      expect(idsOf(follower.events)).to.deep.equal(idsOf(events));
      expect(follower.pages.at(-1)?.examined).to.equal(follower.events.at(-1)?.position);
      await follower.close();
      await close();
      await proxy.stop();
    }),
  );

  it('misses no event after a checkpoint at its position, at which the connection was lost', async () => {
    let isLate = true;
    const proxy = await startFaultProxy(server.port, {
      rewrite: (method, message) => {
        const position = method === 'Read' ? read(message).getEvent()?.getEvent()?.getCommitPosition() : undefined;
        return isLate && position !== undefined && Number(position) > 1 ? [checkpointAt(position)] : [message];
      },
    });
    const { store, close } = openEventStoreDb(addressOf(proxy.url), silentLog);
    const follower = follow(store, null, {});
    const events = newEvents(2);
    await succeeded(server.events.store.append(freshStream(), 'no_stream', events));
    await follower.received(1);
    await setTimeout(100);
    isLate = false;
    server = await server.restart();
    await follower.received(2);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(events));
    await follower.close();
    await close();
    await proxy.stop();
  });

  describe('after a lost connection', () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    beforeEach(async () => {
      folder = await temporaryFolder();
      await server.stop();
      server = await startTestServer({ file: `${folder.path}/events.db` });
    });
    afterEach(() => folder.remove());

    const statistics = () =>
      succeeded(server.events.store.append('$statistics', 'no_stream', newEvents(700, { type: '$statistics' })));

    it('continues when the last events are those of others', async () => {
      const { store, close } = openEventStoreDb(addressOf(server.url), silentLog);
      const follower = follow(store, null, {});
      const [stream, first, second] = [freshStream(), newEvent(), newEvent()];
      await succeeded(store.append(stream, 'no_stream', [first]));
      await statistics();
      await follower.received(1);
      await setTimeout(300);
      server = await server.restart();
      await until('it answers again', () => follower.failures.length > 0 || follower.caughtUp() > 1);
      await succeeded(store.append(stream, 0, [second]));
      await follower.received(2);
      expect(follower.failures).to.deep.equal([]);
      expect(idsOf(follower.events)).to.deep.equal(idsOf([first, second]));
      await follower.close();
      await close();
    });

    it('keeps its read models', async () => {
      const { store, close } = openEventStoreDb(addressOf(server.url), silentLog);
      const { log, lines } = recordingLog();
      await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
      await statistics();
      const readModels = openReadModels({ file: `${folder.path}/read-models.db`, store, log });
      await until('caught up', () => readModels.status().caught_up);
      await setTimeout(300);
      server = await server.restart();
      const { position } = await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
      await succeeded(readModels.queries.reached(position, 10_000));
      expect(lines.filter((line) => line.includes('being rebuilt'))).to.have.length(1);
      await readModels.close();
      await close();
    });

    it('ends when the server returns with another log, even a longer one', async () => {
      const { store, close } = openEventStoreDb(addressOf(server.url), silentLog);
      const follower = follow(store, null, {});
      await succeeded(store.append(freshStream(), 'no_stream', newEvents(3)));
      await follower.received(3);
      const { port } = server;
      await server.stop();
      server = await startTestServer({ file: `${folder.path}/other.db`, port });
      await succeeded(server.events.store.append(freshStream(), 'no_stream', newEvents(10)));
      await until('the failure', () => follower.failures.length > 0);
      expect(follower.failures[0]).to.have.property('_tag', 'StoreUnavailable');
      expect(follower.events).to.have.length(3);
      await close();
    });
  });
});
