import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import Database from 'libsql';
import { openReadModels } from '../../adapters/read-models/open.js';
import type { Snapshot } from '../../application/ports/snapshots.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

const stream = 'creditAccount-x';
const snapshot = (revision: number): Snapshot => ({ version: 1, revision, event_id: 'id', state: { balance: '1' } });

describe('read models: snapshots of streams', () => {
  it('are kept, the newest of each stream, also over a restart; a damaged one is none', async () => {
    const [{ store, close }, { path, remove }] = await Promise.all([openInMemory(), temporaryFolder()]);
    const file = join(path, 'rows.db');
    const first = openReadModels({ file, store });
    expect(await first.snapshots.load(stream)()).to.equal(null);
    first.snapshots.save(stream, snapshot(1));
    first.snapshots.save(stream, snapshot(2));
    while ((await first.snapshots.load(stream)())?.revision !== 2) await setTimeout(5);
    expect(await first.snapshots.load(stream)()).to.deep.equal(snapshot(2));
    await first.close();
    expect(await first.snapshots.load(stream)()).to.equal(null);
    first.snapshots.save(stream, snapshot(3));
    const db = new Database(file);
    const second = openReadModels({ file, store });
    expect(await second.snapshots.load(stream)()).to.deep.equal(snapshot(2));
    db.exec(`UPDATE snapshots SET snapshot = replace(snapshot, '"balance":"1"', '"balance":"9"')`);
    expect(await second.snapshots.load(stream)()).to.equal(null);
    // Not even what is no text any more ends the process.
    second.snapshots.save(stream, snapshot(4));
    while ((await second.snapshots.load(stream)())?.revision !== 4) await setTimeout(5);
    for (const column of ['snapshot', 'digest']) {
      db.exec(`UPDATE snapshots SET ${column} = CAST(x'ff41' AS TEXT)`);
      expect(await second.snapshots.load(stream)()).to.equal(null);
    }
    db.close();
    await second.close();
    await close();
    await remove();
  });
});
