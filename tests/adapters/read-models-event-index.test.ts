import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { NewEvent, StoredEvent } from '../../application/ports/event-store.js';
import type { ReadModels } from '../../adapters/read-models/open.js';
import { openDatabase } from '../../adapters/read-models/file.js';
import { addToEventIndex, searchEvents } from '../../adapters/read-models/event-index.js';
import { statementsOf } from '../../adapters/read-models/sqlite.js';
import { EventMetadata, streamCategory } from '../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';
import { type EventSelection, everyEvent, isOfType } from '../../projections/event-selection.js';
import { openWorld, pagesOf } from '../projections/read-models-world.js';
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

const toEvent = ({ type, key_id, account_id, request, second }: Fact): NewEvent => ({
  id: randomUUID(),
  type,
  data: {},
  metadata: {
    actor: { key_id, account_id },
    correlation_id: request,
    causation_id: 'command',
    schema_version: 1,
    recorded_at: timeOf(second),
  },
});

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

const walk = async ({ queries }: ReadModels, wanted: EventSelection, limit: number, descending = false) => {
  const found: string[] = [];
  for await (const items of pagesOf((cursor) => queries.events(wanted, { limit, cursor, until: null, descending }))) {
    expect(items.length).to.be.at.most(limit);
    found.push(...items.map(placeOf));
  }
  return found;
};

/** An index of events, whose searches examine three events. */
const inSpans = (file: string, events: ReadonlyArray<StoredEvent>) => {
  const { db } = openDatabase(file, (opened) => ({ db: opened }));
  const statements = statementsOf(db);
  const add = addToEventIndex(statements);
  events.forEach((event) => add(event, made(EventMetadata, event.metadata)));
  const search = searchEvents(statements, 3);
  const walkIn = (wanted: EventSelection, limit: number, descending: boolean) => {
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
  return { walk: walkIn, close: () => db.close() };
};

describe('the event index', function () {
  this.timeout(120_000);

  it('finds exactly the selected events, in the order of the log, for any page size', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fact, { minLength: 1, maxLength: 40 }),
        fc.array(fc.tuple(selection, fc.integer({ min: 1, max: 12 })), { minLength: 30, maxLength: 30 }),
        async (facts, questions) => {
          const world = await openWorld();
          try {
            let readModels = world.open();
            for (const [index, one] of facts.entries()) {
              await world.append(one.stream, toEvent(one));
              if (index !== facts.length >> 1) continue;
              await readModels.close();
              readModels = world.open();
            }
            const { events } = await succeeded(world.store.readAll(null, {}, 1_000));
            const check = async (): Promise<void> => {
              await world.caughtUp(readModels);
              for (const [wanted, limit] of questions) {
                const places = events.filter(isSelected(wanted)).map(placeOf);
                expect(await walk(readModels, wanted, limit)).to.deep.equal(places);
                expect(await walk(readModels, wanted, limit, true)).to.deep.equal(places.toReversed());
              }
            };
            await check();
            const spans = inSpans(`${world.file}-spans`, events);
            for (const [wanted, limit] of questions) {
              const places = events.filter(isSelected(wanted)).map(placeOf);
              expect(spans.walk(wanted, limit, false).found).to.deep.equal(places);
              expect(spans.walk(wanted, limit, true).found).to.deep.equal(places.toReversed());
            }
            spans.close();
            await readModels.close();
            rmSync(world.file);
            readModels = world.open();
            await check();
          } finally {
            await world.end();
          }
        },
      ),
      { numRuns: shortOrLong(3, 25) },
    ));

  it('is searched in bounded parts, unless a stream is selected', async () => {
    const world = await openWorld();
    try {
      const plain = { stream: 'thing-1', type: 'Made.v1', account_id: 'both', request: 'request-1' };
      for (let second = 1; second <= 12; second += 1)
        await world.append('thing-1', toEvent({ ...plain, key_id: 'key-1', second }));
      const { events } = await succeeded(world.store.readAll(null, {}, 100));
      const spans = inSpans(`${world.file}-spans`, events);
      expect(spans.walk({ ...everyEvent, actor: 'both' }, 99, false)).to.deep.include({ searches: 4 });
      expect(spans.walk({ ...everyEvent, actor: 'both' }, 99, true)).to.deep.include({ searches: 4 });
      expect(spans.walk({ ...everyEvent, stream: 'thing-1' }, 99, false)).to.deep.include({ searches: 1 });
      spans.close();
    } finally {
      await world.end();
    }
  });

  it('contains events that no codec reads, with any metadata', async () => {
    const world = await openWorld();
    try {
      await world.append('foreign-1', { id: randomUUID(), type: '$odd', data: { a: 1 }, metadata: { b: 2 } });
      const readModels = world.open();
      await world.caughtUp(readModels);
      expect(await walk(readModels, { ...everyEvent, category: 'foreign' }, 5)).to.deep.equal(['foreign-1@0']);
    } finally {
      await world.end();
    }
  });
});
