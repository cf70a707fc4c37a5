import { rmSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { EventStore } from '../../application/ports/event-store.js';
import { projections } from '../../projections/projections.js';
import { tables } from '../../projections/tables.js';
import { anyFact } from '../projections/any-facts.js';
import { type World, openWorld, replayed, rowsOfFile, toNew } from '../projections/read-models-world.js';
import { succeeded } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';

/** The store with subscriptions whose pages have the given sizes in turn. */
const inPagesOf = (store: EventStore, sizes: ReadonlyArray<number>): EventStore => ({
  ...store,
  subscribe: (after, filter, handlers) => {
    const closing = new AbortController();
    const run = async (): Promise<void> => {
      let position = after;
      for (let turn = 0; !closing.signal.aborted; turn += 1) {
        const page = await succeeded(store.readAll(position, filter, sizes[turn % sizes.length] ?? 1));
        if (page.examined === null) {
          handlers.onCaughtUp?.();
          await new Promise((resolve) => setTimeout(resolve, 1));
        } else await handlers.onPage(page);
        position = page.examined ?? position;
      }
    };
    const ended = run().catch(handlers.onFailure);
    return {
      close: () => {
        closing.abort();
        return ended;
      },
    };
  },
});

const history = fc.record({
  facts: fc.array(anyFact, { minLength: 1, maxLength: 60 }),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  restarts: fc.array(fc.nat(59), { maxLength: 3 }),
});

const rowsInMemory = async (store: EventStore): Promise<ReadonlyArray<ReadonlyArray<unknown>>> =>
  Object.values(await replayed(store)).map((table) => table.all());

const parse = (text: unknown): unknown => JSON.parse(String(text));
const onlyRows = (file: string): ReadonlyArray<ReadonlyArray<unknown>> =>
  rowsOfFile(file).map((rows) =>
    rows.map((row) => parse(typeof row === 'object' && row !== null && 'row' in row ? row.row : null)),
  );
const asJson = (value: unknown): unknown => parse(JSON.stringify(value));

/** Appends the facts while the read models follow, with restarts in between. */
const live = async (
  world: World,
  { facts, sizes, restarts }: typeof history extends fc.Arbitrary<infer H> ? H : never,
) => {
  const store = inPagesOf(world.store, sizes);
  let readModels = world.open({ store });
  for (const [index, { stream, type, data }] of facts.entries()) {
    await world.append(stream, toNew(type, data));
    if (!restarts.includes(index)) continue;
    await readModels.close();
    readModels = world.open({ store });
  }
  await world.caughtUp(readModels);
  await readModels.close();
};

describe('read models: replay', function () {
  this.timeout(120_000);

  it('has the same rows as a replay in memory, for any pages and restarts, and so has a new file', () =>
    fc.assert(
      fc.asyncProperty(history, async (events) => {
        const world = await openWorld();
        try {
          await live(world, events);
          const rows = rowsOfFile(world.file);
          expect(onlyRows(world.file)).to.deep.equal(asJson(await rowsInMemory(world.store)));
          rmSync(world.file);
          const store = inPagesOf(world.store, events.sizes);
          expect(await world.rows({ store })).to.deep.equal(rows);
        } finally {
          await world.end();
        }
      }),
      { numRuns: shortOrLong(8, 80) },
    ));

  it('has a single projection for each table', () =>
    expect(projections.flatMap(({ tables: written }) => written)).to.have.members(Object.keys(tables)));
});
