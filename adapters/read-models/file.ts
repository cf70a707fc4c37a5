import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import { projections } from '../../projections/projections.js';
import { type Table, tables } from '../../projections/tables.js';
import { parsedJson } from '../runtime/json.js';
import { query, utf8Of } from '../runtime/sqlite.js';
import { eventIndexSchema } from './event-index.js';
import { DamagedFile, type Statements, isDamage, reasonOf, textOf } from './sqlite.js';
import * as t from 'io-ts';
import type { StoredEvent } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

const Details = t.type({
  /** The id of the first event of the log; null before there was one. */
  log_id: t.union([t.string, t.null]),
  /** The last event that was read, used to recognise the log; null before there was one. */
  last: t.union([t.type({ position: t.string, id: t.string }), t.null]),
  /**
   * Events that are in no row because their key is missing: the first of each stream, for at most a hundred streams.
   */
  unopened: t.readonlyArray(t.type({ stream: t.string, revision: t.number })),
});

/** How far the rows are, and of which log. */
export interface Progress extends t.TypeOf<typeof Details> {
  /** All events up to this position are in the rows; null before the first. */
  readonly position: Position | null;
}

/** Before the first event. */
const noDetails: t.TypeOf<typeof Details> = { log_id: null, last: null, unopened: [] };

/** Reads the progress; throws `DamagedFile` when it is not as it was written. */
export const readProgress = (statements: Statements): Progress => {
  const row = statements('SELECT CAST(position AS BLOB), CAST(details AS BLOB) FROM progress').first();
  const [position = null, details] = row.map(textOf);
  const known = parsedJson(details ?? '');
  if (!Details.is(known)) throw new DamagedFile('the progress of the read models is damaged');
  return { position, ...known };
};

/** Writes the progress that follows a position. Throws if another process has written meanwhile. */
export const writeProgress = (
  statements: Statements,
  { position, ...details }: Progress,
  before: Position | null,
): void => {
  const write = statements('UPDATE progress SET position = ?, details = ? WHERE position IS ?');
  if (write.run(position, JSON.stringify(details), before) === 0)
    throw new Error('another process writes the same read models');
};

const maxUnopened = 100;

/** The progress after an event. */
export const advanced = (progress: Progress, { position, id, stream, revision, withheld }: StoredEvent): Progress => {
  const { log_id, unopened } = progress;
  const isListed =
    withheld !== 'key_missing' || unopened.length === maxUnopened || unopened.some((one) => one.stream === stream);
  return {
    position,
    log_id: log_id ?? id,
    last: { position, id },
    unopened: isListed ? unopened : [...unopened, { stream, revision }],
  };
};

/** Marks a file as read models of this service: the letters `MERM`. */
const applicationId = 0x4d45524d;

type Layout = Pick<Table<never>, 'name' | 'indexes'> & { readonly columns: Readonly<Record<string, unknown>> };

const createTable = ({ name, columns, indexes }: Layout): string =>
  [
    `CREATE TABLE ${name} (`,
    '  number INTEGER PRIMARY KEY,',
    '  key TEXT NOT NULL UNIQUE,',
    ...Object.keys(columns).map((column) => `  ${column} TEXT,`),
    '  row TEXT NOT NULL',
    ') STRICT;',
    ...indexes.map((index) => `CREATE INDEX ${name}_by_${index.join('_')} ON ${name} (${index.join(', ')});`),
  ].join('\n');

/** All statements that prepare an empty file. `number` counts rows in the order in which they were added. */
export const schema = [
  ...Object.values(tables).map(createTable),
  eventIndexSchema,
  'CREATE TABLE snapshots (stream TEXT PRIMARY KEY, snapshot TEXT NOT NULL) STRICT;',
  'CREATE TABLE progress (shape TEXT NOT NULL, position TEXT, details TEXT NOT NULL) STRICT;',
  `PRAGMA application_id = ${applicationId};`,
].join('\n');

/** What the content of a file depends on besides the events: its tables and the versions of the projections. */
const shape = [...projections.map(({ name, version }) => `${name} ${version}`), schema].join('\n');

const valueOf = (db: Database.Database, sql: string): unknown => query(db, sql).first()[0];

/** Whether the content has the shape of this program; throws on a database of something else. */
export const isCurrent = (db: Database.Database): boolean => {
  if (valueOf(db, 'PRAGMA application_id') !== applicationId) throw new Error('it is a database of something else');
  return utf8Of(valueOf(db, 'SELECT CAST(shape AS BLOB) FROM progress')) === shape;
};

const settings = [
  'PRAGMA busy_timeout = 50',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -16384',
  'PRAGMA journal_size_limit = 67108864',
  // A rebuild changes the same pages many times. They are copied from the write-ahead log into the file every 16 MB; more
  // at once would delay requests.
  'PRAGMA wal_autocheckpoint = 4096',
];

/** Opens an existing file or creates its tables, and prepares what reads it; returns whether it is new, too. */
const openFile = <Prepared>(file: string, prepare: (db: Database.Database) => Prepared): [Prepared, boolean] => {
  const db = new Database(file);
  try {
    settings.forEach((setting) => db.exec(setting));
    const isNew = valueOf(db, 'SELECT count(*) FROM sqlite_master') === 0;
    if (isNew) {
      db.exec(`BEGIN IMMEDIATE; ${schema}`);
      db.prepare('INSERT INTO progress VALUES (?, NULL, ?)').run(shape, JSON.stringify(noDetails));
      db.exec('COMMIT');
    } else if (!isCurrent(db)) throw new DamagedFile('the read models have changed');
    // A process that was killed during an erasure may have left copies of deleted content in the write-ahead log.
    else db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return [prepare(db), isNew];
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Whether the file exists and is not empty. */
export const hasContent = (file: string): boolean => existsSync(file) && statSync(file).size > 0;

/** Removes a database and the files that belong to it. */
const removeDatabase = (file: string): void =>
  ['', '-wal', '-shm', '-journal'].forEach((suffix) => rmSync(`${file}${suffix}`, { force: true }));

/** Removes read models. Throws, leaving the file unchanged, while a service has it open, or if it is something else. */
export const removeUnused = (file: string): void => {
  if (hasContent(file)) {
    const db = new Database(file);
    try {
      db.exec('PRAGMA busy_timeout = 500');
      isCurrent(db);
      // Only the last connection to a file can end its write-ahead log.
      db.prepare('PRAGMA journal_mode = DELETE').all();
    } catch (cause) {
      const isLocked = cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY';
      const reason = isLocked ? 'a service uses them: stop it first' : reasonOf(cause);
      if (!isDamage(cause)) throw new Error(`Cannot remove the read models ${file}: ${reason}`, { cause });
    } finally {
      db.close();
    }
  }
  removeDatabase(file);
};

/**
 * Opens the file of the read models, and prepares what reads it. A missing or damaged file, one with another layout, or
 * one whose opening ended a process before, is replaced by an empty one: SQLite can end the process that reads a damaged
 * schema. `because` is a reason to replace it in any case. `rebuildReason` says why it was replaced; it is null when the
 * file continues. Throws on a database of something else, which is left unchanged.
 */
export const openDatabase = <Prepared>(
  file: string,
  prepare: (db: Database.Database) => Prepared,
  because: string | null = null,
): Prepared & { readonly rebuildReason: string | null } => {
  const marker = `${file}-opening`;
  const open = (reason: string | null): Prepared & { readonly rebuildReason: string | null } => {
    if (reason !== null || !existsSync(file)) removeDatabase(file);
    writeFileSync(marker, '', { mode: 0o600 });
    const [prepared, isNew] = openFile(file, prepare);
    return { ...prepared, rebuildReason: reason ?? (isNew ? 'there were none' : null) };
  };
  try {
    return open(existsSync(marker) ? 'a process ended while it opened them' : because);
  } catch (error) {
    if (isDamage(error)) return open(reasonOf(error));
    throw new Error(`Cannot open the read models ${file}: ${reasonOf(error)}`, { cause: error });
  } finally {
    rmSync(marker, { force: true });
  }
};
