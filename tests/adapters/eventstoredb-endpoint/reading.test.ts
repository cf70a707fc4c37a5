import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient } from '@eventstore/db-client';
import { connect, failure, numbered, revisions, take } from '../../support/event-store/esdb-client.js';
import { newEvents } from '../../support/event-store/events.js';
import { succeeded } from '../../support/event-store/outcomes.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';

const { BACKWARDS, END, FORWARDS, START, jsonEvent } = eventStoreDb;

describe('EventStoreDB endpoint: reading', () => {
  let server: TestServer;
  let client: EventStoreDBClient;
  before(async () => {
    server = await startTestServer();
    client = connect(server.url);
    await client.appendToStream('letters-1', numbered(600));
    await client.appendToStream('letters-2', numbered(3, 'Other'));
  });
  after(async () => {
    await client.dispose();
    await server.stop();
  });

  const read = async (options: Parameters<EventStoreDBClient['readStream']>[1]) =>
    revisions(await take(client.readStream('letters-1', options)));

  it('reads a stream forwards and backwards, from any revision, up to a limit', async () => {
    const all = Array.from({ length: 600 }, (_, index) => index);
    expect(await read({})).to.deep.equal(all);
    expect(await read({ direction: BACKWARDS, fromRevision: END })).to.deep.equal(all.toReversed());
    expect(await read({ fromRevision: 598n })).to.deep.equal([598, 599]);
    expect(await read({ fromRevision: 600n })).to.deep.equal([]);
    expect(await read({ fromRevision: END, direction: FORWARDS })).to.deep.equal([]);
    expect(await read({ fromRevision: 1n, direction: BACKWARDS })).to.deep.equal([1, 0]);
    expect(await read({ fromRevision: START, direction: BACKWARDS })).to.deep.equal([0]);
    expect(await read({ maxCount: 3, fromRevision: 297n })).to.deep.equal([297, 298, 299]);
    expect(await read({ maxCount: 2, fromRevision: END, direction: BACKWARDS })).to.deep.equal([599, 598]);
  });

  it('reports that a stream does not exist', async () => {
    const { type, streamName } = await failure(take(client.readStream('letters-3')));
    expect([type, streamName]).to.deep.equal(['stream-not-found', 'letters-3']);
  });

  it('reads the whole log in both directions: forwards from a position, inclusive, backwards, exclusive', async () => {
    const forwards = await take(client.readAll());
    const backwards = await take(client.readAll({ direction: BACKWARDS, fromPosition: END }));
    expect(forwards).to.have.length(603);
    expect(backwards).to.deep.equal(forwards.toReversed());
    const middle = forwards[300]?.event?.position;
    if (middle === undefined) throw new Error('no position');
    expect(await take(client.readAll({ fromPosition: middle }))).to.deep.equal(forwards.slice(300));
    expect(await take(client.readAll({ fromPosition: middle, direction: BACKWARDS }))).to.deep.equal(
      forwards.slice(0, 300).toReversed(),
    );
    expect(await take(client.readAll({ maxCount: 5 }))).to.deep.equal(forwards.slice(0, 5));
    expect(await take(client.readAll({ fromPosition: START, direction: BACKWARDS }))).to.deep.equal([]);
    expect(await take(client.readAll({ fromPosition: END }))).to.deep.equal([]);
  });

  it('returns the events of the service itself unchanged', async () => {
    const metadata = { recorded_at: '2026-02-03T04:05:06.789Z', correlation_id: 'c' };
    const [event] = newEvents(1, { data: { a: ['ö', 1, null] } }).map((made) => ({ ...made, metadata }));
    if (event === undefined) throw new Error('no event');
    await succeeded(server.events.store.append('own-1', 'no_stream', [event]));
    const [found] = await take(client.readStream('own-1'));
    expect(found?.event).to.deep.include({ id: event.id, type: event.type, data: event.data, metadata, revision: 0n });
    expect(found?.event?.created).to.deep.equal(new Date(metadata.recorded_at));
  });

  it('stores events in the form of the service exactly as the service would', async () => {
    const [event] = newEvents(1, { data: { b: 2 } });
    const metadata = { recorded_at: '2026-02-03T04:05:06.789Z' };
    if (event === undefined) throw new Error('no event');
    await client.appendToStream('own-2', jsonEvent({ id: event.id, type: event.type, data: { b: 2 }, metadata }));
    const [stored] = await succeeded(server.events.store.read('own-2', -1, 1));
    expect(stored).to.deep.include({ id: event.id, type: event.type, data: { b: 2 }, metadata, revision: 0 });
  });

  it('resolves links on request', async () => {
    await client.appendToStream('links', [
      {
        ...numbered(1)[0],
        contentType: 'application/octet-stream',
        type: '$>',
        data: Buffer.from('2@letters-1'),
        metadata: undefined,
        id: crypto.randomUUID(),
      },
      {
        contentType: 'application/octet-stream',
        type: '$>',
        data: Buffer.from('9@letters-9'),
        metadata: undefined,
        id: crypto.randomUUID(),
      },
    ]);
    const resolved = await take(client.readStream('links', { resolveLinkTos: true }));
    expect(resolved.map(({ event, link }) => [event?.streamId, event?.revision, link?.revision])).to.deep.equal([
      ['letters-1', 2n, 0n],
      [undefined, undefined, 1n],
    ]);
    const plain = await take(client.readStream('links'));
    expect(plain.map(({ event, link }) => [event?.type, link])).to.deep.equal([
      ['$>', undefined],
      ['$>', undefined],
    ]);
  });
});
