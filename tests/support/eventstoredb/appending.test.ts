import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient } from '@eventstore/db-client';
import { connect, failure, numbered, revisions, take } from '../event-store/esdb-client.js';
import { type TestServer, startTestServer } from '../event-store/eventstoredb-server.js';

const { ANY, NO_STREAM, STREAM_EXISTS, jsonEvent } = eventStoreDb;

/** Batch and plain appends are two calls of the protocol; separate credentials make a call plain. */
const ways = { batch: {}, plain: { credentials: { username: 'a', password: 'b' } } } as const;

Object.entries(ways).forEach(([name, way]) =>
  describe(`the imitation of EventStoreDB: appending, ${name}`, () => {
    let server: TestServer;
    let client: EventStoreDBClient;
    let streams = 0;
    const fresh = (): string => `counter-${(streams += 1)}`;
    before(async () => {
      server = await startTestServer();
      client = connect(server.url);
    });
    after(async () => {
      await client.dispose();
      await server.stop();
    });

    const append = (
      stream: string,
      events: ReturnType<typeof numbered>,
      expectedRevision: bigint | 'any' | 'no_stream' | 'stream_exists' = ANY,
    ) => client.appendToStream(stream, events, { ...way, expectedRevision });

    it('numbers events from 0, and returns revision and position', async () => {
      const stream = fresh();
      const first = await append(stream, numbered(2), NO_STREAM);
      const second = await append(stream, numbered(1), 1n);
      expect([first.nextExpectedRevision, second.nextExpectedRevision]).to.deep.equal([1n, 2n]);
      expect(Number(second.position?.commit)).to.be.greaterThan(Number(first.position?.commit));
      expect(revisions(await take(client.readStream(stream)))).to.deep.equal([0, 1, 2]);
    });

    it('accepts only any and no_stream for an empty stream', async () => {
      for (const expected of [STREAM_EXISTS, 0n] as const) {
        const { type, actualVersion } = await failure(append(fresh(), numbered(1), expected));
        expect([type, actualVersion]).to.deep.equal(['wrong-expected-version', 'no_stream']);
      }
      expect((await append(fresh(), numbered(1), ANY)).success).to.equal(true);
    });

    it('refuses a wrong revision, and returns the current one', async () => {
      const stream = fresh();
      await append(stream, numbered(3));
      for (const expected of [NO_STREAM, 0n, 7n] as const) {
        const { type, streamName, expectedVersion, actualVersion } = await failure(
          append(stream, numbered(1), expected),
        );
        expect([type, streamName, expectedVersion, actualVersion]).to.deep.equal([
          'wrong-expected-version',
          stream,
          expected,
          2n,
        ]);
      }
      expect((await append(stream, numbered(1), STREAM_EXISTS)).nextExpectedRevision).to.equal(3n);
    });

    it('returns the first result for the same events again, and a conflict for a part of them', async () => {
      const stream = fresh();
      const events = numbered(3);
      const first = await append(stream, events, NO_STREAM);
      await append(stream, numbered(1), 2n);
      expect(await append(stream, events, NO_STREAM)).to.deep.equal(first);
      const changed = [...events.slice(0, 2), ...numbered(1)];
      expect((await failure(append(stream, changed, NO_STREAM)))['type']).to.equal('wrong-expected-version');
      expect(await take(client.readStream(stream))).to.have.length(4);
    });

    it('appends all events or none', async () => {
      const stream = fresh();
      const [known = numbered(1)[0]] = numbered(1);
      await append(fresh(), known === undefined ? [] : [known]);
      await failure(append(stream, [...numbered(3), ...(known === undefined ? [] : [known])], NO_STREAM));
      expect((await failure(take(client.readStream(stream))))['type']).to.equal('stream-not-found');
    });

    it('refuses an append above 1 MiB and accepts one just below', async () => {
      const of = (bytes: number) => [jsonEvent({ type: 'Big', data: { text: 'x'.repeat(bytes) } })];
      const { type, maxAppendSize } = await failure(client.appendToStream(fresh(), of(1_048_577), way));
      expect([type, maxAppendSize]).to.deep.equal(['maximum-append-size-exceeded', 1_048_576]);
      expect((await client.appendToStream(fresh(), of(1_048_000), way)).success).to.equal(true);
    });
  }),
);
