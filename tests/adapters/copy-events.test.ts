import { join } from 'node:path';
import { expect } from 'chai';
import { copyEvents } from '../../adapters/composition/events-command.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { StoredEvent } from '../../application/ports/event-store.js';
import { type TestServer, startTestServer } from '../support/event-store/eventstoredb-server.js';
import { freshStream, newEvent, newEvents, succeeded, temporaryFolder } from '../support/event-store/stores.js';

const quietly = (): void => undefined;

describe('copying a log', function () {
  this.timeout(60_000);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: TestServer;
  const file = (name: string): string => join(folder.path, name);
  const streams = Array.from({ length: 12 }, () => freshStream());

  before(async () => {
    folder = await temporaryFolder();
    server = await startTestServer();
    const { store, close } = openSqliteEventStore({ file: file('source.db') });
    for (let round = 0; round < 4; round += 1)
      for (const stream of streams) {
        const batch = newEvents(3, { data: { text: `ü😀 ${round}`, nested: { b: 1, a: [null, 1.5] } } });
        await succeeded(store.append(stream, round === 0 ? 'no_stream' : round * 3 - 1, batch));
      }
    await succeeded(store.append(freshStream(), 'no_stream', newEvents(50)));
    await close();
  });
  after(async () => {
    await server.stop();
    await folder.remove();
  });

  const contentOf = async (name: string): Promise<ReadonlyArray<Omit<StoredEvent, 'position'>>> => {
    const { store, close } = openSqliteEventStore({ file: file(name) });
    const { events } = await succeeded(store.readAll(null, {}, 100_000));
    await close();
    return events.map(({ position: _position, ...event }) => event);
  };

  it('copies every event to an EventStoreDB and back unchanged', async () => {
    const there = await copyEvents(file('source.db'), server.url, quietly);
    expect(there).to.deep.equal({ copied: 194, found: 0, events: 194 });
    await copyEvents(server.url, file('back.db'), quietly);
    expect(await contentOf('back.db')).to.deep.equal(await contentOf('source.db'));
  });

  it('copies the checkpoints of processes, and none beyond the copied events', async () => {
    const { store, checkpoints, close } = openSqliteEventStore({ file: file('source.db') });
    const { events } = await succeeded(store.readAll(null, {}, 100_000));
    const done = events[100];
    if (done === undefined) throw new Error('the log is too short');
    await succeeded(checkpoints.save('follow-ups', done.position));
    await succeeded(checkpoints.save('match-worker', events.at(-1)?.position ?? ''));
    await close();
    const kept = async (name: string) => {
      const copy = openSqliteEventStore({ file: file(name) });
      const page = await succeeded(copy.store.readAll(null, {}, 100_000));
      const upTo = async (process: string) => {
        const position = await succeeded(copy.checkpoints.load(process));
        return page.events.filter((event) => event.position <= (position ?? '')).length;
      };
      const counts = [await upTo('follow-ups'), await upTo('match-worker'), await upTo('overdue-inferences')];
      await copy.close();
      return counts;
    };
    const elsewhere = await startTestServer();
    await copyEvents(file('source.db'), elsewhere.url, quietly);
    await copyEvents(elsewhere.url, file('carried.db'), quietly);
    expect(await kept('carried.db')).to.deep.equal([101, 194, 0]);
    await elsewhere.stop();
  });

  it('continues where it was interrupted', async () => {
    const breakOff = (): never => {
      throw new Error('broken off');
    };
    let copied = 0;
    const broken = copyEvents(file('source.db'), file('resumed.db'), (progress) => {
      copied = progress.copied;
      if (copied > 100) breakOff();
    });
    expect(await broken.catch(({ message }: Error) => message)).to.equal('broken off');
    const rest = await copyEvents(file('source.db'), file('resumed.db'), quietly);
    expect(rest).to.include({ found: copied, copied: 194 - copied, events: 194 });
    expect(await contentOf('resumed.db')).to.deep.equal(await contentOf('source.db'));
  });

  it('refuses a target with other content, and does not change it', async () => {
    const { store, close } = openSqliteEventStore({ file: file('other.db') });
    await succeeded(store.append(freshStream(), 'no_stream', [newEvent()]));
    await close();
    const refused = await copyEvents(file('source.db'), file('other.db'), quietly).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error).and.to.have.property('message').that.includes('not a copy of the source');
    expect(await contentOf('other.db')).to.have.length(1);
  });
});
