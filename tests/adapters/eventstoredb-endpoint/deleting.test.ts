import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient } from '@eventstore/db-client';
import { connect, failure, numbered, recorded, revisions, take } from '../../support/event-store/esdb-client.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';

const { BACKWARDS, END, NO_STREAM, START, jsonEvent } = eventStoreDb;

describe('EventStoreDB endpoint: metadata and deletion', () => {
  let server: TestServer;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    server = await startTestServer();
    client = connect(server.url);
    await client.appendToStream('s', numbered(5));
  });
  afterEach(async () => {
    await client.dispose();
    await server.stop();
  });

  const restart = async (): Promise<void> => {
    await client.dispose();
    server = await server.restart();
    client = connect(server.url);
  };
  const read = async () => revisions(await take(client.readStream('s')));
  const readBack = async (maxCount = 100) =>
    revisions(await take(client.readStream('s', { direction: BACKWARDS, fromRevision: END, maxCount })));

  it('returns the newest metadata, also after a restart', async () => {
    expect((await client.getStreamMetadata('s')).metadata).to.equal(undefined);
    await client.setStreamMetadata('s', { maxCount: 3 });
    await client.setStreamMetadata('s', { maxCount: 4, colour: 'red' }, { expectedRevision: 0n });
    await restart();
    const { metadata } = await client.getStreamMetadata('s');
    expect(metadata).to.deep.equal({ maxCount: 4, colour: 'red' });
    expect(revisions(await take(client.readStream('$$s')))).to.deep.equal([1]);
  });

  it('hides events excluded by $maxCount and $tb, in both directions and from subscribers', async () => {
    await client.setStreamMetadata('s', { maxCount: 3 });
    expect([await read(), await readBack(), await readBack(1)]).to.deep.equal([[2, 3, 4], [4, 3, 2], [4]]);
    await client.appendToStream('s', numbered(1));
    expect(await read()).to.deep.equal([3, 4, 5]);
    await client.setStreamMetadata('s', { truncateBefore: 2 });
    expect([await read(), await readBack()]).to.deep.equal([
      [2, 3, 4, 5],
      [5, 4, 3, 2],
    ]);
    expect(revisions(await take(client.subscribeToStream('s', { fromRevision: START }), 4))).to.deep.equal([
      2, 3, 4, 5,
    ]);
    await client.setStreamMetadata('s', { truncateBefore: 99 });
    expect(await read()).to.deep.equal([]);
  });

  it('hides events older than $maxAge', async () => {
    const old = { recorded_at: '2020-01-01T00:00:00.000Z' };
    await client.appendToStream('aged', jsonEvent({ type: 'Old', data: {}, metadata: old }));
    await client.appendToStream('aged', numbered(1));
    await client.setStreamMetadata('aged', { maxAge: 3_600 });
    expect(revisions(await take(client.readStream('aged')))).to.deep.equal([1]);
  });

  /** An event as an earlier version of the server wrote it when a client deleted a stream. */
  const written = (stream: string, revision: number, type: string, data: string) =>
    server.events.log.db
      .prepare(
        `INSERT INTO events (stream, category, revision, event_id, type, data, metadata)
         VALUES (?, ?, ?, '00000000-0000-4000-8000-000000000001', ?, ?, '{"recorded_at":"2026-01-01T00:00:00.000Z"}')`,
      )
      .run([stream, stream, revision, type, data]);

  it('does not find a soft-deleted stream; its events stay in the log, and its numbers continue when it is revived', async () => {
    written('$$s', 0, '$metadata', '{"colour":"red","$tb":9223372036854775807}');
    await restart();
    expect((await failure(read()))['type']).to.equal('stream-not-found');
    expect(recorded(await take(client.readAll())).filter(({ streamId }) => streamId === 's')).to.have.length(5);
    const { nextExpectedRevision } = await client.appendToStream('s', numbered(2), { expectedRevision: NO_STREAM });
    expect([nextExpectedRevision, await read(), await readBack()]).to.deep.equal([6n, [5, 6], [6, 5]]);
    expect((await client.getStreamMetadata('s')).metadata).to.deep.equal({ colour: 'red', truncateBefore: 5 });
  });

  it('neither reads nor appends to a tombstoned stream', async () => {
    written('s', Number.MAX_SAFE_INTEGER, '$streamDeleted', '{}');
    await restart();
    const credentials = { username: 'a', password: 'b' };
    for (const call of [
      () => read(),
      () => client.appendToStream('s', numbered(1)),
      () => client.appendToStream('s', numbered(1), { credentials }),
      () => client.appendToStream('s', numbered(1), { expectedRevision: NO_STREAM }),
      () => client.setStreamMetadata('s', { maxCount: 1 }),
      () => take(client.subscribeToStream('s')),
    ])
      expect((await failure(call()))['type']).to.equal('stream-deleted');
    const last = recorded(await take(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })))[0];
    expect([last?.type, last?.revision]).to.deep.equal(['$streamDeleted', 9_223_372_036_854_775_807n]);
  });
});

describe('EventStoreDB endpoint: gossip', () => {
  it('lets a client discover this server, and another one that leads', async () => {
    const leader = await startTestServer();
    const follower = await startTestServer({ leader: () => ({ host: 'localhost', port: leader.port }) });
    const client = connect(`esdb+discover://localhost:${follower.port}?tls=false`);
    await client.appendToStream('s', numbered(2));
    const alone = connect(`esdb+discover://localhost:${leader.port}?tls=false`);
    expect(revisions(await take(alone.readStream('s')))).to.deep.equal([0, 1]);
    await Promise.all([client.dispose(), alone.dispose()]);
    await Promise.all([leader.stop(), follower.stop()]);
  });
});
