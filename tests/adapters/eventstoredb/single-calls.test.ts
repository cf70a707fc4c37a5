import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { type EventStoreDb, openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';
import { freshStream, idsOf, newEvent, newEvents } from '../../support/event-store/events.js';
import { type Fault, type FaultProxy, startFaultProxy } from '../../support/event-store/fault-proxy.js';
import { follow } from '../../support/event-store/follower.js';
import { failed, succeeded, until } from '../../support/event-store/outcomes.js';
import { recordingLog } from '../../support/event-store/recording-log.js';

const timedOut: Fault = { code: status.ABORTED, details: 'Operation timed out: Commit phase timeout' };
const notReady: Fault = { code: status.UNAVAILABLE, details: 'Server Is Not Ready' };
const tooBusy: Fault = { code: status.UNAVAILABLE, details: 'Server Is Too Busy' };

describe('a failed call to the server of the EventStoreDB adapter', function () {
  this.timeout(60_000);
  let server: TestServer;
  let proxy: FaultProxy;
  let opened: EventStoreDb;
  let lines: ReadonlyArray<string>;
  let deadline = 5_000;
  beforeEach(async () => {
    server = await startTestServer();
    proxy = await startFaultProxy(server.port);
    const { log, lines: recordedLines } = recordingLog();
    lines = recordedLines;
    opened = openEventStoreDb(addressOf(`${proxy.url}&defaultDeadline=${deadline}`), log);
  });
  afterEach(async () => {
    await opened.close();
    await proxy.stop();
    await server.stop();
  });
  const losses = () => lines.filter((line) => line.includes('is lost'));

  const ofOneCall: Readonly<Record<string, Fault>> = {
    'because of a place that is no event': {
      code: status.UNKNOWN,
      details: 'Unexpected FilteredReadAllResult: InvalidPosition',
    },
    'because the stream is deleted': {
      code: status.FAILED_PRECONDITION,
      details: 'Event stream is deleted.',
      exception: 'stream-deleted',
      stream: 'deleted',
    },
    'because the user may not see the stream': {
      code: status.PERMISSION_DENIED,
      details: 'Access Denied',
      exception: 'access-denied',
    },
    'because its handler threw': { code: status.UNKNOWN, details: 'Exception was thrown by handler.' },
    'because it took too long': timedOut,
    'because it has too much to do': tooBusy,
    'because it is out of something': { code: status.RESOURCE_EXHAUSTED, details: 'no more of it' },
  };
  describe('with a short deadline', () => {
    before(() => {
      deadline = 500;
    });
    after(() => {
      deadline = 5_000;
    });
    Object.entries(ofOneCall).forEach(([why, fault]) =>
      it(`is no outage, ${why}`, async () => {
        const { store } = opened;
        const [poor, other] = [freshStream(), freshStream()];
        const follower = follow(store, null, {});
        await until('it follows', () => follower.caughtUp() > 0);
        proxy.faults.refuse = ({ method, request }) => (method === 'Read' && request.includes(poor) ? fault : null);
        const [failure] = await Promise.all([
          failed(store.read(poor, -1, 1)),
          setTimeout(20).then(() => succeeded(store.append(other, 'no_stream', [newEvent()]))),
          setTimeout(30).then(() => succeeded(store.head())),
        ]);
        expect(failure).to.have.property('_tag', 'StoreUnavailable');
        await follower.received(1);
        expect(losses()).to.deep.equal([]);
        await follower.close();
      }),
    );
  });

  it('is found to have been written when its deadline passed afterwards, and is written once', async () => {
    const stream = freshStream();
    let left = 2;
    proxy.faults.lose = ({ method }) => (method === 'Append' && (left -= 1) >= 0 ? timedOut : null);
    const events = newEvents(2);
    expect(await succeeded(opened.store.append(stream, 'no_stream', events))).to.include({ revision: 1 });
    expect(idsOf(await succeeded(opened.store.read(stream, -1, 10)))).to.deep.equal(idsOf(events));
    expect(losses()).to.deep.equal([]);
  });

  describe('with a long deadline', () => {
    before(() => {
      deadline = 20_000;
    });
    after(() => {
      deadline = 5_000;
    });
    it('is sent again after growing pauses, and none of many at once fails', async () => {
      const most = 4;
      let running = 0;
      proxy.faults.refuse = ({ method }) => {
        if (method !== 'Append') return null;
        if (running >= most) return tooBusy;
        running += 1;
        void setTimeout(5).then(() => (running -= 1));
        return null;
      };
      await Promise.all(
        Array.from({ length: 100 }, () => succeeded(opened.store.append(freshStream(), 'no_stream', [newEvent()]))),
      );
      expect(losses()).to.deep.equal([]);
    });
  });

  it('is retried while another node becomes the leader: readers and writers wait, and none fails', async () => {
    await succeeded(opened.store.head());
    proxy.faults.refuse = () => notReady;
    const waiting = Array.from({ length: 20 }, () => {
      const stream = freshStream();
      return succeeded(opened.store.append(stream, 'no_stream', [newEvent()]));
    });
    const reading = succeeded(opened.store.head());
    await setTimeout(2_500);
    proxy.faults.refuse = () => null;
    await Promise.all([...waiting, reading]);
    expect(losses()).to.have.length(1);
  });

  it('is too large, and nothing else fails', async () => {
    const stream = freshStream();
    const large = newEvent({ data: { text: 'x'.repeat(1_200_000) } });
    expect(await failed(opened.store.append(stream, 'no_stream', [large]))).to.have.property('_tag', 'AppendTooLarge');
    await succeeded(opened.store.append(stream, 'no_stream', [newEvent()]));
    expect(losses()).to.deep.equal([]);
  });
});
