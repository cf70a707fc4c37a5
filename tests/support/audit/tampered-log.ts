import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import Database from 'libsql';
import { inspectDatabase, inspectFile, openDatabase, tables } from '../../../adapters/event-store/sqlite/file.js';
import { eventStoreOver, openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { type KeptSeal, sealLog, type StoredSeal, verifyLog } from '../../../application/audit/verify-log.js';
import { parsedJson } from '../../../adapters/runtime/json.js';
import { query } from '../../../adapters/runtime/sqlite.js';
import { JsonObject } from '../../../domain/kernel/recorded-event.js';
import { eventHash } from '../../../projections/audit/event-hash.js';
import type { Fault } from '../../../projections/audit/fault.js';
import { world } from '../application/world.js';
import { newEvent, succeeded } from '../event-store/stores.js';
import { appendRecorded } from '../recorded-events.js';

/** A sealed log with events of every type, and some more events after the seal. */
export interface SealedFile {
  readonly file: string;
  readonly seal: StoredSeal;
  /** Events that the seal covers. */
  readonly sealed: number;
}

export const makeSealedFile = async (folder: string): Promise<SealedFile> => {
  const file = join(folder, 'sealed.db');
  const { store, close } = openSqliteEventStore({ file });
  const place = world(store);
  await appendRecorded(store);
  const { ids, clock } = place.app;
  const seal = await sealLog({ store, ids, clock });
  if (E.isLeft(seal)) throw new Error(JSON.stringify(seal.left));
  for (let number = 0; number < 3; number += 1)
    await succeeded(store.append(`after-${number}`, 'no_stream', [newEvent()]));
  await close();
  return { file, seal: seal.right, sealed: seal.right.sealed.events };
};

type Work = (db: Database.Database) => void;

const behindTriggers = (db: Database.Database, work: Work): void => {
  db.exec('DROP TRIGGER events_are_never_deleted; DROP TRIGGER events_are_never_changed');
  work(db);
  tables.filter((sql) => sql.startsWith('CREATE TRIGGER')).forEach((sql) => db.exec(sql));
};

/** Changes a copy of the file without its triggers, and restores these. */
export const tampered = (file: string, copy: string, work: Work): void => {
  copyFileSync(file, copy);
  const db = new Database(copy);
  try {
    behindTriggers(db, work);
  } finally {
    db.close();
  }
};

/** A log for any number of changes, each of which is rolled back. */
interface TamperedLog {
  /** The faults that verification finds after the change. */
  readonly faultsAfter: (work: Work) => Promise<ReadonlyArray<Fault>>;
  readonly close: () => Promise<void>;
}

/**
 * Each change is made and verified inside a transaction that is rolled back. Reads see the same as in a changed
 * file, but nothing waits for the disk.
 */
export const openTampered = (file: string): TamperedLog => {
  const db = openDatabase(file);
  const { store, close } = eventStoreOver(db);
  return {
    close,
    faultsAfter: async (work) => {
      db.exec('BEGIN');
      try {
        behindTriggers(db, work);
        const inspected = inspectDatabase(db);
        const { faults } = await verifyLog(store);
        return [...inspected, ...faults];
      } finally {
        db.exec('ROLLBACK');
      }
    },
  };
};

/** The faults that verification of a file finds. */
export const faultsOf = async (file: string, kept: ReadonlyArray<KeptSeal> = []): Promise<ReadonlyArray<Fault>> => {
  const inspected = inspectFile(file);
  const { store, close } = openSqliteEventStore({ file });
  const { faults } = await verifyLog(store, kept);
  await close();
  return [...inspected, ...faults];
};

/** Returns a random whole number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Changes a log with this number of events, `sealed` of which are sealed. Returns a description of the change. */
export type Tampering = (db: Database.Database, random: Random, sealed: number, events: number) => string;

const textAt = (db: Database.Database, column: string, position: number): string =>
  String(query(db, `SELECT ${column} FROM events WHERE position = ?`).first(position)[0]);

const run = (db: Database.Database, sql: string, ...values: ReadonlyArray<string | number>): void =>
  void db.prepare(sql).run(...values);

/** Moves all positions from one on, to close or to make a gap. */
const move = (db: Database.Database, from: number, by: number): void => {
  run(db, 'UPDATE events SET position = 0 - position WHERE position >= ?', from);
  run(db, 'UPDATE events SET position = 0 - position + ? WHERE position < 0', by);
};

const columns = ['stream', 'category', 'event_id', 'type', 'data', 'metadata'] as const;

/** Replaces, inserts or removes a character at a random place of a random text. */
export const changeByte: Tampering = (db, random, _sealed, events) => {
  const position = 1 + random(events);
  const column = columns[random(columns.length)] ?? 'data';
  const text = textAt(db, column, position);
  const at = random(text.length);
  const character = String.fromCharCode(32 + random(95));
  const put = character === text[at] ? '\u00e9' : character;
  const changed = text.slice(0, at) + put + text.slice(at + random(2));
  run(db, `UPDATE events SET ${column} = ? WHERE position = ?`, changed, position);
  return `${column} of ${position}: ${text} became ${changed}`;
};

export const changeNumber: Tampering = (db, random, _sealed, events) => {
  const position = 1 + random(events);
  const column = ['position', 'revision'][random(2)];
  run(db, `UPDATE events SET ${column} = ${column} + 1000 WHERE position = ?`, position);
  return `${column} of ${position} grew`;
};

/** Removes an event; in half of the cases the gap is closed. */
export const remove: Tampering = (db, random, sealed) => {
  const position = 1 + random(sealed);
  run(db, 'DELETE FROM events WHERE position = ?', position);
  const closes = random(2) === 1;
  if (closes) move(db, position, -1);
  return `${position} was removed${closes ? ', the gap closed' : ''}`;
};

/** Inserts a copy of an event with a new id before it, and moves what follows. */
export const insert: Tampering = (db, random, sealed) => {
  const position = 1 + random(sealed);
  const [stream, revision] = [textAt(db, 'stream', position), textAt(db, 'revision', position)];
  move(db, position, 1);
  run(db, 'UPDATE events SET revision = -1 - revision WHERE stream = ? AND revision >= ?', stream, Number(revision));
  run(db, 'UPDATE events SET revision = 0 - revision WHERE revision < 0');
  run(
    db,
    `INSERT INTO events (position, stream, category, revision, event_id, type, data, metadata)
     SELECT position - 1, stream, category, revision - 1, ?, type, data, metadata FROM events WHERE position = ?`,
    randomUUID(),
    position + 1,
  );
  return `a copy of ${position} before it`;
};

/** Swaps two events of the log. */
export const reorder: Tampering = (db, random, sealed) => {
  const one = 1 + random(sealed);
  const other = 1 + ((one + random(sealed - 1)) % sealed);
  run(db, 'UPDATE events SET position = -1 WHERE position = ?', one);
  run(db, 'UPDATE events SET position = ? WHERE position = ?', one, other);
  run(db, 'UPDATE events SET position = ? WHERE position = -1', other);
  return `${one} and ${other} changed places`;
};

/** Removes the end of a stream, below the seal, and closes the gaps. */
export const cut: Tampering = (db, random, sealed) => {
  const stream = textAt(db, 'stream', 1 + random(sealed));
  const rows = query(db, 'SELECT position FROM events WHERE stream = ? AND position <= ? ORDER BY position DESC').all(
    stream,
    sealed,
  );
  const removed = rows.slice(0, 1 + random(rows.length)).map(([position]) => Number(position));
  for (const position of removed) {
    run(db, 'DELETE FROM events WHERE position = ?', position);
    move(db, position, -1);
  }
  return `${removed.length} of ${rows.length} events were cut off ${stream}`;
};

const parsed = (text: unknown): JsonObject => {
  const json = parsedJson(String(text));
  if (JsonObject.is(json)) return json;
  throw new Error('no JSON');
};

/** Writes a valid hash chain for a stream. */
export const rehash = (db: Database.Database, stream: string): void => {
  let previous: string | null = null;
  const sql =
    'SELECT position, revision, event_id, type, data, metadata FROM events WHERE stream = ? ORDER BY revision';
  for (const [position, revision, id, type, data, metadata] of query(db, sql).all(stream)) {
    const { hash: _hash, ...rest } = parsed(metadata);
    const event = { stream, revision: Number(revision), id: String(id), type: String(type), data: parsed(data) };
    previous = eventHash({ ...event, metadata: rest }, previous);
    const text = JSON.stringify({ ...rest, hash: previous });
    run(db, 'UPDATE events SET metadata = ? WHERE position = ?', text, Number(position));
  }
};

/** Changes the time of an event, and writes valid hashes for the stream. */
export const forge: Tampering = (db, random, sealed) => {
  const position = 1 + random(sealed);
  const stream = textAt(db, 'stream', position);
  const forged = textAt(db, 'metadata', position).replace(/"recorded_at":"20/, '"recorded_at":"19');
  run(db, 'UPDATE events SET metadata = ? WHERE position = ?', forged, position);
  rehash(db, stream);
  return `${position} was forged, the hashes of ${stream} made to fit`;
};
