import type Database from 'libsql';
import type { Table, TableRows } from '../../projections/table.js';
import { createRecent } from './recent.js';
import { columnsOf, readRow } from './row-json.js';

/** The rows of a table: what projections put is kept in memory until it is written, and seen by them alone. */
export interface StoredTable<Row> extends TableRows<Row> {
  /** The row as it is committed. */
  readonly committed: (key: string) => Row | null;
  /** Writes what was put, each row once, inside the transaction of the caller. */
  readonly write: () => void;
  /** What was written is committed. */
  readonly settle: () => void;
  /** Another number after every commit that changed rows. */
  readonly generation: () => number;
  /** Forgets what was put since the last commit, and all that was read before. */
  readonly forget: () => void;
}

/** How much text of recently used rows each table keeps decoded. */
const room = 2_000_000;

const writeStatements = (db: Database.Database, { name, columns }: Pick<Table<never>, 'name' | 'columns'>) => {
  const names = Object.keys(columns);
  const all = ['key', 'row', ...names];
  const updates = ['row', ...names].map((column) => `${column} = excluded.${column}`);
  return {
    upsert: db.prepare(
      `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
       ON CONFLICT (key) DO UPDATE SET ${updates.join(', ')}`,
    ),
    update: db.prepare(`UPDATE ${name} SET row = ?2 WHERE key = ?1`),
  };
};

const findRows =
  <Row>(db: Database.Database, table: Table<Row>) =>
  (column: string, value: string): ReadonlyArray<Row> =>
    db
      .prepare(`SELECT row FROM ${table.name} WHERE ${column} = ?`)
      .raw(true)
      .all(value)
      .map((result) => readRow(table, columnsOf(result)[0]));

/** The rows of one table in the database. Every function may throw. */
export const storedTable = <Row>(db: Database.Database, table: Table<Row>): StoredTable<Row> => {
  const columns = Object.values(table.columns);
  const { upsert, update } = writeStatements(db, table);
  const select = db.prepare(`SELECT row FROM ${table.name} WHERE key = ?`).raw(true);
  const recent = createRecent<Row>(room);
  const put = new Map<string, Row>();
  const sizes = new Map<string, number>();
  let generation = 0;

  const committed = (key: string): Row | null => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const [text] = columnsOf(select.get(key));
    if (typeof text !== 'string') return null;
    const row = readRow(table, text);
    recent.set(key, row, text.length);
    return row;
  };
  const writeRow = (row: Row, key: string): void => {
    const text = JSON.stringify(row);
    const known = recent.get(key);
    sizes.set(key, text.length);
    if (known !== undefined && columns.every((column) => column(known) === column(row))) update.run(key, text);
    else upsert.run(key, text, ...columns.map((column) => column(row)));
  };
  const found = findRows(db, table);

  return {
    get: (key) => put.get(key) ?? committed(key) ?? undefined,
    put: (row) => void put.set(table.key(row), row),
    where: (column, value) => [
      ...found(column, value).filter((row) => !put.has(table.key(row))),
      ...[...put.values()].filter((row) => table.columns[column]?.(row) === value),
    ],
    committed,
    write: () => put.forEach(writeRow),
    generation: () => generation,
    settle: () => {
      if (put.size > 0) generation += 1;
      put.forEach((row, key) => recent.set(key, row, sizes.get(key) ?? 0));
      put.clear();
      sizes.clear();
    },
    forget: () => {
      generation += 1;
      put.clear();
      sizes.clear();
      recent.clear();
    },
  };
};
