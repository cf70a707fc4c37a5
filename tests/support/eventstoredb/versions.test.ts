import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient, type Position } from '@eventstore/db-client';
import { connect, numbered, recorded, take } from '../event-store/esdb-client.js';
import { type TestServer, startTestServer } from '../event-store/eventstoredb-server.js';
import { type Version, versionNames } from '../event-store/versions.js';

const { END, START, excludeSystemEvents } = eventStoreDb;

const complaint = (work: Promise<unknown>): Promise<string> => work.then(() => '', String);

const greatest = 2n ** 64n - 1n;

describe('the imitation of EventStoreDB: other server versions', () => {
  let server: TestServer;
  let client: EventStoreDBClient;
  const begin = async (version: Version): Promise<void> => {
    server = await startTestServer({ version });
    client = connect(server.url);
  };
  afterEach(async () => {
    await client.dispose();
    await server.stop();
  });

  for (const version of versionNames)
    it(`leaves gaps between positions, filled with its own events, and reads from no other position: ${version}`, async () => {
      await begin(version);
      const appended: bigint[] = [];
      for (let n = 0; n < 9; n += 1)
        appended.push((await client.appendToStream('s-1', numbered(1))).position?.commit ?? 0n);
      const events = recorded(await take(client.readAll()));
      const places = events.map(({ position }) => position.commit);
      expect(events.filter(({ type }) => type === 'Counted').map(({ position }) => position.commit)).to.deep.equal(
        appended,
      );
      expect(events.filter(({ type }) => type.startsWith('$'))).to.have.length(8 + 3);
      expect(new Set(places.map((place, index) => place - (places[index - 1] ?? 0n))).size).to.be.greaterThan(2);
      const place = (appended[4] ?? 0n) + 1n;
      const nowhere = take(client.readAll({ fromPosition: { commit: place, prepare: place } }));
      expect(await complaint(nowhere)).to.match(/2 UNKNOWN: Unexpected FilteredReadAllResult: InvalidPosition/);
    });

  it('uses positions beyond the safe integers of JavaScript: 25.1', async () => {
    await begin('25.1');
    const { position } = await client.appendToStream('s-1', numbered(100));
    expect(position?.commit).to.satisfy((commit: bigint) => commit > 2n ** 63n && commit < greatest);
    const again = await take(client.readAll({ fromPosition: position ?? START }));
    expect(recorded(again)[0]?.position).to.deep.equal(position);
  });

  /** The checkpoints that a subscription receives before it has caught up. */
  const checkpoints = async (fromPosition: Position | typeof START): Promise<Position[]> => {
    const sent: Position[] = [];
    const filter = excludeSystemEvents({
      checkpointReached: (_subscription, position) => void sent.push(position),
    });
    const subscription = client.subscribeToAll({ fromPosition, filter });
    subscription.on('data', () => undefined);
    await new Promise((resolve) => subscription.once('caughtUp', () => resolve(undefined)));
    await subscription.unsubscribe();
    return sent;
  };

  for (const version of ['24.6', '24.10.4'] as const)
    it(`sends 2^64-1 as the first checkpoint if nothing passes the filter: ${version}`, async () => {
      await begin(version);
      expect(await checkpoints(START)).to.deep.equal([{ commit: greatest, prepare: greatest }]);
      const { position } = await client.appendToStream('s-1', numbered(1));
      expect(await checkpoints(START)).to.deep.equal([position]);
    });

  for (const version of ['25.1', '26'] as const)
    it(`sends the last examined position as the first checkpoint: ${version}`, async () => {
      await begin(version);
      const [last] = recorded(await take(client.readAll({ direction: 'backwards', fromPosition: END, maxCount: 1 })));
      expect(await checkpoints(START)).to.deep.equal([last?.position]);
    });

  it('sends the position of the next event in its checkpoints: 25.0.0', async () => {
    await begin('25.0.0');
    const [checkpoint] = await checkpoints(START);
    const { position } = await client.appendToStream('s-1', numbered(1));
    expect(checkpoint).to.deep.equal({ commit: position?.commit, prepare: 0n });
    const after = client.subscribeToAll({ fromPosition: checkpoint ?? START, filter: excludeSystemEvents() });
    expect(recorded(await take(after, 1))[0]?.position).to.deep.equal(position);
  });
});
