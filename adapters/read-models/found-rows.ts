import Database from 'libsql';
import { countFitting } from '../runtime/json-size.js';
import type { Table } from '../../projections/table.js';
import { DamagedFile } from './damage.js';
import { columnsOf, readRow, rowColumns } from './row-json.js';

/** A row and its number; later rows have greater numbers. */
export interface Numbered<Row> {
  readonly number: number;
  readonly row: Row;
}

export const readNumbered = <Row>(table: Table<Row>, result: unknown): Numbered<Row> => {
  const [number, bytes, checksum] = columnsOf(result);
  return { number: Number(number), row: readRow(table, bytes, checksum).row };
};

/** Throws if the row does not have the value in the column: the index is damaged. */
const checkColumn = <Row>({ name, columns }: Table<Row>, column: string, value: string | undefined, row: Row): void => {
  if (columns[column]?.(row) !== value) throw new DamagedFile(`an index of ${name} leads to another row`);
};

/** Finds the rows with a value in a column, in the order in which they were added. */
export const findBy = <Row>(
  db: Database.Database,
  table: Table<Row>,
  column: string,
): ((value: string) => ReadonlyArray<Row>) => {
  const select = db.prepare(`SELECT ${rowColumns} FROM ${table.name} WHERE ${column} = ? ORDER BY number`).raw(true);
  return (value) =>
    select.all(value).map((result) => {
      const [bytes, checksum] = columnsOf(result);
      const { row } = readRow(table, bytes, checksum);
      checkColumn(table, column, value, row);
      return row;
    });
};

/** The rows found, and whether there are more. */
export interface Found<Row> {
  readonly rows: ReadonlyArray<Numbered<Row>>;
  readonly more: boolean;
}

/** The SQL of a list. Its parameters are `?1`, where the list starts, and `?3` onwards. */
interface List {
  readonly where: string;
  readonly order: string;
}

/**
 * Reading and decoding rows blocks the event loop, so at most this many bytes of rows are read at once, but at least
 * one row.
 */
export const maxBytes = 500_000;

/** Lists rows of a table from a given place: at most `limit`, and fewer if they are large. */
export const listRows = <Row>(
  db: Database.Database,
  table: Table<Row>,
  { where, order }: List,
): ((from: number, limit: number, ...values: ReadonlyArray<string>) => Found<Row>) => {
  const those = `FROM ${table.name} WHERE ${where} ORDER BY ${order} LIMIT ?2`;
  const sizes = db.prepare(`SELECT octet_length(row) ${those}`).raw(true);
  const select = db.prepare(`SELECT number, ${rowColumns} ${those}`).raw(true);
  return (from, limit, ...values) => {
    // Both statements must see the same rows.
    db.exec('BEGIN');
    try {
      const found = sizes.all(from, limit + 1, ...values).map((result) => Number(columnsOf(result)[0]));
      const count = countFitting(found.slice(0, limit), maxBytes);
      const rows = select.all(from, count, ...values).map((result) => readNumbered(table, result));
      return { rows, more: found.length > count };
    } finally {
      db.exec('COMMIT');
    }
  };
};

/** Lists rows with a value in a column and a number above the given one, oldest first. */
export const listOldest = <Row>(
  db: Database.Database,
  table: Table<Row>,
  column: string,
): ReturnType<typeof listRows<Row>> =>
  listRows(db, table, { where: `${column} = ?3 AND number > ?1`, order: 'number' });

/** Lists rows with a number below the given one, newest first; if a column is given, only those with a value in it. */
export const listNewest = <Row>(
  db: Database.Database,
  table: Table<Row>,
  column: string | null,
): ReturnType<typeof listRows<Row>> =>
  listRows(db, table, {
    where: `${column === null ? '' : `${column} = ?3 AND `}number < ?1`,
    order: 'number DESC',
  });
