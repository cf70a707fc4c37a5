import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import Database from 'libsql';
import * as fc from 'fast-check';
import type { StoredEvent } from '../../application/ports/event-store.js';
import { addToEventIndex, eventIndexSchema, searchEvents } from '../../adapters/read-models/event-index.js';
import { statementsOf } from '../../adapters/read-models/sqlite.js';
import { EventMetadata, streamCategory } from '../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';
import { type EventSelection, everyEvent, isOfType } from '../../projections/event-selection.js';
import { openWorld } from '../projections/read-models-world.js';
import { succeeded } from '../support/event-store/stores.js';
import { made } from '../support/values.js';
import { shortOrLong } from '../support/long-form.js';

const timeOf = (second: number): Timestamp =>
  made(Timestamp, new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString());

const streams = ['thing-1', 'thing-2', 'other-1', 'plain', 'idempotencyKey-1'];
const types = ['Made.v1', 'Made.v2', 'Changed.v1'];
const keys = ['key-1', 'key-2', 'both'];
const accounts = ['account-1', 'both'];
const requests = ['request-1', 'request-2', 'request-3'];

const fact = fc.record({
  stream: fc.constantFrom(...streams),
  type: fc.constantFrom(...types),
  key_id: fc.constantFrom(...keys),
  account_id: fc.constantFrom(...accounts),
  request: fc.constantFrom(...requests),
  second: fc.nat(30),
});
type Fact = typeof fact extends fc.Arbitrary<infer F> ? F : never;

/** The events of a log, one for each fact. */
const logOf = (facts: ReadonlyArray<Fact>): ReadonlyArray<StoredEvent> =>
  facts.map(({ stream, type, key_id, account_id, request, second }, at) => ({
    position: String(at + 1),
    stream,
    revision: facts.slice(0, at).filter((earlier) => earlier.stream === stream).length,
    id: String(at),
    type,
    data: {},
    metadata: {
      actor: { key_id, account_id },
      correlation_id: request,
      causation_id: 'command',
      schema_version: 1,
      recorded_at: timeOf(second),
    },
  }));

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const selection: fc.Arbitrary<EventSelection> = fc.record({
  stream: orNull(fc.constantFrom(...streams, 'thing-9')),
  category: orNull(fc.constantFrom('thing', 'other', 'plain', 'none')),
  type: orNull(fc.constantFrom(...types, 'Made', 'Changed', 'None')),
  actor: orNull(fc.constantFrom(...keys, ...accounts, 'nobody')),
  request_id: orNull(fc.constantFrom(...requests, 'request-9')),
  from: orNull(fc.nat(31).map(timeOf)),
  to: orNull(fc.nat(31).map(timeOf)),
  hide: orNull(fc.constant('bookkeeping')),
});

/** A reference implementation of selections, event by event. */
const isSelected =
  ({ stream, category, type, actor, request_id, from, to, hide }: EventSelection) =>
  (event: StoredEvent): boolean => {
    const { actor: by, correlation_id, recorded_at } = made(EventMetadata, event.metadata);
    return (
      (stream === null || event.stream === stream) &&
      (category === null || streamCategory(event.stream) === category) &&
      (type === null || isOfType(event.type, type)) &&
      (actor === null || by.key_id === actor || by.account_id === actor) &&
      (request_id === null || correlation_id === request_id) &&
      (from === null || recorded_at >= from) &&
      (to === null || recorded_at < to) &&
      (hide === null || streamCategory(event.stream) !== 'idempotencyKey')
    );
  };

const placeOf = ({ stream, revision }: { readonly stream: string; readonly revision: number }) =>
  `${stream}@${revision}`;

/** Searches of an index of events that examine `span` events at a time. */
const indexOf = (events: ReadonlyArray<StoredEvent>, span: number) => {
  const db = new Database(':memory:');
  db.exec(eventIndexSchema);
  const statements = statementsOf(db);
  const add = addToEventIndex(statements);
  events.forEach((event) => add(event, made(EventMetadata, event.metadata)));
  const search = searchEvents(statements, span);
  const walk = (wanted: EventSelection, limit: number, descending: boolean) => {
    const found: string[] = [];
    let searches = 0;
    for (let after = descending ? events.length + 1 : 0, done = false; !done; searches += 1) {
      const [low, high] = descending ? [0, after - 1] : [after, events.length];
      const { places, examined } = search(wanted, low, high, limit, descending);
      expect(places.length).to.be.at.most(limit);
      found.push(...places.map(placeOf));
      const next = places.length === limit ? (places.at(-1)?.number ?? null) : examined;
      if (next !== null) expect(descending ? after - next : next - after).to.be.greaterThan(0);
      done = next === null;
      after = next ?? after;
    }
    return { found, searches };
  };
  return { walk, close: () => db.close() };
};

describe('the event index', () => {
  it('finds exactly the selected events, in the order of the log, for any page size and any span', () =>
    fc.assert(
      fc.property(
        fc.array(fact, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(3, 7, 1_000),
        fc.array(fc.tuple(selection, fc.integer({ min: 1, max: 12 })), { minLength: 30, maxLength: 30 }),
        (facts, span, questions) => {
          const events = logOf(facts);
          const { walk, close } = indexOf(events, span);
          for (const [wanted, limit] of questions) {
            const places = events.filter(isSelected(wanted)).map(placeOf);
            expect(walk(wanted, limit, false).found).to.deep.equal(places);
            expect(walk(wanted, limit, true).found).to.deep.equal(places.toReversed());
          }
          close();
        },
      ),
      { numRuns: shortOrLong(20, 200) },
    ));

  it('is searched in bounded parts, unless a stream is selected', () => {
    const plain = { stream: 'thing-1', type: 'Made.v1', key_id: 'key-1', account_id: 'both', request: 'request-1' };
    const { walk, close } = indexOf(logOf(Array.from({ length: 12 }, (_, second) => ({ ...plain, second }))), 3);
    expect(walk({ ...everyEvent, actor: 'both' }, 99, false).searches).to.equal(4);
    expect(walk({ ...everyEvent, actor: 'both' }, 99, true).searches).to.equal(4);
    expect(walk({ ...everyEvent, stream: 'thing-1' }, 99, false).searches).to.equal(1);
    close();
  });

  it('contains events that no codec reads, with any metadata, also when it is rebuilt', async () => {
    const world = await openWorld();
    await world.append('foreign-1', { id: randomUUID(), type: '$odd', data: { a: 1 }, metadata: { b: 2 } });
    for (const turn of [1, 2]) {
      const readModels = world.open();
      await world.caughtUp(readModels);
      const page = { limit: 5, cursor: null, until: null, descending: false };
      const { items } = await succeeded(readModels.queries.events({ ...everyEvent, category: 'foreign' }, page));
      expect(items.map(placeOf), `opened ${turn}`).to.deep.equal(['foreign-1@0']);
      await readModels.close();
      rmSync(world.file);
    }
    await world.end();
  });
});
