import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { inspectFile } from '../../adapters/event-store/sqlite/file.js';
import type { KeptSeal } from '../../application/audit/verify-log.js';
import {
  type SealedFile,
  faultsOf,
  makeSealedFile,
  openTampered,
  tampered,
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
import { useFolder } from '../support/event-store/temporary-sqlite.js';
import { shortOrLong } from '../support/long-form.js';

/** Random numbers from a seed, which a failure prints. */
const randomOf = (seed: number): Random => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x6d2b_79f5) | 0;
    return ((state >>> 8) % 1_000_003) % Math.max(1, below);
  };
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
