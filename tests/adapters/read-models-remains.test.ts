import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import Database from 'libsql';
import { openDatabase } from '../../adapters/read-models/file.js';
import { overwriteErasedContent } from '../../adapters/read-models/erased-content.js';
import { query } from '../../adapters/runtime/sqlite.js';
import { type World, openWorld, registered, toNew } from '../projections/read-models-world.js';
import { foundIn } from '../support/erasure/bytes.js';
import { at } from '../support/values.js';
import { temporaryFolder } from '../support/event-store/stores.js';

const prepare = (db: Database.Database) => ({ db });

describe('read models of a process that was killed after deleting a row', () => {
  it('contain no copy of it once they are opened again', async () => {
    const { path, remove } = await temporaryFolder();
    const [word, living, killed] = ['Schlehenbrand Title', join(path, 'living'), join(path, 'killed')];
    mkdirSync(living);
    const { db } = openDatabase(join(living, 'read-models.db'), prepare);
    db.exec('PRAGMA secure_delete = ON');
    db.exec(`CREATE TABLE told (text TEXT); INSERT INTO told VALUES ('${word}'); DELETE FROM told`);
    // The copy has the state after a kill: the write-ahead log was not checkpointed.
    cpSync(living, killed, { recursive: true });
    expect(await foundIn(killed, [word])).to.deep.equal([`read-models.db-wal: ${word}`]);
    const again = openDatabase(join(killed, 'read-models.db'), prepare);
    expect(again.rebuildReason).to.equal(null);
    expect(await foundIn(killed, [word])).to.deep.equal([]);
    again.db.close();
    db.close();
    await remove();
  });
});

const [goneWord, otherWord] = ['Quittenbrot', 'Hagebutte'];
const every = 5;
/** One word in all rows to be erased, so that a single search finds them. */
const wordOf = (number: number): string => `${number % every === 0 ? goneWord : otherWord} ${number}`;

/** Rows that grow, shrink and are deleted in many transactions, so that SQLite moves others between pages. */
const movedRows = (db: Database.Database, rows: number): void => {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
  db.exec('CREATE TABLE told (key TEXT NOT NULL UNIQUE, title TEXT, text TEXT) STRICT; CREATE INDEX t ON told (title)');
  const put = db.prepare(
    'INSERT INTO told VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET title = excluded.title, text = excluded.text',
  );
  const write = (row: number, length: number) =>
    put.run([`k${row}`, wordOf(row), wordOf(row) + 'x'.repeat(length % 2_500)]);
  for (let from = 0; from < rows; from += 100) {
    db.exec('BEGIN');
    for (let row = from; row < from + 100; row += 1) {
      write(row, row * 37);
      write((row * 7_919) % (row + 1), row * 91);
    }
    db.exec('COMMIT');
  }
  const remove = db.prepare('DELETE FROM told WHERE key = ?');
  db.exec('BEGIN');
  for (let row = 0; row < rows; row += every) remove.run([`k${row}`]);
  db.exec('COMMIT');
};

describe('overwriting erased content', () => {
  const firstOf = (db: Database.Database, sql: string): unknown => query(db, sql).first()[0];

  /** Resolves once it is no longer due; returns how often other work was done meanwhile. */
  const overwritten = async (db: Database.Database): Promise<number> => {
    let turns = 0;
    for (; firstOf(db, 'PRAGMA user_version') !== 0; turns += 1) await setTimeout(1);
    return turns;
  };

  it('overwrites the copies that SQLite left when it moved rows, in steps, and changes no row', async () => {
    const { path, remove } = await temporaryFolder();
    const db = new Database(join(path, 'moved.db'));
    movedRows(db, 8_000);
    firstOf(db, 'PRAGMA wal_checkpoint(TRUNCATE)');
    expect(await foundIn(path, [goneWord])).not.to.deep.equal([]);
    const rows = (): unknown => db.prepare('SELECT * FROM told ORDER BY key').raw(true).all();
    const before = rows();
    overwriteErasedContent(db).begin();
    expect(await overwritten(db)).to.be.greaterThan(1);
    expect(await foundIn(path, [goneWord])).to.deep.equal([]);
    expect(rows()).to.deep.equal(before);
    expect(firstOf(db, 'PRAGMA integrity_check')).to.equal('ok');
    db.close();
    await remove();
  });

  it('resumes after a kill, and goes through all pages again when more is erased meanwhile', async () => {
    const { path, remove } = await temporaryFolder();
    const db = new Database(join(path, 'moved.db'));
    movedRows(db, 8_000);
    const killed = overwriteErasedContent(db);
    killed.begin();
    killed.stop();
    const again = overwriteErasedContent(db);
    await setTimeout(1);
    expect(firstOf(db, 'PRAGMA user_version')).to.equal(1);
    db.exec(`DELETE FROM told WHERE title LIKE '${otherWord}%'`);
    again.begin();
    await overwritten(db);
    expect(await foundIn(path, [goneWord, otherWord])).to.deep.equal([]);
    db.close();
    await remove();
  });
});

describe('read models after an erasure', () => {
  const erased = { medium: 'video', owner_id: 'o1', linked: null, at: at(2) };
  const remainsIn = async ({ folder }: World, words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
    (await foundIn(folder, words)).filter((found) => found.startsWith('read-models.db'));

  it('contain no copy of the erased row, even if it was being read, nor in pages between which rows were moved', async () => {
    const world = await openWorld();
    const readModels = world.open();
    const words = ['Schlehenbrand Title', goneWord];
    await world.append('video-v', registered('v', { title: words[0] }));
    await world.caughtUp(readModels);
    const reader = new Database(world.file);
    movedRows(reader, 8_000);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM videos').get();
    await world.append('video-v', toNew('MediumErased.v1', erased));
    await world.caughtUp(readModels);
    expect(await remainsIn(world, words)).not.to.deep.equal([]);
    expect(world.lines.filter(({ level }) => level !== 'info')).to.deep.equal([]);
    reader.exec('COMMIT');
    reader.close();
    while ((await remainsIn(world, words)).length > 0) await setTimeout(20);
    await world.end();
  });
});
