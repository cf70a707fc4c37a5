import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import Database from 'libsql';
import { inspectDatabase, inspectFile, openDatabase, tables } from '../../../adapters/event-store/sqlite/file.js';
import { eventStoreOver, openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { type KeptSeal, sealLog, type StoredSeal, verifyLog } from '../../../application/audit/verify-log.js';
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

const Row = t.type({
  position: t.number,
  stream: t.string,
  revision: t.number,
  event_id: t.string,
  type: t.string,
  data: t.string,
  metadata: t.string,
});
type Row = t.TypeOf<typeof Row>;

const rowsOf = (db: Database.Database, where: string, ...values: ReadonlyArray<string | number>): ReadonlyArray<Row> =>
  db
    .prepare(`SELECT ${Object.keys(Row.props).join(', ')} FROM events WHERE ${where}`)
    .all(...values)
    .filter(Row.is);

const rowAt = (db: Database.Database, position: number): Row => {
  const [row] = rowsOf(db, 'position = ?', position);
  if (row === undefined) throw new Error(`nothing at ${position}`);
  return row;
};

/** Moves all positions from one on, to close or to make a gap. */
const move = (db: Database.Database, from: number, by: number): void => {
  db.prepare('UPDATE events SET position = 0 - position WHERE position >= ?').run(from);
  db.prepare('UPDATE events SET position = 0 - position + ? WHERE position < 0').run(by);
};

const texts = ['stream', 'category', 'event_id', 'type', 'data', 'metadata'] as const;

/** Replaces, inserts or removes a character at a random place of a random text. */
export const changeByte: Tampering = (db, random, _sealed, events) => {
  const position = 1 + random(events);
  const column = texts[random(texts.length)] ?? 'data';
  const found = rowAt(db, position);
  const text = column === 'category' ? (found.stream.split('-')[0] ?? '') : found[column];
  const at = random(text.length);
  const old = text[at];
  const character = String.fromCharCode(32 + random(95));
  const put = character === old ? '\u00e9' : character;
  const changed = text.slice(0, at) + put + text.slice(at + random(2));
  db.prepare(`UPDATE events SET ${column} = ? WHERE position = ?`).run(changed, position);
  return `${column} of ${position}: ${text} became ${changed}`;
};

export const changeNumber: Tampering = (db, random, _sealed, events) => {
  const position = 1 + random(events);
  const column = ['position', 'revision'][random(2)];
  db.prepare(`UPDATE events SET ${column} = ${column} + 1000 WHERE position = ?`).run(position);
  return `${column} of ${position} grew`;
};

/** Removes an event; in half of the cases the gap is closed. */
export const remove: Tampering = (db, random, sealed) => {
  const position = 1 + random(sealed);
  db.prepare('DELETE FROM events WHERE position = ?').run(position);
  const closes = random(2) === 1;
  if (closes) move(db, position, -1);
  return `${position} was removed${closes ? ', the gap closed' : ''}`;
};

/** Inserts a copy of an event with a new id before it, and moves what follows. */
export const insert: Tampering = (db, random, sealed) => {
  const row = rowAt(db, 1 + random(sealed));
  move(db, row.position, 1);
  const later = rowsOf(db, 'stream = ? AND revision >= ? ORDER BY revision DESC', row.stream, row.revision);
  for (const { position } of later)
    db.prepare('UPDATE events SET revision = revision + 1 WHERE position = ?').run(position);
  const copy = { ...row, event_id: randomUUID(), category: row.stream.split('-')[0] ?? '' };
  const columns = Object.keys(copy);
  db.prepare(`INSERT INTO events (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...Object.values(copy),
  );
  return `a copy of ${row.position} before it`;
};

/** Swaps two events of the log. */
export const reorder: Tampering = (db, random, sealed) => {
  const one = 1 + random(sealed);
  const other = 1 + ((one + random(sealed - 1)) % sealed);
  db.prepare('UPDATE events SET position = -1 WHERE position = ?').run(one);
  db.prepare('UPDATE events SET position = ? WHERE position = ?').run(one, other);
  db.prepare('UPDATE events SET position = ? WHERE position = -1').run(other);
  return `${one} and ${other} changed places`;
};

/** Removes the end of a stream, below the seal, and closes the gaps. */
export const cut: Tampering = (db, random, sealed) => {
  const { stream } = rowAt(db, 1 + random(sealed));
  const rows = rowsOf(db, 'stream = ? AND position <= ? ORDER BY position DESC', stream, sealed);
  const removed = rows.slice(0, 1 + random(rows.length));
  for (const { position } of removed) {
    db.prepare('DELETE FROM events WHERE position = ?').run(position);
    move(db, position, -1);
  }
  return `${removed.length} of ${rows.length} events were cut off ${stream}`;
};

/** Writes a valid hash chain for a stream. */
export const rehash = (db: Database.Database, stream: string): void => {
  let previous: string | null = null;
  for (const { position, event_id: id, type, data, metadata, revision } of rowsOf(
    db,
    'stream = ? ORDER BY revision',
    stream,
  )) {
    const json: unknown = JSON.parse(metadata);
    const content: unknown = JSON.parse(data);
    if (!JsonObject.is(json) || !JsonObject.is(content)) throw new Error('no JSON');
    const { hash: _hash, ...rest } = json;
    previous = eventHash({ stream, revision, id, type, data: content, metadata: rest }, previous);
    const text = JSON.stringify({ ...rest, hash: previous });
    db.prepare('UPDATE events SET metadata = ? WHERE position = ?').run(text, position);
  }
};

/** Changes the time of an event, and writes valid hashes for the stream. */
export const forge: Tampering = (db, random, sealed) => {
  const { position, stream, metadata } = rowAt(db, 1 + random(sealed));
  const forged = metadata.replace(/"recorded_at":"20/, '"recorded_at":"19');
  db.prepare('UPDATE events SET metadata = ? WHERE position = ?').run(forged, position);
  rehash(db, stream);
  return `${position} was forged, the hashes of ${stream} made to fit`;
};
