import { rmSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect } from 'chai';
import { eventsByCategory, storedType } from '../../domain/event-catalogue.js';
import { projections } from '../../projections/projections.js';
import { arbitraryOf } from '../fuzz/codec-arbitrary.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { tables } from '../../projections/tables.js';
import { type World, openWorld, replayed, rowsOfFile, toNew } from '../projections/read-models-world.js';
import { at } from '../support/values.js';
import { succeeded } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';

/** An event of any type with plausible data, and its stream. */
interface AnyFact {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
}

const pick = <A>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values);

const text = fc.oneof(
  pick('Ada', "O'Brien", '"; DROP', 'Bo \u0000 \u2028', '人'),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const number = fc.nat(3);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);

const video_id = pick('v0', 'v1', 'v2');
const audio_id = pick('a0', 'a1');
const run_id = pick('r0', 'r1', 'r2');
const account_id = pick('o0', 'o1');
const session_id = pick('s0', 's1');

/** Few ids, so that events are about the same things. */
const values = {
  string: text,
  number,
  Finite: number,
  Accuracy: share,
  Timestamp: fc.nat(5_000).map(at),
  JsonObject: fc.dictionary(text, fc.oneof(text, share, fc.constant(null)), { maxKeys: 2 }),
  VideoId: video_id,
  AudioId: audio_id,
  FaceId: number,
  SpeakerId: number,
  RunId: run_id,
  ChargeId: run_id,
  AccountId: account_id,
  KeyId: pick('k0', 'k1', 'k2'),
  SessionId: session_id,
  InstanceId: pick('i'),
  TagKey: pick('vpm.a', 'label.b', 'user.c.d', 'survey.e'),
  TagSource: pick('importer.vpm', 'user.o0'),
  CreditsText: pick('0', '0.000001', '7.5', '1000'),
  PeriodSeconds: pick(1, 3_600),
  RetentionDays: pick(1, 36_500),
};

/** The ids of the streams that projections read, and the field of their events with the same id. */
const streams: Readonly<Record<string, readonly [field: string, ids: fc.Arbitrary<string>]>> = {
  video: ['video_id', video_id],
  audio: ['audio_id', audio_id],
  matchRun: ['run_id', run_id],
  nameInference: ['run_id', run_id],
  account: ['account_id', account_id],
  creditAccount: ['account_id', account_id],
  realtimeSession: ['session_id', session_id],
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const factsIn = (category: string) => {
  const [field, ids] = streams[category] ?? ['id', fc.constant('none')];
  return Object.entries(eventsByCategory[category] ?? {}).map(([type, codec]) => ({
    // Most events change only what is registered.
    weight: type.endsWith('Registered') ? 5 : 1,
    arbitrary: fc
      .record({ id: ids, data: arbitraryOf(codec, values).filter(isObject) })
      .map(({ id, data }): AnyFact => ({
        stream: `${category}-${id}`,
        type: storedType(type),
        data: field in data ? { ...data, [field]: id } : data,
      })),
  }));
};

/** An event of any type that projections read, in a suitable stream. */
const anyFact: fc.Arbitrary<AnyFact> = fc.oneof(
  ...[...new Set(projections.flatMap(({ categories }) => categories))].flatMap(factsIn),
);

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
