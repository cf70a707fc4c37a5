import type { Table } from '../../projections/table.js';
import type { TableChange } from './changes.js';

/** A row with about the length of its JSON text. */
export interface Sized<Row> {
  readonly row: Row;
  readonly size: number;
}

/** Rows that are not committed: those that were put, those that were deleted (null), and those that are being written. */
export interface Unwritten<Row> {
  readonly get: (key: string) => Sized<Row> | null | undefined;
  /** `size`: how long the row's text was before, as far as that is known. */
  readonly put: (row: Row, size: number) => void;
  readonly delete: (key: string) => void;
  readonly all: () => ReadonlyArray<Row>;
  /** How long the texts of what was put are, about. */
  readonly size: () => number;
  /** What was put since the last time, each row once; null for nothing. */
  readonly changes: () => TableChange | null;
  /** What `changes` gave is committed: its rows by their keys. */
  readonly settle: () => ReadonlyMap<string, Sized<Row> | null>;
  readonly forget: () => void;
}

/** Rows of a table that are not committed. */
export const createUnwritten = <Row>(table: Table<Row>): Unwritten<Row> => {
  const columns = Object.values(table.columns);
  let put = new Map<string, Sized<Row> | null>();
  let putSize = 0;
  let written: ReadonlyMap<string, Sized<Row> | null> = new Map();
  return {
    get: (key) => (put.has(key) ? put.get(key) : written.get(key)),
    put: (row, size) => {
      const key = table.key(row);
      putSize += put.has(key) ? 0 : size;
      put.set(key, { row, size });
    },
    delete: (key) => void put.set(key, null),
    all: () => [...new Map([...written, ...put]).values()].flatMap((sized) => (sized === null ? [] : [sized.row])),
    size: () => putSize,
    changes: () => {
      if (put.size === 0) return null;
      const deleted = [...put].flatMap(([key, sized]) => (sized === null ? [key] : []));
      const texts = [...put].flatMap(([key, sized]) =>
        sized === null ? [] : [{ key, row: sized.row, text: JSON.stringify(sized.row) }],
      );
      written = new Map([
        ...deleted.map((key) => [key, null] as const),
        ...texts.map(({ key, row, text }) => [key, { row, size: text.length }] as const),
      ]);
      put = new Map();
      putSize = 0;
      return {
        table: table.name,
        columns: Object.keys(table.columns),
        rows: texts.map(({ key, row, text }) => [key, ...columns.map((column) => column(row)), text]),
        deleted,
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
