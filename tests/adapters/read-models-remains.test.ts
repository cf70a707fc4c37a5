import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../adapters/read-models/database.js';
import { foundIn } from '../support/erasure/bytes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

describe('read models of a process that was killed after it had deleted something', () => {
  it('hold no copy of that any more once they are opened again', async () => {
    const { path, remove } = await temporaryFolder();
    const [word, living, killed] = ['Schlehenbrand Title', join(path, 'living'), join(path, 'killed')];
    mkdirSync(living);
    const { db } = openDatabase(join(living, 'read-models.db'), 'shape');
    db.exec('PRAGMA secure_delete = ON');
    db.exec(`CREATE TABLE told (text TEXT); INSERT INTO told VALUES ('${word}'); DELETE FROM told`);
    // What is copied is what a kill leaves: nothing was moved from the write-ahead log.
    cpSync(living, killed, { recursive: true });
    expect(await foundIn(killed, [word])).to.deep.equal([`read-models.db-wal: ${word}`]);
    const again = openDatabase(join(killed, 'read-models.db'), 'shape');
    expect(again.madeAnew).to.equal(null);
    expect(await foundIn(killed, [word])).to.deep.equal([]);
    again.db.close();
    db.close();
    await remove();
  });
});
