import type Database from 'libsql';
import type { Table, TableRows } from '../../projections/table.js';
import { createRecent } from './recent.js';
import { columnsOf, readRow } from './row-json.js';
import { createUnwritten } from './unwritten.js';

/** The rows of a table: what projections put is kept in memory until it is committed, and seen by them alone. */
export interface StoredTable<Row> extends TableRows<Row> {
  /** The row as it is committed; one that was read before only if it is new enough. */
  readonly committed: (key: string, isNewEnough?: (row: Row) => boolean) => Row | null;
  /** The statements that write what was put since the last time, each row once. */
  readonly changes: () => ReadonlyArray<string>;
  /** What `changes` gave is committed. */
  readonly settle: () => void;
  /** Another number after every commit that changed rows. */
  readonly generation: () => number;
  /** Forgets what is not committed, and all that was read before. */
  readonly forget: () => void;
}

/** How much text of recently used rows a table keeps decoded, unless told. */
const usualRoom = 500_000;

const findRows =
  <Row>(db: Database.Database, table: Table<Row>) =>
  (column: string, value: string): ReadonlyArray<Row> =>
    db
      .prepare(`SELECT row FROM ${table.name} WHERE ${column} = ?`)
      .raw(true)
      .all(value)
      .map((result) => readRow(table, columnsOf(result)[0]));

/** The rows of one table; `db` is for reading. Every function may throw. */
export const storedTable = <Row>(
  db: Database.Database,
  table: Table<Row>,
  room: number = usualRoom,
): StoredTable<Row> => {
  const select = db.prepare(`SELECT row FROM ${table.name} WHERE key = ?`).raw(true);
  const find = findRows(db, table);
  const recent = createRecent<Row>(room);
  const unwritten = createUnwritten(table);
  let generation = 0;

  const committed = (key: string, isNewEnough: (row: Row) => boolean = () => true): Row | null => {
    const known = recent.get(key);
    if (known !== undefined && isNewEnough(known)) return known;
    const [text] = columnsOf(select.get(key));
    if (typeof text !== 'string') return null;
    const row = readRow(table, text);
    recent.set(key, row, text.length);
    return row;
  };
  return {
    get: (key) => unwritten.get(key) ?? committed(key) ?? undefined,
    put: unwritten.put,
    where: (column, value) => [
      ...find(column, value).filter((row) => unwritten.get(table.key(row)) === undefined),
      ...unwritten.all().filter((row) => table.columns[column]?.(row) === value),
    ],
    committed,
    changes: unwritten.changes,
    settle: () => {
      const settled = unwritten.settle();
      if (settled.length > 0) generation += 1;
      settled.forEach(({ key, row, size }) => recent.set(key, row, size));
    },
    generation: () => generation,
    forget: () => {
      generation += 1;
      unwritten.forget();
      recent.clear();
    },
  };
};
