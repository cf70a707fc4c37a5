import type Database from 'libsql';
import { tables } from '../../../adapters/event-store/sqlite/file.js';
import { rehash } from './tamperings.js';

const columns = (db: Database.Database, sql: string): ReadonlyArray<unknown> => db.prepare(sql).raw(true).all().flat();

/** Removes the triggers that prevent changes of a log's rows. */
export const allowChanges = (db: Database.Database): void =>
  void db.exec('DROP TRIGGER events_are_never_deleted; DROP TRIGGER events_are_never_changed');

/** Makes a changed log consistent in everything that the service checks: positions, checkpoints, hashes, triggers. */
export const coverTracks = (db: Database.Database): void => {
  db.exec('CREATE TEMP TABLE places AS SELECT position, row_number() OVER (ORDER BY position) AS place FROM events');
  db.exec('UPDATE events SET position = -(SELECT place FROM places WHERE places.position = events.position)');
  db.exec('UPDATE events SET position = -position');
  db.exec('UPDATE checkpoints SET position = min(position, (SELECT max(position) FROM events))');
  for (const stream of columns(db, 'SELECT DISTINCT stream FROM events')) rehash(db, String(stream));
  for (const sql of tables.filter((sql) => sql.startsWith('CREATE TRIGGER'))) db.exec(sql);
};
