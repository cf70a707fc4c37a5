import { existsSync, statSync } from 'node:fs';
import Database from 'libsql';
import { utf8Of } from '../runtime/sqlite.js';
import { type TableSum, addSums, checksumOf, emptySum, rowChecksum } from './checksum.js';
import { columnsOf } from './row-json.js';
import { DamagedFile, reasonOf } from './damage.js';
import { readProgressRow } from './progress-row.js';
import { textHash, blockSize } from './event-index/schema.js';

/** Marks a file as read models of this service: the letters `MERM`. */
export const applicationId = 0x4d45524d;

/** The text of a column. A damaged text becomes '', which no written row has in its checksum. */
const text = (column: unknown): string => utf8Of(column) ?? '';

const one = (db: Database.Database, sql: string): unknown => columnsOf(db.prepare(sql).raw(true).get())[0];

/** The expected layout of the file. It is passed in, so that a check loads little code. */
export interface FileLayout {
  readonly shape: string;
  readonly tables: ReadonlyArray<{ readonly name: string; readonly columns: ReadonlyArray<string> }>;
}

/** Compares each row with its checksum and returns the sum of the checksums. */
const sumOfTable = (db: Database.Database, { name, columns }: FileLayout['tables'][number]): TableSum => {
  const selected = ['key', ...columns, 'row'].map((column) => `CAST(${column} AS BLOB)`);
  const page = db
    .prepare(`SELECT number, checksum, ${selected.join(', ')} FROM ${name} WHERE number > ? ORDER BY number LIMIT 100`)
    .raw(true);
  let sum = emptySum;
  for (let after: unknown = 0; ;) {
    const rows = page.all(after).map(columnsOf);
    for (const [number, checksum, key, ...rest] of rows) {
      const values = rest.slice(0, -1).map((column) => (column === null ? null : text(column)));
      const row = rest.at(-1);
      if (typeof checksum !== 'number' || !Buffer.isBuffer(row) || rowChecksum(text(key), values, row) !== checksum)
        throw new DamagedFile(`a row of ${name} is not as it was written`);
      sum = addSums(sum, { rows: 1, sum: checksum });
      after = number;
    }
    if (rows.length === 0) return sum;
  }
};

const sumOfNames = (db: Database.Database, table: string, [number, ...names]: ReadonlyArray<string>): TableSum =>
  db
    .prepare(`SELECT ${number}, ${names.map((name) => `CAST(${name} AS BLOB)`).join(', ')} FROM ${table}`)
    .raw(true)
    .all()
    .map(columnsOf)
    .map(([first, ...rest]) => checksumOf([Number(first), ...rest.map(text)]))
    .reduce((all, sum) => addSums(all, { rows: 1, sum }), emptySum);

/** Checks the events of one block, and the time range of the block. */
const checkBlock = (db: Database.Database, block: number): TableSum => {
  const rows = db
    .prepare(
      `SELECT number, CAST(stream AS BLOB), revision, stream_hash, request_hash, kind, actor, at FROM event_index
       WHERE number > ? AND number <= ? ORDER BY number`,
    )
    .raw(true)
    .all(block * blockSize, (block + 1) * blockSize)
    .map(columnsOf);
  let sum = emptySum;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [number, stream, ...rest] of rows) {
    const numbers = rest.map(Number);
    if (numbers[1] !== textHash(text(stream))) throw new DamagedFile('a row of event_index is not as it was written');
    sum = addSums(sum, { rows: 1, sum: checksumOf([Number(number), text(stream), ...numbers]) });
    [first, last] = [Math.min(first, numbers[5] ?? 0), Math.max(last, numbers[5] ?? 0)];
  }
  const span = columnsOf(db.prepare('SELECT first_at, last_at FROM event_blocks WHERE block = ?').raw(true).get(block));
  if (rows.length > 0 && (span[0] !== first || span[1] !== last))
    throw new DamagedFile('the times of events in event_blocks are not as they were written');
  return sum;
};

const sumOfEvents = (db: Database.Database): TableSum => {
  const blocks = Math.ceil(Number(one(db, 'SELECT coalesce(max(number), 0) FROM event_index')) / blockSize);
  let sum = emptySum;
  for (let block = 0; block < blocks; block += 1) sum = addSums(sum, checkBlock(db, block));
  return sum;
};

const checkContent = (db: Database.Database, { tables }: FileLayout): void => {
  const { sums } = readProgressRow(db);
  const found: Readonly<Record<string, TableSum>> = {
    ...Object.fromEntries(tables.map((table) => [table.name, sumOfTable(db, table)])),
    event_index: sumOfEvents(db),
    event_kinds: sumOfNames(db, 'event_kinds', ['kind', 'category', 'type']),
    event_actors: sumOfNames(db, 'event_actors', ['actor', 'key_id', 'account_id']),
  };
  for (const [name, { rows, sum }] of Object.entries(found)) {
    const written = sums[name] ?? emptySum;
    if (written.rows !== rows || written.sum !== sum)
      throw new DamagedFile(`${name} does not hold the rows that were written: ${rows} of ${written.rows}`);
  }
};

const check = (db: Database.Database, layout: FileLayout): void => {
  db.exec('PRAGMA busy_timeout = 2000');
  db.exec('BEGIN');
  if (one(db, 'PRAGMA application_id') !== applicationId) return;
  if (text(one(db, 'SELECT CAST(shape AS BLOB) FROM progress')) !== layout.shape) return;
  const found = text(one(db, 'SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(1)'));
  if (found !== 'ok') throw new DamagedFile(`SQLite finds the file damaged: ${found}`);
  checkContent(db, layout);
};

/**
 * Reads a whole file of read models and returns the first fault. Null if there is none, and for a missing file, a file
 * of something else or one with another layout, which are handled when it is opened. Call it in a separate process:
 * reading a damaged schema can crash the process.
 */
export const checkReadModelsFile = (file: string, layout: FileLayout): string | null => {
  if (!existsSync(file) || statSync(file).size === 0) return null;
  try {
    const db = new Database(file);
    try {
      check(db, layout);
      return null;
    } finally {
      db.close();
    }
  } catch (error) {
    return reasonOf(error);
  }
};
