import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { type EventStoreDb, openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import type { EventFilter, StoredEvent } from '../../../application/ports/event-store.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { type ServerProcess, startServerProcess } from '../../support/event-store/eventstoredb-process.js';
import { freshCategory, freshStream, idsOf, newEvent, newEvents } from '../../support/event-store/events.js';
import { succeeded, until } from '../../support/event-store/outcomes.js';
import { silentLog } from '../../support/event-store/silent-log.js';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';

describe('work shared through persistent subscriptions', function () {
  this.timeout(60_000);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServerProcess;
  let one: EventStoreDb;
  let other: EventStoreDb;
  const file = (): string => `${folder.path}/events.db`;

  before(async () => {
    folder = await temporaryFolder();
    server = await startServerProcess({ file: file() });
    [one, other] = [
      openEventStoreDb(addressOf(server.url), silentLog),
      openEventStoreDb(addressOf(server.url), silentLog),
    ];
  });
  after(async () => {
    await Promise.all([one.close(), other.close()]);
    await server.kill();
    await folder.remove();
  });

  const takePart = (
    { work }: EventStoreDb,
    filter: EventFilter,
    concurrency: number,
    onEvent: (event: StoredEvent) => Promise<void> = () => Promise.resolve(),
  ) => {
    const done: StoredEvent[] = [];
    const failures: unknown[] = [];
    let running = 0;
    let most = 0;
    const { close } = work.takePart('tests', filter, concurrency, {
      onEvent: async (event) => {
        running += 1;
        most = Math.max(most, running);
        await onEvent(event).finally(() => (running -= 1));
        done.push(event);
      },
      onFailure: (failure) => failures.push(failure),
    });
    return { done, failures, most: () => most, close };
  };
  const append = async (category: string, count: number): Promise<ReadonlyArray<string>> => {
    const events = newEvents(count);
    await succeeded(one.store.append(freshStream(category), 'no_stream', events));
    return idsOf(events);
  };

  it('delivers each event that passes the filter to one of two, both existing and new ones', async () => {
    const category = freshCategory();
    const before = await append(category, 30);
    await append(freshCategory(), 5);
    const parts = [one, other].map((store) => takePart(store, { categories: [category] }, 4, () => setTimeout(5)));
    const later = await append(category, 30);
    const all = () => parts.flatMap(({ done }) => idsOf(done));
    await until('all done', () => all().length >= 60);
    expect(all()).to.have.members([...before, ...later]);
    parts.forEach(({ done, most }) => {
      expect(done).not.to.deep.equal([]);
      expect(most()).to.be.within(1, 4);
    });
    await Promise.all(parts.map(({ close }) => close()));
  });

  it('starts where everything before is known to be done, by the process or by its sweep', async () => {
    for (const checkpoint of ['tests', 'sweep-tests']) {
      const category = freshCategory();
      await append(category, 5);
      await succeeded(one.checkpoints.save(checkpoint, (await succeeded(one.store.head())) ?? ''));
      const later = await append(category, 5);
      const part = takePart(other, { categories: [category] }, 1);
      await until('all done', () => idsOf(part.done).includes(later.at(-1) ?? ''));
      // The event at the checkpoint itself may be delivered again.
      expect(idsOf(part.done).slice(-5)).to.deep.equal(later);
      expect(part.done.length).to.be.lessThan(7);
      await part.close();
    }
  });

  it('gives what one leaves unfinished to the other', async () => {
    const category = freshCategory();
    const ids = await append(category, 6);
    const stuck = takePart(one, { categories: [category] }, 1, () => Promise.reject(new Error('cannot')));
    await until('it has stopped', () => stuck.failures.length > 0);
    const able = takePart(other, { categories: [category] }, 1);
    await until('all done', () => able.done.length >= 6);
    expect(new Set(idsOf(able.done))).to.deep.equal(new Set(ids));
    expect(stuck.failures.map(String)).to.deep.equal(['Error: cannot']);
    await Promise.all([stuck.close(), able.close()]);
  });

  it('delivers one event at a time, in order, if requested', async () => {
    const category = freshCategory();
    const ids = await append(category, 40);
    const part = takePart(one, { categories: [category] }, 1, () => setTimeout(1));
    await until('all done', () => part.done.length >= 40);
    expect(idsOf(part.done)).to.deep.equal(ids);
    expect(part.most()).to.equal(1);
    await part.close();
  });

  it('continues after the server was killed and restarted, and repeats at most unacknowledged events', async () => {
    const filter = { types: [`Worked${freshCategory()}.v1`] };
    const [type = ''] = filter.types;
    const parts = [one, other].map((store) => takePart(store, filter, 2, () => setTimeout(2)));
    const appended: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const event = newEvent({ type });
      await succeeded(one.store.append(freshStream(), 'no_stream', [event]));
      appended.push(event.id);
      if (turn !== 20) continue;
      await server.kill();
      server = await startServerProcess({ file: file(), port: server.port });
      while (E.isLeft(await one.store.head()())) await setTimeout(20);
    }
    const done = () => new Set(parts.flatMap((part) => idsOf(part.done)));
    await until('all done', () => done().size >= appended.length, 30_000);
    expect([...done()]).to.have.members(appended);
    expect(parts.flatMap(({ failures }) => failures)).to.deep.equal([]);
    await Promise.all(parts.map(({ close }) => close()));
  });
});
