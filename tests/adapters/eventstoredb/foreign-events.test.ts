import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { checkpointMessage } from '../../../adapters/eventstoredb-endpoint/reading.js';
import { openReadModels } from '../../../adapters/read-models/open.js';
import type { TestServer } from '../../support/event-store/eventstoredb-server.js';
import {
  freshStream,
  idsOf,
  newEvent,
  newEvents,
  follow,
  succeeded,
  until,
  recordingLog,
} from '../../support/event-store/stores.js';
import { useAdapter } from '../../support/event-store/use-adapter.js';

describe('the EventStoreDB adapter on a log that also contains events of others', function () {
  this.timeout(60_000);
  const { later, newFile, open, serve } = useAdapter();
  const restarted = async (server: TestServer): Promise<TestServer> =>
    later(await server.restart(), ({ stop }) => stop());

  const faults = { 'beyond all positions': '24.6', 'at the place of the next event': '25.0.0' } as const;
  Object.entries(faults).forEach(([where, version]) =>
    it(`misses no event when the server sends a checkpoint ${where}`, async () => {
      const { store } = open((await serve({ version })).url);
      const follower = follow(store, null, {});
      await until('it has subscribed', () => follower.caughtUp() > 0);
      const events = newEvents(3);
      await succeeded(store.append(freshStream(), 'no_stream', events));
      await follower.received(3);
      expect(idsOf(follower.events)).to.deep.equal(idsOf(events));
      expect(follower.pages.at(-1)?.examined).to.equal(follower.events.at(-1)?.position);
    }),
  );

  it('misses no event after a checkpoint at its position, at which the connection was lost', async () => {
    const server = await serve();
    server.faults.rewrite = (message) => {
      const position = message.getEvent()?.getEvent()?.getCommitPosition();
      return position !== undefined && Number(position) > 1 ? [checkpointMessage(position)] : [message];
    };
    const follower = follow(open(server.url).store, null, {});
    const events = newEvents(2);
    await succeeded(server.events.store.append(freshStream(), 'no_stream', events));
    await follower.received(1);
    await setTimeout(100);
    await restarted(server);
    await follower.received(2);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(events));
  });

  describe('after a lost connection', () => {
    const statistics = ({ events: { store } }: TestServer) =>
      succeeded(store.append('$statistics', 'no_stream', newEvents(700, { type: '$statistics' })));

    it('continues when the last events are those of others', async () => {
      const server = await serve();
      const { store } = open(server.url);
      const follower = follow(store, null, {});
      const [stream, first, second] = [freshStream(), newEvent(), newEvent()];
      await succeeded(store.append(stream, 'no_stream', [first]));
      await statistics(server);
      await follower.received(1);
      await setTimeout(300);
      await restarted(server);
      await until('it answers again', () => follower.failures.length > 0 || follower.caughtUp() > 1);
      await succeeded(store.append(stream, 0, [second]));
      await follower.received(2);
      expect(follower.failures).to.deep.equal([]);
      expect(idsOf(follower.events)).to.deep.equal(idsOf([first, second]));
    });

    it('keeps its read models', async () => {
      const server = await serve();
      const { store } = open(server.url);
      const { log, lines } = recordingLog();
      await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
      await statistics(server);
      const readModels = later(openReadModels({ file: await newFile(), store, log }), ({ close }) => close());
      await until('caught up', () => readModels.status().caught_up);
      await setTimeout(300);
      await restarted(server);
      const { position } = await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
      await succeeded(readModels.queries.reached(position, 10_000));
      expect(lines.filter((line) => line.includes('being rebuilt'))).to.have.length(1);
    });

    it('ends when the server returns with another log, even a longer one', async () => {
      const server = await serve();
      const { store } = open(server.url);
      const follower = follow(store, null, {});
      await succeeded(store.append(freshStream(), 'no_stream', newEvents(3)));
      await follower.received(3);
      await server.stop();
      const other = await serve({ port: server.port });
      await succeeded(other.events.store.append(freshStream(), 'no_stream', newEvents(10)));
      await until('the failure', () => follower.failures.length > 0);
      expect(follower.failures[0]).to.have.property('_tag', 'StoreUnavailable');
      expect(follower.events).to.have.length(3);
    });
  });
});
