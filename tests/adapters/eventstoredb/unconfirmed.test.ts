import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { type EventStoreDb, openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';
import { freshStream, idsOf, newEvents } from '../../support/event-store/events.js';
import { type FaultProxy, type ProxiedCall, startFaultProxy } from '../../support/event-store/fault-proxy.js';
import { follow } from '../../support/event-store/follower.js';
import { succeeded, until } from '../../support/event-store/outcomes.js';
import { silentLog } from '../../support/event-store/silent-log.js';

describe('a subscription of the EventStoreDB adapter that the server does not confirm in time', function () {
  this.timeout(60_000);
  let server: TestServer;
  let proxy: FaultProxy;
  let opened: EventStoreDb;
  let isMute = true;
  beforeEach(async () => {
    isMute = true;
    server = await startTestServer();
    proxy = await startFaultProxy(server.port);
    opened = openEventStoreDb(addressOf(`${proxy.url}&defaultDeadline=300`), silentLog);
  });
  afterEach(async () => {
    await opened.close();
    await proxy.stop();
    await server.stop();
  });
  const isSubscription = ({ request }: ProxiedCall): boolean =>
    streams.ReadReq.deserializeBinary(request).getOptions()?.hasSubscription() === true;

  it('is cancelled and made again', async () => {
    proxy.faults.rewrite = (method, message) =>
      isMute && method === 'Read' && streams.ReadResp.deserializeBinary(message).hasConfirmation() ? [] : [message];
    const follower = follow(opened.store, null, {});
    await until('it was made three times', () => proxy.calls.filter(isSubscription).length >= 3);
    expect(proxy.cancelled.length).to.be.at.least(2);
    isMute = false;
    const events = newEvents(3);
    await succeeded(opened.store.append(freshStream(), 'no_stream', events));
    await follower.received(3);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(events));
    await follower.close();
  });
});
