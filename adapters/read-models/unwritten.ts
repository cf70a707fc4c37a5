import type { Table } from '../../projections/table.js';
import type { TableChange } from './changes.js';

/** A row with about the length of its JSON text. */
export interface Sized<Row> {
  readonly row: Row;
  readonly size: number;
}

/** Rows that are not committed: those that were put, and those that are being written. */
export interface Unwritten<Row> {
  readonly get: (key: string) => Sized<Row> | undefined;
  /** `size`: how long the row's text was before, as far as that is known. */
  readonly put: (row: Row, size: number) => void;
  readonly all: () => ReadonlyArray<Row>;
  /** How long the texts of what was put are, about. */
  readonly size: () => number;
  /** What was put since the last time, each row once; null for nothing. */
  readonly changes: () => TableChange | null;
  /** What `changes` gave is committed: its rows by their keys. */
  readonly settle: () => ReadonlyMap<string, Sized<Row>>;
  readonly forget: () => void;
}

/** Rows of a table that are not committed. */
export const createUnwritten = <Row>(table: Table<Row>): Unwritten<Row> => {
  const columns = Object.values(table.columns);
  let put = new Map<string, Sized<Row>>();
  let putSize = 0;
  let written: ReadonlyMap<string, Sized<Row>> = new Map();
  return {
    get: (key) => put.get(key) ?? written.get(key),
    put: (row, size) => {
      const key = table.key(row);
      putSize += put.has(key) ? 0 : size;
      put.set(key, { row, size });
    },
    all: () => Array.from(new Map([...written, ...put]).values(), ({ row }) => row),
    size: () => putSize,
    changes: () => {
      if (put.size === 0) return null;
      const texts = Array.from(put, ([key, { row }]) => ({ key, row, text: JSON.stringify(row) }));
      written = new Map(texts.map(({ key, row, text }) => [key, { row, size: text.length }]));
      put = new Map();
      putSize = 0;
      return {
        table: table.name,
        columns: Object.keys(table.columns),
        rows: texts.map(({ key, row, text }) => [key, ...columns.map((column) => column(row)), text]),
      };
    },
    settle: () => {
      const settled = written;
      written = new Map();
      return settled;
    },
    forget: () => {
      put = new Map();
      putSize = 0;
      written = new Map();
    },
  };
};
