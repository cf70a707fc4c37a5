import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { OpenedStore } from '../support/contracts/event-store-contract.js';
import { createAppendModel, type ModelAppend } from '../support/event-store/append-model.js';
import { freshStream, idsOf, newEvent, newEvents } from '../support/event-store/events.js';
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
  isLarge: fc.boolean(),
});

const largeFrom = 5_000;
const large = { note: 'x'.repeat(largeFrom) };

describe('event store: sqlite, random appends', () => {
  let opened: OpenedStore;
  before(async () => {
    opened = await openTemporarySqlite({ largeFrom });
  });
  after(() => opened.close());

  const send = (
    { stream, expected, ids }: ModelAppend,
    isLarge: boolean,
  ): ReturnType<ReturnType<EventStore['append']>> =>
    opened.store.append(
      stream,
      expected,
      ids.map((id) => newEvent({ id, ...(isLarge ? { data: large } : {}) })),
    )();

  const answersAsTheModel = (largeOnes: boolean, numRuns: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(fc.array(choice, { maxLength: 40 }), fc.boolean(), async (choices, atOnce) => {
        const start = await succeeded(opened.store.head());
        const streams = [freshStream(), freshStream(), freshStream()];
        const pool = idsOf(newEvents(40));
        const model = createAppendModel();
        const appends: Array<Parameters<typeof send>> = [];
        const answers = choices.map(({ stream: index, expected, firstId, count, repeatsOneId, isLarge }) => {
          const stream = streams[index] ?? '';
          const ids = pool.slice(firstId, firstId + count);
          const append = {
            stream,
            expected: expected ?? model.actual(stream),
            ids: repeatsOneId && firstId > 27 ? [...ids, ...ids.slice(0, 1)] : ids,
          };
          appends.push([append, largeOnes && isLarge]);
          return model.append(append);
        });
        const outcomes = [];
        if (atOnce) outcomes.push(...(await Promise.all(appends.map((given) => send(...given)))));
        else for (const given of appends) outcomes.push(await send(...given));
        const { events } = await succeeded(opened.store.readAll(start, {}, 1_000));
        expect(idsOf(events)).to.deep.equal(model.ids());
        const actual = outcomes.map(E.map(({ revision, position }) => ({ revision, position })));
        expect(actual).to.deep.equal(
          answers.map(E.map(({ revision, place }) => ({ revision, position: events[place]?.position }))),
        );
      }),
      { numRuns },
    );

  it('answers like the model, for sequential and concurrent appends', () =>
    answersAsTheModel(false, shortOrLong(25, 100))).timeout(60_000);

  it('does so too when half of the appends are large and written on another thread', () =>
    answersAsTheModel(true, shortOrLong(5, 25))).timeout(120_000);
});
