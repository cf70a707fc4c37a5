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
});

describe('event store: sqlite, random appends', () => {
  let opened: OpenedStore;
  before(async () => {
    opened = await openTemporarySqlite();
  });
  after(() => opened.close());

  const send = ({ stream, expected, ids }: ModelAppend): ReturnType<ReturnType<EventStore['append']>> =>
    opened.store.append(
      stream,
      expected,
      ids.map((id) => newEvent({ id })),
    )();

  it('answers like the model, for sequential and concurrent appends', () =>
    fc.assert(
      fc.asyncProperty(fc.array(choice, { maxLength: 40 }), fc.boolean(), async (choices, atOnce) => {
        const start = await succeeded(opened.store.head());
        const streams = [freshStream(), freshStream(), freshStream()];
        const pool = idsOf(newEvents(40));
        const model = createAppendModel();
        const appends: ModelAppend[] = [];
        const answers = choices.map(({ stream: index, expected, firstId, count, repeatsOneId }) => {
          const stream = streams[index] ?? '';
          const ids = pool.slice(firstId, firstId + count);
          const append = {
            stream,
            expected: expected ?? model.actual(stream),
            ids: repeatsOneId && firstId > 27 ? [...ids, ...ids.slice(0, 1)] : ids,
          };
          appends.push(append);
          return model.append(append);
        });
        const outcomes = [];
        if (atOnce) outcomes.push(...(await Promise.all(appends.map(send))));
        else for (const given of appends) outcomes.push(await send(given));
        const { events } = await succeeded(opened.store.readAll(start, {}, 1_000));
        expect(idsOf(events)).to.deep.equal(model.ids());
        const actual = outcomes.map(E.map(({ revision, position }) => ({ revision, position })));
        expect(actual).to.deep.equal(
          answers.map(E.map(({ revision, place }) => ({ revision, position: events[place]?.position }))),
        );
      }),
      { numRuns: shortOrLong(25, 100) },
    )).timeout(60_000);
});
