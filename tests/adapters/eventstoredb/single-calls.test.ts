import { setTimeout } from 'node:timers/promises';
import { type ServiceError, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { constVoid } from 'fp-ts/lib/function.js';
import { refusal } from '../../../adapters/eventstoredb-endpoint/errors.js';
import {
  freshStream,
  idsOf,
  newEvent,
  newEvents,
  follow,
  failed,
  succeeded,
  until,
  silentLog,
} from '../../support/event-store/stores.js';
import { losses, useAdapter } from '../../support/event-store/use-adapter.js';
import { invalidPosition, addressOf } from '../../support/event-store/eventstoredb-server.js';
import { openConnection } from '../../../adapters/event-store/eventstoredb/connection.js';
import { probe } from '../../../adapters/event-store/eventstoredb/read.js';

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
