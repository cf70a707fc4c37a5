import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { openReadModels } from '../../adapters/read-models/open.js';
import type { Snapshot } from '../../application/ports/snapshots.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

const stream = 'creditAccount-x';
const snapshot = (revision: number): Snapshot => ({ version: 1, revision, event_id: 'id', state: { balance: '1' } });

describe('read models: snapshots of streams', () => {
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
