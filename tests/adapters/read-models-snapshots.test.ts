import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import Database from 'libsql';
import { removeDatabase } from '../../adapters/read-models/database.js';
import { openReadModels } from '../../adapters/read-models/open.js';
import { aggregates } from '../../application/application.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { Snapshot } from '../../application/ports/snapshots.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { appendCharges, countingReads } from '../support/long-account.js';
import { shortOrLong } from '../support/long-form.js';

const stream = 'creditAccount-x';
const snapshot = (revision: number): Snapshot => ({ version: 1, revision, event_id: 'id', state: { balance: '1' } });

/** Charges of an account, between those of another that has few. */
const fill = async (store: EventStore, hundreds: number): Promise<void> => {
  for (let index = 0; index < hundreds; index += 1) {
    await appendCharges(store, stream, 100 * index - 1, 100);
    await appendCharges(store, 'creditAccount-y', index - 1, 1);
  }
};

describe('read models: snapshots of streams', () => {
  it('are made during a rebuild for long streams, so that no command reads these from the first event', async () => {
    const [{ store, close }, { path, remove }] = await Promise.all([openInMemory(), temporaryFolder()]);
    const hundreds = shortOrLong(30, 110);
    await fill(store, hundreds);
    const file = join(path, 'rows.db');
    const { state } = await succeeded(aggregates(store).creditAccounts.load('x'));
    for (const _ of ['at first', 'made anew']) {
      const { snapshots, queries, ...readModels } = openReadModels({ file, store });
      await succeeded(queries.reached((await succeeded(store.head())) ?? '', 20_000));
      while ((await snapshots.load(stream)()) === null) await setTimeout(5);
      expect((await snapshots.load(stream)())?.revision).to.equal(100 * hundreds - 1);
      expect(await snapshots.load('creditAccount-y')()).to.equal(null);
      const counted = countingReads(store);
      const found = await succeeded(aggregates(counted.store, undefined, snapshots).creditAccounts.load('x'));
      expect(creditAccount.snapshot?.codec.encode(found.state)).to.deep.equal(
        creditAccount.snapshot?.codec.encode(state),
      );
      expect(counted.events()).to.equal(1);
      await readModels.close();
      removeDatabase(file);
    }
    await close();
    await remove();
  });

  it('are kept, the newest of each stream, across a restart; one that cannot be read is ignored', async () => {
    const [{ store, close }, { path, remove }] = await Promise.all([openInMemory(), temporaryFolder()]);
    const file = join(path, 'rows.db');
    const first = openReadModels({ file, store });
    expect(await first.snapshots.load(stream)()).to.equal(null);
    first.snapshots.save(stream, snapshot(1));
    first.snapshots.save(stream, snapshot(2));
    expect(await first.snapshots.load(stream)()).to.deep.equal(snapshot(2));
    await first.close();
    expect(await first.snapshots.load(stream)()).to.equal(null);
    first.snapshots.save(stream, snapshot(3));
    const db = new Database(file);
    const second = openReadModels({ file, store });
    expect(await second.snapshots.load(stream)()).to.deep.equal(snapshot(2));
    // Even invalid UTF-8 does not crash the process.
    for (const damaged of ["CAST(x'ff41' AS TEXT)", "'{'", "'{}'"]) {
      db.exec(`UPDATE snapshots SET snapshot = ${damaged}`);
      expect(await second.snapshots.load(stream)()).to.equal(null);
    }
    db.close();
    await second.close();
    await close();
    await remove();
  });
});
