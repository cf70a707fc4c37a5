import { expect } from 'chai';
import eventStoreDb, { type EventStoreDBClient } from '@eventstore/db-client';
import {
  failure,
  revisions,
  take,
  type ProtocolEndpoint,
  startEndpoint,
} from '../../support/event-store/use-adapter.js';
import { newEvents } from '../../support/event-store/stores.js';

const { BACKWARDS, END, FORWARDS, START } = eventStoreDb;

describe('EventStoreDB endpoint: reading', () => {
  let endpoint: ProtocolEndpoint;
  let client: EventStoreDBClient;
  before(async () => {
    endpoint = await startEndpoint();
    ({ client } = endpoint);
    await endpoint.append('letters-1', 600);
    await endpoint.append('letters-2', 3, { type: 'Other' });
  });
  after(() => endpoint.stop());

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
    await endpoint.append('own-1', [event]);
    const [found] = await take(client.readStream('own-1'));
    const { id, type, data } = event;
    expect(found?.event).to.deep.include({ id, type, data, revision: 0n });
    expect(found?.event?.metadata).to.deep.include(metadata);
    expect(found?.event?.created).to.deep.equal(new Date(metadata.recorded_at));
  });
});
