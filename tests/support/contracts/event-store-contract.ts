import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { EventStore, Checkpoints } from '../../../application/ports/event-store.js';
import { readingContract, subscribingContract } from './event-store-reading.js';
import {
  freshStream,
  idsOf,
  newEvent,
  newEvents,
  failed,
  succeeded,
  freshCategory,
  follow,
  until,
  type OpenStore,
  type OpenedStore,
} from '../event-store/stores.js';

/** Expected revisions, atomic batches, repetition by id, concurrent writers. */
const appendingContract = (store: () => EventStore): void => {
  const storedIds = async (stream: string): Promise<ReadonlyArray<string>> =>
    idsOf(await succeeded(store().read(stream, -1, 1_000)));

  it('numbers a stream from 0 and answers with the last revision and position', async () => {
    const stream = freshStream();
    expect((await succeeded(store().append(stream, 'no_stream', [newEvent()]))).revision).to.equal(0);
    const appended = await succeeded(store().append(stream, 0, newEvents(3)));
    const events = await succeeded(store().read(stream, -1, 10));
    expect(events.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3]);
    expect(appended).to.deep.equal({ revision: 3, position: events.at(-1)?.position });
  });

  it('lets only no_stream pass on an empty stream', async () => {
    const stream = freshStream();
    for (const expected of [0, 1, 7]) {
      const conflict = await failed(store().append(stream, expected, [newEvent()]));
      expect(conflict).to.deep.equal({ _tag: 'RevisionConflict', stream, expected, actual: 'no_stream' });
    }
    await succeeded(store().append(stream, 'no_stream', [newEvent()]));
  });

  it('refuses a revision below or above the actual one, keeps nothing, and returns the actual one', async () => {
    const stream = freshStream();
    await succeeded(store().append(stream, 'no_stream', newEvents(3)));
    for (const expected of ['no_stream', 0, 1, 3, 4] as const) {
      const conflict = await failed(store().append(stream, expected, newEvents(2)));
      expect(conflict).to.deep.equal({ _tag: 'RevisionConflict', stream, expected, actual: 2 });
    }
    expect(await storedIds(stream)).to.have.length(3);
  });

  it('answers the same ids at the same revision with the first result, even after later events', async () => {
    const stream = freshStream();
    const batch = newEvents(3);
    const first = await succeeded(store().append(stream, 'no_stream', batch));
    expect(await succeeded(store().append(stream, 'no_stream', batch))).to.include(first);
    await succeeded(store().append(stream, 2, newEvents(2)));
    expect(await succeeded(store().append(stream, 'no_stream', batch))).to.include(first);
    expect(await storedIds(stream)).to.have.length(5);
  });

  it('appends once if the same events are sent many times at once', async () => {
    const stream = freshStream();
    const batch = newEvents(2);
    const send = store().append(stream, 'no_stream', batch);
    const answers = await Promise.all(Array.from({ length: 10 }, () => succeeded(send)));
    expect(new Set(answers.map(({ revision, position }) => `${revision} ${position}`)).size).to.equal(1);
    expect(await storedIds(stream)).to.deep.equal(idsOf(batch));
  });

  it('refuses a batch that repeats only in part', async () => {
    const stream = freshStream();
    const batch = newEvents(2);
    await succeeded(store().append(stream, 'no_stream', batch));
    const partly = [...batch, newEvent()];
    const conflict = await failed(store().append(stream, 'no_stream', partly));
    expect(conflict).to.deep.equal({ _tag: 'RevisionConflict', stream, expected: 'no_stream', actual: 1 });
    expect(await storedIds(stream)).to.deep.equal(idsOf(batch));
  });

  it('accepts exactly one of 50 concurrent appends at the same revision', async () => {
    const stream = freshStream();
    await succeeded(store().append(stream, 'no_stream', [newEvent()]));
    const racers = Array.from({ length: 50 }, () => newEvents(2));
    const outcomes = await Promise.all(racers.map((batch) => store().append(stream, 0, batch)()));
    const winners = racers.filter((_, index) => outcomes[index] !== undefined && E.isRight(outcomes[index]));
    expect(winners).to.have.length(1);
    outcomes
      .filter(E.isLeft)
      .forEach(({ left }) => expect(left).to.deep.equal({ _tag: 'RevisionConflict', stream, expected: 0, actual: 2 }));
    expect((await storedIds(stream)).slice(1)).to.deep.equal(winners.flatMap(idsOf));
  });

  it('answers 600 appends that are sent at once', async () => {
    const streams = Array.from({ length: 600 }, () => freshStream());
    const batches = streams.map(() => newEvents(2, { data: { text: 'x'.repeat(10_000) } }));
    const answers = await Promise.all(
      streams.map((stream, index) => succeeded(store().append(stream, 'no_stream', batches[index] ?? []))),
    );
    expect(answers.map(({ revision }) => revision)).to.deep.equal(streams.map(() => 1));
    expect(new Set(answers.map(({ position }) => position)).size).to.equal(600);
  }).timeout(120_000);

  it('never fails an append because of the conflict of another', async () => {
    const [taken, free] = [freshStream(), freshStream()];
    await succeeded(store().append(taken, 'no_stream', [newEvent()]));
    const outcomes = await Promise.all([
      store().append(free, 'no_stream', newEvents(2))(),
      store().append(taken, 'no_stream', newEvents(2))(),
      store().append(free, 1, newEvents(2))(),
    ]);
    expect(outcomes.map(E.isRight)).to.deep.equal([true, false, true]);
    expect(await storedIds(free)).to.have.length(4);
  });
};

const position = (row: number): string => String(row).padStart(16, '0');

/** Checkpoints: one for each process, which never goes back. */
const checkpointsContract = (checkpoints: () => Checkpoints | undefined): void => {
  it('keeps the greatest position saved for each process', async function () {
    const kept = checkpoints();
    if (kept === undefined) {
      this.skip();
      return;
    }
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await succeeded(kept.load(one))).to.equal(null);
    await succeeded(kept.save(one, position(7)));
    await succeeded(kept.save(other, position(2)));
    await succeeded(kept.save(one, position(12)));
    await succeeded(kept.save(one, position(9)));
    expect(await succeeded(kept.load(one))).to.equal(position(12));
    expect(await succeeded(kept.load(other))).to.equal(position(2));
  });
};

/** Answers of a closed store, and the content of a store that is opened again. */
const closingContract = (open: OpenStore): void => {
  it('answers everything with StoreUnavailable, and never throws', async () => {
    const { store, close } = await open();
    await close();
    const failures = [
      await failed(store.append(freshStream(), 'no_stream', [newEvent()])),
      await failed(store.read(freshStream(), -1, 1)),
      await failed(store.readAll(null, {}, 1)),
      await failed(store.head()),
    ];
    const follower = follow(store, null, {});
    await until('the failure', () => follower.failures.length > 0);
    await follower.close();
    expect([...failures, ...follower.failures]).to.satisfy((all: ReadonlyArray<{ readonly _tag: string }>) =>
      all.every(({ _tag }) => _tag === 'StoreUnavailable'),
    );
    await close();
  });

  it('waits for handlers that still append', async () => {
    const { store, close } = await open();
    const category = freshCategory();
    const reaction = freshStream();
    await succeeded(store.append(freshStream(category), 'no_stream', [newEvent()]));
    const outcomes: boolean[] = [];
    const follower = follow(store, null, { categories: [category] }, async ({ events }) => {
      await setTimeout(20);
      if (events.length > 0) outcomes.push(E.isRight(await store.append(reaction, 'no_stream', newEvents(2))()));
    });
    await follower.received(1);
    await close();
    expect(outcomes).to.deep.equal([true]);
    expect(follower.failures).to.deep.equal([]);
  });

  it('answers all earlier calls', async () => {
    const { store, close } = await open();
    const sent = Array.from({ length: 20 }, () => store.append(freshStream(), 'no_stream', newEvents(2))());
    await close();
    expect((await Promise.all(sent)).every(E.isRight)).to.equal(true);
  });

  it('keeps everything when it is opened again', async function () {
    const opened = await open();
    if (opened.reopen === undefined) {
      await opened.close();
      this.skip();
      return;
    }
    const stream = freshStream();
    const batch = newEvents(3);
    const first = await succeeded(opened.store.append(stream, 'no_stream', batch));
    const { store, close } = await opened.reopen();
    expect(idsOf(await succeeded(store.read(stream, -1, 10)))).to.deep.equal(idsOf(batch));
    expect(await succeeded(store.append(stream, 'no_stream', batch))).to.include(first);
    const next = await succeeded(store.append(stream, 2, [newEvent()]));
    expect(next.position > first.position).to.equal(true);
    await close();
  });
};

/** What every implementation of the port must do. The log behind it may be shared and need not be empty. */
export const eventStoreContract = (open: OpenStore): void => {
  let opened: OpenedStore;
  before(async () => {
    opened = await open();
  });
  after(() => opened.close());
  const store = (): EventStore => opened.store;
  describe('append', () => appendingContract(store));
  describe('read', () => readingContract(store));
  describe('subscribe', () => subscribingContract(store));
  describe('checkpoints', () => checkpointsContract(() => opened.checkpoints));
  describe('close', () => closingContract(open));
};
