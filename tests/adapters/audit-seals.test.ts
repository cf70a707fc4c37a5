import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { copyFileSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import Database from 'libsql';
import { copyEvents } from '../../adapters/composition/events-command.js';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { type StoredSeal, sealStream, verifyLog, sealLog, type KeptSeal } from '../../application/audit/verify-log.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { createSealedPart } from '../../projections/audit/scan-log.js';
import { eventHash, hashOf } from '../../projections/audit/event-hash.js';
import { world } from '../support/application/world.js';
import {
  faultsOf,
  tampered,
  type SealedFile,
  makeSealedFile,
  openTampered,
  type Random,
  type Tampering,
  changeByte,
  changeNumber,
  cut,
  forge,
  insert,
  rehash,
  remove,
  reorder,
} from '../support/audit/tampered-log.js';
import { addressOf, type TestServer, startTestServer } from '../support/event-store/eventstoredb-server.js';
import {
  newEvent,
  newEvents,
  succeeded,
  silentLog,
  temporaryFolder,
  useFolder,
} from '../support/event-store/stores.js';
import { inspectFile } from '../../adapters/event-store/sqlite/file.js';
import { randomFrom } from '../support/realtime/random.js';
import { shortOrLong } from '../support/long-form.js';

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
});

const randomOf = (seed: number): Random => {
  const random = randomFrom(seed);
  return (below) => Math.floor(random() * Math.max(1, below));
};

const rounds = shortOrLong(15, 200);
const afterSeal = 4;

describe('a tampered log', function () {
  this.timeout(300_000);
  const folder = useFolder();
  let log: SealedFile;
  before(async () => {
    log = await makeSealedFile(folder());
  });

  const kept = (): KeptSeal => ({ kind: 'token', revision: log.seal.revision, hash: log.seal.hash });
  const whole = (): KeptSeal => ({ kind: 'whole', sealed: log.seal.sealed });

  it('has no faults before the change', async () =>
    expect(await faultsOf(log.file, [kept(), whole()])).to.deep.equal([]));

  const tamperings: Readonly<Record<string, Tampering>> = {
    'any byte changed': changeByte,
    'a position or revision changed': changeNumber,
    'an event removed': remove,
    'an event inserted': insert,
    'events reordered': reorder,
    'the end of a stream cut off below a seal': cut,
    'an event forged with hashes that fit': forge,
  };
  for (const [name, tampering] of Object.entries(tamperings))
    it(`is detected at ${rounds} random places: ${name}`, async () => {
      const seed = Math.floor(Math.random() * 1e9);
      const random = randomOf(seed);
      const { faultsAfter, close } = openTampered(log.file);
      for (let round = 0; round < rounds; round += 1) {
        let done = '';
        const faults = await faultsAfter((db) => {
          done = tampering(db, random, log.sealed, log.sealed + afterSeal);
        });
        expect(faults, `seed ${seed}, round ${round}: ${done}`).not.to.deep.equal([]);
      }
      expect(await faultsAfter(() => undefined), 'nothing done').to.deep.equal([]);
      await close();
    });

  it('lacks a trigger: its name is reported', () => {
    const copy = join(folder(), 'unprotected.db');
    copyFileSync(log.file, copy);
    const db = new Database(copy);
    db.exec('DROP TRIGGER events_are_never_changed');
    db.close();
    expect(inspectFile(copy).map(({ message }) => message)).to.deep.equal([
      'the trigger events_are_never_changed, which protects the log, is missing from the file or was changed',
    ]);
  });

  it('is reported with its first wrong event', async () => {
    const copy = join(folder(), 'named.db');
    for (const position of [1, 7, 40, log.sealed]) {
      tampered(log.file, copy, (db) => {
        const sql = `UPDATE events SET data = replace(data, '{', '{"added":1,') WHERE position = ?`;
        db.prepare(sql).run(position);
      });
      expect((await faultsOf(copy))[0]).to.include({
        kind: 'hash_mismatch',
        position: String(position).padStart(16, '0'),
      });
    }
  });

  it('is detected by an exported seal, even if every hash and every stored seal was forged', async () => {
    const copy = join(folder(), 'forged.db');
    tampered(log.file, copy, (db) => {
      const random = randomOf(7);
      forge(db, random, log.sealed, log.sealed);
      db.prepare('DELETE FROM events WHERE position > ?').run(log.sealed);
      rehash(db, 'auditSeal-log');
    });
    const [seal] = [kept()];
    expect(await faultsOf(copy)).to.deep.equal([]);
    expect((await faultsOf(copy, [seal])).map(({ kind }) => kind)).to.deep.equal(['seal_missing']);
    const [first] = await faultsOf(copy, [whole()]);
    expect(first).to.include({ kind: 'seal_mismatch' });
    expect(first?.message).to.match(/this event is not the one that was sealed/);
  });
});
