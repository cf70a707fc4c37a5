import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as fc from 'fast-check';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import { systemIds } from '../../adapters/runtime/ids.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { verifyLog } from '../../application/audit/verify-log.js';
import type { EventStore, ExpectedRevision, NewEvent } from '../../application/ports/event-store.js';
import { addressOf, startTestServer } from '../support/event-store/eventstoredb-server.js';
import { newEvent, succeeded, until, recordingLog, silentLog, temporaryFolder } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';

interface Opened {
  readonly store: EventStore;
  readonly close: () => Promise<void>;
}

/** Two instances on one log, and an older one that adds no hashes. */
const openAll = async (open: (keepsHashes: boolean) => Opened, remove: () => Promise<void>) => {
  const [one, other, old] = [open(false), open(false), open(true)] as const;
  return {
    stores: [one.store, other.store] as const,
    old: old.store,
    end: async () => {
      await Promise.all([one, other, old].map(({ close }) => close()));
      await remove();
    },
  };
};

const inFile = async () => {
  const { path, remove } = await temporaryFolder();
  return openAll((keepsHashes) => openSqliteEventStore({ file: join(path, 'events.db'), keepsHashes }), remove);
};

const onServer = async () => {
  const server = await startTestServer({ version: '26' });
  const address = addressOf(server.url);
  return openAll((keepsHashes) => openEventStoreDb(address, silentLog, { keepsHashes }), server.stop);
};

const expectWhole = async (store: EventStore): Promise<void> => {
  const { faults, unhashed } = await verifyLog(store);
  expect(faults).to.deep.equal([]);
  expect(unhashed).to.equal(0);
};

/** Appends like a command handler: the next before the last is durable, and repetitions with other metadata. */
const step = fc.record({
  instance: fc.nat(1),
  stream: fc.nat(1),
  /** The distance from the end of the stream as the instance knows it. */
  off: fc.constantFrom(0, 0, 0, 0, -1, 1),
  count: fc.integer({ min: 1, max: 3 }),
  repeats: fc.constantFrom(false, false, true),
  /** Whether the ids are made for this append alone: those are never repeated. */
  own: fc.boolean(),
  waits: fc.boolean(),
});

interface Sent {
  readonly expected: ExpectedRevision;
  readonly ids: ReadonlyArray<string>;
  readonly own: boolean;
}

const again = ({ ids }: Sent): ReadonlyArray<NewEvent> =>
  ids.map((id) => newEvent({ id, metadata: { recorded_at: randomUUID() } }));

const newIds = (count: number, own: boolean): ReadonlyArray<string> =>
  Array.from({ length: count }, () => (own ? systemIds.random() : randomUUID()));

const toExpected = (revision: number): ExpectedRevision => (revision < 0 ? 'no_stream' : revision);

const hashChainContract = (open: typeof inFile): void => {
  it('ignores events that clients of the endpoint appended, and finds events of this service without a hash', async () => {
    const {
      stores: [store],
      old,
      end,
    } = await open();
    // A hash that an event has already is replaced.
    await succeeded(store.append('video-1', 'no_stream', [newEvent({ metadata: { hash: 'x', a: 1 } })]));
    await succeeded(old.append('external-notes', 'no_stream', [newEvent()]));
    await succeeded(old.append('$persistentSubscriptionConfig', 'no_stream', [newEvent()]));
    await expectWhole(store);
    await succeeded(old.append('video-2', 'no_stream', [newEvent()]));
    expect((await verifyLog(store)).faults.map(({ kind, stream }) => [kind, stream])).to.deep.equal([
      ['hash_missing', 'video-2'],
    ]);
    await end();
  });

  it('stays valid, whatever two instances append at once', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { stores, end } = await open();
        try {
          const believed = new Map<string, number>();
          const sent = new Map<string, Sent>();
          const running: Array<Promise<unknown>> = [];
          for (const { instance, stream, off, count, repeats, own, waits } of steps) {
            const [name, key] = [`thing-${stream}`, `${instance} ${stream}`];
            const last = sent.get(name);
            const revision = (believed.get(key) ?? -1) + off;
            const append: Sent =
              repeats && last?.own === false ? last : { expected: toExpected(revision), own, ids: newIds(count, own) };
            sent.set(name, append);
            if (append !== last) believed.set(key, Math.max(revision, -1) + count);
            const answer = stores[instance]?.append(name, append.expected, again(append))();
            running.push(
              Promise.resolve(answer).then((found) => {
                if (found === undefined || E.isRight(found) || found.left._tag !== 'RevisionConflict') return;
                const { actual } = found.left;
                believed.set(key, actual === 'no_stream' ? -1 : actual);
              }),
            );
            if (waits) await Promise.all(running);
          }
          await Promise.all(running);
          await expectWhole(stores[0]);
        } finally {
          await end();
        }
      }),
      { numRuns: shortOrLong(15, 60) },
    ));
};

Object.entries({ sqlite: inFile, EventStoreDB: onServer }).forEach(([name, open]) =>
  describe(`the hash chain: ${name}`, function () {
    this.timeout(120_000);
    hashChainContract(open);
  }),
);

describe('the hash chain of an EventStoreDB', function () {
  this.timeout(60_000);

  it('stays valid when the log is replaced by an older copy of it', async () => {
    const { path, remove } = await temporaryFolder();
    const [file, copy] = [join(path, 'events.db'), join(path, 'copy.db')];
    const own = () => newEvent({ id: systemIds.random() });
    const first = await startTestServer({ file });
    const { log, lines } = recordingLog();
    const { store, close } = openEventStoreDb(addressOf(`${first.url}&defaultDeadline=500`), log);
    const untilBack = (times: number) =>
      until('the server is back', () => lines.filter((line) => line.includes('is back')).length >= times);
    await succeeded(store.append('thing-1', 'no_stream', [own()]));
    await first.stop();
    expect(E.isLeft(await store.head()())).to.equal(true);
    await copyFile(file, copy);
    const newer = await startTestServer({ file, port: first.port });
    await untilBack(1);
    await succeeded(store.append('thing-1', 0, [own()]));
    await newer.stop();
    expect(E.isLeft(await store.head()())).to.equal(true);
    const older = await startTestServer({ file: copy, port: first.port });
    await untilBack(2);
    const another = openEventStoreDb(addressOf(older.url), silentLog);
    await succeeded(another.store.append('thing-1', 0, [own()]));
    await succeeded(store.append('thing-1', 1, [own()]));
    await expectWhole(store);
    await Promise.all([another.close(), close()]);
    await older.stop();
    await remove();
  });
});

describe('a log that fails to be read beyond its second event', () => {
  it('is verified up to it, with progress, and has broken storage, which is reported once', async () => {
    const { stores, end } = await inFile();
    const [store] = stores;
    await succeeded(store.append('video-1', 'no_stream', [newEvent(), newEvent(), newEvent()]));
    const broken = TE.left({ _tag: 'StoreUnavailable' as const, reason: 'no page' });
    const readAll: EventStore['readAll'] = (after, filter, limit) =>
      Number(after) + limit > 2 ? broken : store.readAll(after, filter, limit);
    const progress: unknown[] = [];
    const { faults, is_whole } = await verifyLog({ ...store, readAll }, [], ({ events, share }) =>
      progress.push([events, share]),
    );
    const messages = faults.map(({ kind, message }) => [kind, message]);
    expect(messages).to.deep.equal([['broken_storage', 'the log cannot be read beyond position #2: no page']]);
    expect([is_whole, progress]).to.deep.equal([
      false,
      [
        [1, 1 / 3],
        [2, 2 / 3],
      ],
    ]);
    await end();
  });
});
