import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../adapters/read-models/database.js';
import { foundIn } from '../support/erasure/bytes.js';
import { at } from '../projections/given.js';
import { openWorld, toNew } from '../projections/read-models-world.js';
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

describe('read models of which much was erased', () => {
  it('hold no copy of that in pages between which rows were moved', async () => {
    const world = await openWorld();
    const readModels = world.open();
    const word = (number: number): string => `Quittenbrot${number}Kandis`;
    const ids = Array.from({ length: 300 }, (_, number) => number);
    const title = (number: number) => ({
      video_id: `v${number}`,
      title: word(number) + 'x'.repeat((number * 37) % 900),
    });
    for (const number of ids)
      await world.append(
        `video-v${number}`,
        toNew('VideoRegistered.v1', { ...title(number), owner_id: 'o', kind: 'upload', audio_id: null }),
      );
    await world.caughtUp(readModels);
    const erased = { medium: 'video', owner_id: 'o', linked: null, at: at(2) };
    const gone = ids.filter((number) => number % 3 === 0);
    for (const number of gone) await world.append(`video-v${number}`, toNew('MediumErased.v1', erased));
    await world.caughtUp(readModels);
    const files = await foundIn(world.folder, gone.map(word));
    expect(files.filter((found) => found.startsWith('read-models.db'))).to.deep.equal([]);
    await world.end();
  });
});
