import type Database from 'libsql';
import { type TableSum, type TableSums, addSums, checksumOf, emptySum, rowChecksum, subtractSums } from './checksum.js';
import type { Batch, TableChange, Values } from './changes.js';
import { columnsOf } from './row-json.js';
import type { Progress } from './progress-row.js';

type Value = string | number | null;

/** How many small rows share a statement, which saves calls. */
const rowsPerStatement = 32;
const maxCharacters = 1_000_000;

const lengthOf = (rows: ReadonlyArray<ReadonlyArray<Value>>): number =>
  rows.reduce((sum, row) => sum + row.reduce<number>((all, value) => all + String(value).length, 0), 0);

/** Runs a statement for rows, several at a time if they are small. `sqlOf` returns the SQL for a number of rows. */
const inChunks = (
  prepare: (sql: string) => Database.Statement,
  rows: ReadonlyArray<ReadonlyArray<Value>>,
  sqlOf: (rows: number) => string,
  use: (statement: Database.Statement, values: ReadonlyArray<Value>) => void,
): void => {
  if (rows.length === 0) return;
  const [many, one] = [prepare(sqlOf(rowsPerStatement)), prepare(sqlOf(1))];
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const chunk = rows.slice(from, from + rowsPerStatement);
    if (chunk.length === rowsPerStatement && lengthOf(chunk) < maxCharacters) use(many, chunk.flat());
    else chunk.forEach((row) => use(one, row));
  }
};

const placesFor = (columns: number, rows: number): string =>
  Array<string>(rows)
    .fill(`(${Array<string>(columns).fill('?').join(', ')})`)
    .join(', ');

const sumOf = (checksums: ReadonlyArray<number>): TableSum =>
  checksums.reduce((all, sum) => addSums(all, { rows: 1, sum }), emptySum);

const eventColumns = ['number', 'stream', 'revision', 'stream_hash', 'request_hash', 'kind', 'actor', 'at'];
const widenBlock = `ON CONFLICT (block) DO UPDATE
  SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`;

/** The columns of the progress row as they are stored: position, details, checksum. */
export const progressColumns = (
  { position, log_id, last, unopened }: Progress,
  sums: TableSums,
): readonly [position: string | null, details: string, checksum: number] => {
  const details = JSON.stringify({ log_id, last, unopened, sums });
  return [position, details, checksumOf([position, details])];
};

type Prepare = (sql: string) => Database.Statement;

/** Prepares each statement once. */
const preparer = (db: Database.Database): Prepare => {
  const prepared = new Map<string, Database.Statement>();
  return (sql) => {
    const known = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
};

const insert = (
  prepare: Prepare,
  table: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Value>>,
  otherwise = '',
): void =>
  inChunks(
    prepare,
    rows,
    (count) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${placesFor(columns.length, count)} ${otherwise}`,
    (statement, values) => void statement.run(values),
  );

/** What the rows with these keys currently contribute to the sum of the table. */
const storedSum = (prepare: Prepare, table: string, keys: ReadonlyArray<string>): TableSum => {
  let stored = emptySum;
  inChunks(
    prepare,
    keys.map((key) => [key]),
    (count) =>
      `SELECT count(*), coalesce(sum(checksum), 0) FROM ${table}
       WHERE key IN (${Array<string>(count).fill('?').join(', ')})`,
    (statement, values) => {
      const [rows, sum] = columnsOf(statement.raw(true).get(values)).map(Number);
      stored = addSums(stored, { rows: rows ?? 0, sum: sum ?? 0 });
    },
  );
  return stored;
};

/** Upserts and deletes rows; returns the sums after that. */
const upsert = (prepare: Prepare, sums: TableSums, { table, columns, rows, deleted }: TableChange): TableSums => {
  const written = rows.map(([key, ...rest]) => {
    const [values, text] = [rest.slice(0, -1), rest.at(-1) ?? ''];
    return { key: key ?? '', values, checksum: rowChecksum(key ?? '', values, text), text };
  });
  const keys = written.map(({ key }) => key);
  const before = storedSum(prepare, table, [...keys, ...deleted]);
  const remove = prepare(`DELETE FROM ${table} WHERE key = ?`);
  deleted.forEach((key) => remove.run([key]));
  const names = [...columns, 'checksum', 'row'];
  insert(
    prepare,
    table,
    ['key', ...names],
    written.map(({ key, values, checksum, text }) => [key, ...values, checksum, text]),
    `ON CONFLICT (key) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  );
  const added = sumOf(written.map(({ checksum }) => checksum));
  return { ...sums, [table]: addSums(subtractSums(sums[table] ?? emptySum, before), added) };
};

/** How many events share a statement. */
const eventsPerStatement = 500;

/**
 * Inserts the rows from a single JSON parameter, which costs less than binding each value. SQLite ends a JSON text at a
 * NUL character; if there is one, each value is bound.
 */
const insertEvents = (prepare: Prepare, events: ReadonlyArray<Values>): void => {
  const fields = eventColumns.map((_, index) => `value ->> ${index}`);
  const together = prepare(
    `INSERT INTO event_index (${eventColumns.join(', ')}) SELECT ${fields.join(', ')} FROM json_each(?)`,
  );
  for (let from = 0; from < events.length; from += eventsPerStatement) {
    const some = events.slice(from, from + eventsPerStatement);
    const json = JSON.stringify(some);
    if (json.includes(String.raw`\u0000`)) insert(prepare, 'event_index', eventColumns, some);
    else together.run([json]);
  }
};

const withAdded = (sums: TableSums, table: string, rows: ReadonlyArray<Values>): TableSums => ({
  ...sums,
  [table]: addSums(sums[table] ?? emptySum, sumOf(rows.map(checksumOf))),
});

/** Writes batches with prepared statements. */
export const batchWriter = (db: Database.Database) => {
  const prepare = preparer(db);
  const begin = prepare('UPDATE progress SET advanced_from = ?');
  const advance = prepare('UPDATE progress SET position = ?, details = ?, checksum = ?, advanced_from = ?');
  /**
   * Writes a batch inside the caller's transaction and returns the sums of the tables after it. Throws also when
   * another process has written meanwhile.
   */
  return ({ from, to, sums: before, tables, index }: Batch): TableSums => {
    begin.run([from.position]);
    let sums = before;
    for (const change of tables) sums = upsert(prepare, sums, change);
    insertEvents(prepare, index.events);
    insert(prepare, 'event_kinds', ['kind', 'category', 'type'], index.kinds);
    insert(prepare, 'event_actors', ['actor', 'key_id', 'account_id'], index.actors);
    sums = withAdded(sums, 'event_index', index.events);
    sums = withAdded(sums, 'event_kinds', index.kinds);
    sums = withAdded(sums, 'event_actors', index.actors);
    insert(prepare, 'event_blocks', ['block', 'first_at', 'last_at'], index.blocks, widenBlock);
    advance.run(...progressColumns(to, sums), from.position);
    return sums;
  };
};
