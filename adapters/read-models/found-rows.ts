import type Database from 'libsql';
import type { Table } from '../../projections/table.js';
import { columnsOf, readRow } from './row-json.js';

/** A row and its number: rows that came later have greater ones. */
export interface Numbered<Row> {
  readonly number: number;
  readonly row: Row;
}

export const readNumbered = <Row>(table: Table<Row>, result: unknown): Numbered<Row> => {
  const [number, text] = columnsOf(result);
  return { number: Number(number), row: readRow(table, text) };
};

/** Finds the rows with a value in a column, in the order of another column or in which they came. */
export const findBy = <Row>(
  db: Database.Database,
  table: Table<Row>,
  column: string,
  order = 'number',
): ((value: string) => ReadonlyArray<Row>) => {
  const select = db.prepare(`SELECT row FROM ${table.name} WHERE ${column} = ? ORDER BY ${order}`).raw(true);
  return (value) => select.all(value).map((result) => readRow(table, columnsOf(result)[0]));
};

/** Lists rows whose number is below another, newest first; only those with a value in a column, when one is named. */
export const listNewest = <Row>(
  db: Database.Database,
  table: Table<Row>,
  column: string | null,
): ((below: number, limit: number, ...value: ReadonlyArray<string>) => ReadonlyArray<Numbered<Row>>) => {
  const condition = column === null ? '' : `${column} = ?3 AND `;
  const select = db
    .prepare(`SELECT number, row FROM ${table.name} WHERE ${condition}number < ?1 ORDER BY number DESC LIMIT ?2`)
    .raw(true);
  return (below, limit, ...value) => select.all(below, limit, ...value).map((result) => readNumbered(table, result));
};
