import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { EventFilter, EventStore, Page, StoredEvent } from '../../../application/ports/event-store.js';
import { JsonObject } from '../../../domain/kernel/recorded-event.js';
import { withoutHash } from '../../../projections/audit/event-hash.js';
import {
  freshCategory,
  freshStream,
  idsOf,
  newEvent,
  newEvents,
  succeeded,
  follow,
  until,
} from '../event-store/stores.js';

/** A store may add a hash to the metadata. */
const withoutAddedHash = (stored: StoredEvent): StoredEvent => ({ ...stored, metadata: withoutHash(stored.metadata) });

/** Reading a stream and the whole log: order, pages, filters, and JSON as it was written. */
export const readingContract = (store: () => EventStore): void => {
  const readEverything = async (filter: EventFilter, limit: number): Promise<ReadonlyArray<StoredEvent>> => {
    const events: StoredEvent[] = [];
    for (let after: string | null = null; ;) {
      const page: Page = await succeeded(store().readAll(after, filter, limit));
      expect(page.events.length).to.be.at.most(limit);
      events.push(...page.events);
      if (page.examined === null) return events;
      if (after !== null) expect(page.examined > after).to.equal(true);
      after = page.examined;
    }
  };

  it('returns the events of a stream after a revision, up to the limit', async () => {
    const stream = freshStream();
    const batch = newEvents(10);
    await succeeded(store().append(stream, 'no_stream', batch));
    const readIds = async (after: number, limit: number): Promise<ReadonlyArray<string>> =>
      idsOf(await succeeded(store().read(stream, after, limit)));
    expect(await readIds(-1, 100)).to.deep.equal(idsOf(batch));
    expect(await readIds(-1, 4)).to.deep.equal(idsOf(batch.slice(0, 4)));
    expect(await readIds(3, 4)).to.deep.equal(idsOf(batch.slice(4, 8)));
    expect(await readIds(9, 4)).to.deep.equal([]);
    expect(await succeeded(store().read(freshStream(), -1, 10))).to.deep.equal([]);
  });

  it('returns fewer events if they exceed the limit of bytes, but at least one', async () => {
    const stream = freshStream();
    const lengths = [
      ...Array.from({ length: 30 }, () => 1_000),
      20_000,
      10,
      30_000,
      ...Array.from({ length: 40 }, () => 1),
    ];
    const batch = lengths.map((length) => newEvent({ data: { text: 'x'.repeat(length) } }));
    await succeeded(store().append(stream, 'no_stream', batch));
    const mostBytes = 8_000;
    const found: StoredEvent[] = [];
    for (;;) {
      const page = await succeeded(store().read(stream, found.at(-1)?.revision ?? -1, 50, mostBytes));
      if (page.length === 0) break;
      if (page.length > 1) expect(JSON.stringify(page.map(({ data }) => data)).length).to.be.at.most(mostBytes + 100);
      found.push(...page);
    }
    expect(idsOf(found)).to.deep.equal(idsOf(batch));
  });

  it('reads its positions with and without leading zeros, and no other text', async () => {
    const { position } = await succeeded(store().append(freshStream(), 'no_stream', newEvents(1)));
    for (const given of [position, position.replace(/^0+/, ''), `000${position}`])
      expect(store().positionIn(given), given).to.equal(position);
    for (const other of ['', ' ', 'x', `1${position}`, ` ${position}`, `-${position.slice(1)}`, `${position}\n`])
      expect(store().positionIn(other), other).to.equal(null);
  });

  it('returns every part of an event', async () => {
    const stream = freshStream();
    const event = newEvent({ type: 'Gedächtnis_🧠.v2', data: { z: [1, { b: null, a: 'ü€😀' }], a: 1.5e-7 } });
    const { position } = await succeeded(store().append(stream, 'no_stream', [event]));
    const [stored] = await succeeded(store().read(stream, -1, 1));
    expect(stored && withoutAddedHash(stored)).to.deep.equal({ ...event, stream, revision: 0, position });
    expect(JSON.stringify(stored?.data)).to.equal(JSON.stringify(event.data));
  });

  it('returns any JSON unchanged', async () => {
    const json: fc.Arbitrary<unknown> = fc.dictionary(
      fc.string({ unit: 'binary' }),
      fc.jsonValue({ stringUnit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(
        json.filter((value) => JsonObject.is(value)),
        async (data) => {
          const stream = freshStream();
          await succeeded(store().append(stream, 'no_stream', [newEvent({ data, metadata: data })]));
          const [stored] = await succeeded(store().read(stream, -1, 1));
          expect(JSON.stringify([stored?.data, withoutHash(stored?.metadata ?? null)])).to.equal(
            JSON.stringify([data, data]),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('stores an event of nearly 1 MiB', async () => {
    const stream = freshStream();
    const data = { text: 'é😀x'.repeat(149_000) };
    await succeeded(store().append(stream, 'no_stream', [newEvent({ data })]));
    const [stored] = await succeeded(store().read(stream, -1, 1));
    expect(JSON.stringify(stored?.data) === JSON.stringify(data)).to.equal(true);
  });

  it('returns all streams in the order of their appends, page by page', async () => {
    const category = freshCategory();
    const streams = Array.from({ length: 4 }, () => freshStream(category));
    const appended: string[] = [];
    for (let round = 0; round < 6; round += 1)
      for (const stream of streams) {
        const batch = newEvents(2);
        await succeeded(store().append(stream, round === 0 ? 'no_stream' : round * 2 - 1, batch));
        appended.push(...idsOf(batch));
      }
    for (const limit of [1, 5, 1_000]) {
      const events = await readEverything({ categories: [category] }, limit);
      expect(idsOf(events)).to.deep.equal(appended);
      events.slice(1).forEach(({ position }, index) => expect(position > (events[index]?.position ?? '~')).to.be.true);
    }
  });

  it('starts after the position given', async () => {
    const before = await succeeded(store().head());
    const batch = newEvents(3);
    const { position } = await succeeded(store().append(freshStream(), 'no_stream', batch));
    const page = await succeeded(store().readAll(before, {}, 10));
    expect(idsOf(page.events)).to.deep.equal(idsOf(batch));
    expect(page.examined).to.equal(position);
    expect(idsOf((await succeeded(store().readAll(before, {}, 2))).events)).to.deep.equal(idsOf(batch.slice(0, 2)));
  });

  it('filters by category, by type and by both', async () => {
    const [one, other] = [freshCategory(), freshCategory()];
    const types = ['Begun.v1', 'Begun.v2', 'Ended.v1'];
    for (const category of [one, other, `${one}More`])
      await succeeded(
        store().append(
          freshStream(category),
          'no_stream',
          types.map((type) => newEvent({ type: `${one}${type}` })),
        ),
      );
    const found = async (filter: EventFilter): Promise<ReadonlyArray<string>> =>
      (await readEverything(filter, 2)).map(({ stream, type }) => `${stream.split('-')[0]} ${type.slice(one.length)}`);
    const type = (name: string): string => `${one}${name}`;
    expect(await found({ categories: [one] })).to.deep.equal(types.map((name) => `${one} ${name}`));
    expect(await found({ categories: [other, one, one], types: [type('Ended.v1'), type('Begun.v2')] })).to.deep.equal([
      `${one} Begun.v2`,
      `${one} Ended.v1`,
      `${other} Begun.v2`,
      `${other} Ended.v1`,
    ]);
    expect(await found({ types: [type('Begun.v1'), type('Begun.v1')] })).to.have.length(3);
    expect(await found({ types: [type('Begun')] })).to.deep.equal([]);
    expect(await found({ categories: [] })).to.deep.equal([]);
  });

  it('reports how far it examined the log if nothing passes the filter', async () => {
    const before = await succeeded(store().head());
    const { position } = await succeeded(store().append(freshStream(), 'no_stream', newEvents(5)));
    const page = await succeeded(store().readAll(before, { categories: [freshCategory()] }, 10));
    expect(page).to.deep.equal({ events: [], examined: position });
  });

  it('reports the end of the log', async () => {
    const { position } = await succeeded(store().append(freshStream(), 'no_stream', [newEvent()]));
    expect(await succeeded(store().head())).to.equal(position);
    expect(await succeeded(store().readAll(position, {}, 10))).to.deep.equal({ events: [], examined: null });
    expect(await succeeded(store().readAll(position, { types: ['None.v1'] }, 10))).to.deep.equal({
      events: [],
      examined: null,
    });
  });

  it('reads the event at a position', async () => {
    const stream = freshStream();
    await succeeded(store().append(stream, 'no_stream', newEvents(3)));
    const [first, second] = await succeeded(store().read(stream, -1, 2));
    for (const event of [first, second])
      expect(await succeeded(store().at(event?.position ?? ''))).to.deep.equal(event);
    const beyond = '9'.repeat(second?.position.length ?? 0).replace(/^9/, '0');
    for (const none of [beyond, 'no position']) expect(await succeeded(store().at(none))).to.equal(null);
  });
};

/** Subscriptions: each event once and in order, at the pace of the handler, until closed or failed. */
export const subscribingContract = (store: () => EventStore): void => {
  it('delivers existing events from the first on, then reports that it has caught up', async () => {
    const category = freshCategory();
    const batch = newEvents(5);
    await succeeded(store().append(freshStream(category), 'no_stream', batch));
    const follower = follow(store(), null, { categories: [category] });
    await until('caught up', () => follower.caughtUp() > 0);
    expect(idsOf(follower.events)).to.deep.equal(idsOf(batch));
    await follower.close();
  });

  it('delivers new events as they are appended, each page with its last examined position', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    const follower = follow(store(), await succeeded(store().head()), { categories: [category] });
    for (let revision = 0; revision < 5; revision += 1) {
      const { position } = await succeeded(
        store().append(stream, revision === 0 ? 'no_stream' : revision - 1, [newEvent()]),
      );
      await follower.received(revision + 1);
      expect((follower.pages.at(-1)?.examined ?? '') >= position).to.equal(true);
    }
    expect(follower.events.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3, 4]);
    await follower.close();
  });

  it('delivers without omissions or repetitions while 8 writers append', async () => {
    const categories = [freshCategory(), freshCategory()];
    const streams = Array.from({ length: 8 }, (_, index) => freshStream(categories[index % 2]));
    const start = await succeeded(store().head());
    const write = async (stream: string): Promise<void> => {
      for (let round = 0; round < 40; round += 1)
        await succeeded(store().append(stream, round === 0 ? 'no_stream' : round * 3 - 1, newEvents(3)));
    };
    const early = follow(store(), start, { categories });
    const writing = Promise.all(streams.map(write));
    await early.received(50);
    const late = follow(store(), early.events[20]?.position ?? null, { categories });
    const half = follow(store(), null, { categories: categories.slice(0, 1), types: ['SomethingHappened.v1'] });
    await writing;
    await Promise.all([early.received(960), late.received(939), half.received(480)]);
    const { events: all } = await succeeded(store().readAll(start, { categories }, 2_000));
    expect(all).to.have.length(960);
    expect(idsOf(early.events)).to.deep.equal(idsOf(all));
    expect(idsOf(late.events)).to.deep.equal(idsOf(all.slice(21)));
    expect(idsOf(half.events)).to.deep.equal(idsOf(all.filter(({ stream }) => stream.startsWith(`${categories[0]}-`))));
    await Promise.all([early, late, half].map(({ close }) => close()));
  });

  it('waits for a slow handler and never calls it concurrently', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    let running = 0;
    let most = 0;
    const follower = follow(store(), await succeeded(store().head()), { categories: [category] }, async () => {
      running += 1;
      most = Math.max(most, running);
      await setTimeout(5);
      running -= 1;
    });
    for (let revision = 0; revision < 40; revision += 1)
      await succeeded(store().append(stream, revision === 0 ? 'no_stream' : revision - 1, [newEvent()]));
    await follower.received(40);
    expect(follower.events.map(({ revision }) => revision)).to.deep.equal(Array.from({ length: 40 }, (_, n) => n));
    expect(most).to.equal(1);
    await follower.close();
  });

  it('ends with a failure when its handler rejects', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    await succeeded(store().append(stream, 'no_stream', [newEvent()]));
    const reason = new Error('the handler fails');
    const follower = follow(store(), null, { categories: [category] }, ({ events }) =>
      events.length > 0 ? Promise.reject(reason) : Promise.resolve(),
    );
    await until('the failure', () => follower.failures.length > 0);
    await succeeded(store().append(stream, 0, [newEvent()]));
    await setTimeout(30);
    expect(follower.failures).to.deep.equal([reason]);
    expect(follower.events).to.have.length(1);
    await follower.close();
  });

  it('is closed only when no handler runs, and calls none afterwards', async () => {
    const category = freshCategory();
    const stream = freshStream(category);
    await succeeded(store().append(stream, 'no_stream', [newEvent()]));
    let handled = false;
    const follower = follow(store(), null, { categories: [category] }, async ({ events }) => {
      await setTimeout(30);
      handled = events.length > 0;
    });
    await follower.received(1);
    await follower.close();
    expect(handled).to.equal(true);
    await succeeded(store().append(stream, 0, [newEvent()]));
    await setTimeout(30);
    expect(follower.events).to.have.length(1);
    expect(follower.failures).to.deep.equal([]);
    await follower.close();
  });

  it('may be closed by its own handlers', async () => {
    const filter = { categories: [freshCategory()] };
    const closedWhenCaughtUp = new Promise<void>((resolve) => {
      const subscription = store().subscribe(null, filter, {
        onPage: () => Promise.resolve(),
        onCaughtUp: () => void subscription.close().then(resolve),
        onFailure: () => undefined,
      });
    });
    const closedByPage = new Promise<void>((resolve) => {
      const subscription = store().subscribe(
        null,
        {},
        {
          onPage: () => {
            void subscription.close().then(resolve);
            return Promise.resolve();
          },
          onFailure: () => undefined,
        },
      );
    });
    await Promise.all([closedWhenCaughtUp, closedByPage]);
  });
};
