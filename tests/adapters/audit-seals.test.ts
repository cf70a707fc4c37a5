import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { copyEvents } from '../../adapters/composition/copy-events.js';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { type StoredSeal, sealStream, scanAll, verifyLog, sealLog } from '../../application/audit/verify-log.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { createLogScan, createSealedPart } from '../../projections/audit/scan-log.js';
import { eventHash, hashOf } from '../../projections/audit/event-hash.js';
import { world } from '../support/application/world.js';
import { faultsOf, tampered } from '../support/audit/tampered-log.js';
import { addressOf } from '../support/event-store/address-of.js';
import { type TestServer, startTestServer } from '../support/event-store/eventstoredb-server.js';
import { newEvent, newEvents } from '../support/event-store/events.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { silentLog } from '../support/event-store/silent-log.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

const quietly = (): void => undefined;
const serverRecord = newEvent({ type: '$metadata', data: { $maxCount: 7 } });

const sealOf = async (store: EventStore): Promise<StoredSeal> => {
  const { ids, clock } = world(store, randomUUID()).app;
  const sealed = await sealLog({ store, ids, clock });
  if (E.isLeft(sealed)) throw new Error(JSON.stringify(sealed.left));
  return sealed.right;
};

/** A seal of version 1: over every row and its position. */
const sealOfVersionOne = async (store: EventStore) => {
  const part = createSealedPart('rows', []);
  const { events } = await succeeded(store.readAll(null, {}, 1_000));
  for (const event of events) part.take(event, hashOf(event) ?? eventHash(event, null));
  const { covers: _covers, ...sealed } = part.seal() ?? { covers: null };
  const at = '2026-01-01T12:00:00.000Z';
  const by = { actor: { key_id: 'audit-seal', account_id: 'admin' }, correlation_id: 'r', causation_id: 'c' };
  const metadata = { ...by, schema_version: 1, recorded_at: at };
  return newEvent({ type: 'LogSealed.v1', data: { ...sealed, at }, metadata });
};

describe('seals', function () {
  this.timeout(60_000);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let servers: TestServer[];
  beforeEach(async () => {
    folder = await temporaryFolder();
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await folder.remove();
  });

  const file = (name: string): string => join(folder.path, name);
  const inFile = async <Result>(
    name: string,
    work: (store: EventStore, unhashed: EventStore) => Promise<Result>,
  ): Promise<Result> => {
    const { store, close } = openSqliteEventStore({ file: file(name) });
    const unhashed = openSqliteEventStore({ file: file(name), keepsHashes: true });
    const done = await work(store, unhashed.store);
    await unhashed.close();
    await close();
    return done;
  };
  const onServer = async <Result>({ url }: TestServer, work: (store: EventStore) => Promise<Result>) => {
    const { store, close } = openEventStoreDb(addressOf(url), silentLog);
    const done = await work(store);
    await close();
    return done;
  };
  const newServer = async (): Promise<TestServer> => {
    const server = await startTestServer();
    servers.push(server);
    return server;
  };

  it('are valid in another engine, with other positions and with system events', async () => {
    const seal = await inFile('sealed.db', async (store) => {
      await succeeded(store.append('video-1', 'no_stream', newEvents(3)));
      await succeeded(store.append('audio-1', 'no_stream', newEvents(2)));
      return sealOf(store);
    });
    const server = await newServer();
    await succeeded(server.events.store.append('$$external-1', 'no_stream', [serverRecord]));
    await copyEvents(file('sealed.db'), server.url, quietly);
    const kept = [
      { kind: 'token' as const, revision: seal.revision, hash: seal.hash },
      { kind: 'whole' as const, sealed: seal.sealed },
    ];
    const there = await onServer(server, async (store) => {
      const before = await verifyLog(store, kept);
      await succeeded(store.append('video-1', 2, newEvents(1)));
      const again = await sealOf(store);
      return { before, again, after: await verifyLog(store, kept) };
    });
    expect(there.before).to.include({ events: 6, seals: 1 }).and.to.have.deep.property('faults', []);
    expect(there.again.revision).to.equal(1);
    expect(there.after).to.include({ events: 8, seals: 2 }).and.to.have.deep.property('faults', []);
    await copyEvents(server.url, file('back.db'), quietly);
    expect(await faultsOf(file('back.db'), kept)).to.deep.equal([]);
  });

  it('of version 1 are compared with rows and positions; the next seal is of the newest version', async () => {
    await inFile('old.db', async (store, unhashed) => {
      await succeeded(store.append('video-1', 'no_stream', newEvents(3)));
      await succeeded(unhashed.append('$$external-1', 'no_stream', [serverRecord]));
      await succeeded(store.append(sealStream, 'no_stream', [await sealOfVersionOne(store)]));
    });
    expect(await faultsOf(file('old.db'))).to.deep.equal([]);
    tampered(file('old.db'), file('tampered.db'), (db) => {
      db.prepare(`UPDATE events SET data = '{"$maxCount":8}' WHERE stream = '$$external-1'`).run();
    });
    const [fault] = await faultsOf(file('tampered.db'));
    expect(fault).to.include({ kind: 'seal_mismatch', position: '0000000000000004' });
    await inFile('old.db', async (store) => {
      const { revision, sealed } = await sealOf(store);
      expect([revision, sealed.covers]).to.deep.equal([1, 'events']);
      expect((await sealOf(store)).revision).to.equal(1);
    });
    expect(await faultsOf(file('old.db'))).to.deep.equal([]);
  });

  it('report where the order of streams differs', async () => {
    await inFile('first.db', async (store) => {
      for (const stream of ['video-1', 'audio-1', 'video-2'])
        await succeeded(store.append(stream, 'no_stream', newEvents(1)));
      const scan = createLogScan();
      await scanAll(store, scan);
      const sealed = scan.seal();
      if (sealed === null) throw new Error('nothing is sealed');
      const { events } = await succeeded(store.readAll(null, {}, 10));
      const [one, other, last] = events;
      const part = createSealedPart('events', [{ sealed, name: 'the seal' }]);
      const faults = [other, one, last].flatMap((event) =>
        event === undefined ? [] : part.take(event, hashOf(event) ?? ''),
      );
      expect(faults.map(({ message }) => message)).to.deep.equal([
        'the seal: this event is not the one that was sealed',
      ]);
    });
  });
});
