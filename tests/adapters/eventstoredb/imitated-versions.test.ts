import eventStoreDb, { type EventStoreDBClient, type Position } from '@eventstore/db-client';
import { expect } from 'chai';
import { connect, numbered, recorded, take, useAdapter } from '../../support/event-store/use-adapter.js';
import { type Version, versionNames } from '../../support/event-store/versions.js';

const { END, START, excludeSystemEvents } = eventStoreDb;

const complaint = (work: Promise<unknown>): Promise<string> => work.then(() => '', String);

const greatest = 2n ** 64n - 1n;

/** The checkpoints that a subscription from the start receives before it has caught up. */
const checkpoints = async (client: EventStoreDBClient): Promise<Position[]> => {
  const sent: Position[] = [];
  const filter = excludeSystemEvents({ checkpointReached: (_subscription, position) => void sent.push(position) });
  const subscription = client.subscribeToAll({ fromPosition: START, filter });
  subscription.on('data', () => undefined);
  await new Promise((resolve) => subscription.once('caughtUp', () => resolve(undefined)));
  await subscription.unsubscribe();
  return sent;
};

describe('the imitation of EventStoreDB: other server versions', () => {
  const { later, serve } = useAdapter();
  const begin = async (version: Version): Promise<EventStoreDBClient> =>
    later(connect((await serve({ version })).url), (client) => client.dispose());

  for (const version of versionNames)
    it(`leaves gaps between positions, filled with its own events, and reads from no other position: ${version}`, async () => {
      const client = await begin(version);
      const appended: bigint[] = [];
      for (let n = 0; n < 9; n += 1)
        appended.push((await client.appendToStream('s-1', numbered(1))).position?.commit ?? 0n);
      const events = recorded(await take(client.readAll()));
      const places = events.map(({ position }) => position.commit);
      const ours = events.filter(({ type }) => type === 'Counted');
      expect(ours.map(({ position }) => position.commit)).to.deep.equal(appended);
      expect(events.filter(({ type }) => type.startsWith('$'))).to.have.length(8 + 3);
      expect(new Set(places.map((place, index) => place - (places[index - 1] ?? 0n))).size).to.be.greaterThan(2);
      const place = (appended[4] ?? 0n) + 1n;
      const nowhere = take(client.readAll({ fromPosition: { commit: place, prepare: place } }));
      expect(await complaint(nowhere)).to.match(/2 UNKNOWN: Unexpected FilteredReadAllResult: InvalidPosition/);
    });

  it('uses positions beyond the safe integers of JavaScript: 25.1', async () => {
    const client = await begin('25.1');
    const { position } = await client.appendToStream('s-1', numbered(100));
    expect(position?.commit).to.satisfy((commit: bigint) => commit > 2n ** 63n && commit < greatest);
    const again = await take(client.readAll({ fromPosition: position ?? START }));
    expect(recorded(again)[0]?.position).to.deep.equal(position);
  });

  for (const version of ['24.6', '24.10.4'] as const)
    it(`sends 2^64-1 as the first checkpoint if nothing passes the filter: ${version}`, async () => {
      const client = await begin(version);
      expect(await checkpoints(client)).to.deep.equal([{ commit: greatest, prepare: greatest }]);
      const { position } = await client.appendToStream('s-1', numbered(1));
      expect(await checkpoints(client)).to.deep.equal([position]);
    });

  for (const version of ['25.1', '26'] as const)
    it(`sends the last examined position as the first checkpoint: ${version}`, async () => {
      const client = await begin(version);
      const [last] = recorded(await take(client.readAll({ direction: 'backwards', fromPosition: END, maxCount: 1 })));
      expect(await checkpoints(client)).to.deep.equal([last?.position]);
    });

  it('sends the position of the next event in its checkpoints: 25.0.0', async () => {
    const client = await begin('25.0.0');
    const [checkpoint] = await checkpoints(client);
    const { position } = await client.appendToStream('s-1', numbered(1));
    expect(checkpoint).to.deep.equal({ commit: position?.commit, prepare: 0n });
    const after = client.subscribeToAll({ fromPosition: checkpoint ?? START, filter: excludeSystemEvents() });
    expect(recorded(await take(after, 1))[0]?.position).to.deep.equal(position);
  });
});
