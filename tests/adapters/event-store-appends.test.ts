import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Appended, EventStore, StoredEvent } from '../../application/ports/event-store.js';
import type { OpenedStore } from '../support/contracts/event-store-contract.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { freshStream, idsOf, newEvents } from '../support/event-store/events.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { openTemporarySqlite } from '../support/event-store/temporary-sqlite.js';
import { shortOrLong } from '../support/long-form.js';

const choice = fc.record({
  stream: fc.nat(2),
  /** Undefined stands for the current revision of the stream. */
  expected: fc.option(fc.oneof(fc.constant('no_stream' as const), fc.nat(6)), { nil: undefined, freq: 2 }),
  firstId: fc.nat(30),
  count: fc.integer({ min: 1, max: 3 }),
  repeatsOneId: fc.boolean(),
});

/** The revision and the place in the log that an append was answered with. */
const placed = (events: ReadonlyArray<StoredEvent>) =>
  E.map(({ revision, position }: Appended) => ({
    revision,
    place: events.findIndex((event) => event.position === position),
  }));

describe('event store: sqlite, random appends', () => {
  let opened: OpenedStore;
  before(async () => {
    opened = await openTemporarySqlite();
  });
  after(() => opened.close());

  it('answers like the log in memory, for sequential and concurrent appends', () =>
    fc.assert(
      fc.asyncProperty(fc.array(choice, { maxLength: 40 }), fc.boolean(), async (choices, atOnce) => {
        const start = await succeeded(opened.store.head());
        const model = await openInMemory({ refusesKnownIds: true });
        const streams = [freshStream(), freshStream(), freshStream()];
        const pool = newEvents(40);
        const appends: Array<Parameters<EventStore['append']>> = [];
        const answers = [];
        for (const { stream: index, expected, firstId, count, repeatsOneId } of choices) {
          const stream = streams[index] ?? '';
          const some = pool.slice(firstId, firstId + count);
          const last = (await succeeded(model.store.read(stream, -1, 1_000))).at(-1)?.revision ?? 'no_stream';
          const events = repeatsOneId && firstId > 27 ? [...some, ...some.slice(0, 1)] : some;
          appends.push([stream, expected ?? last, events]);
          answers.push(await model.store.append(stream, expected ?? last, events)());
        }
        const outcomes = [];
        if (atOnce) outcomes.push(...(await Promise.all(appends.map((append) => opened.store.append(...append)()))));
        else for (const append of appends) outcomes.push(await opened.store.append(...append)());
        const { events } = await succeeded(opened.store.readAll(start, {}, 1_000));
        const wanted = await succeeded(model.store.readAll(null, {}, 1_000));
        expect(idsOf(events)).to.deep.equal(idsOf(wanted.events));
        expect(outcomes.map(placed(events))).to.deep.equal(answers.map(placed(wanted.events)));
      }),
      { numRuns: shortOrLong(25, 100) },
    )).timeout(60_000);
});
