import type { Table } from '../../projections/table.js';
import { literal } from './writer.js';

/** Rows that are not committed: those that were put, and those that are being written. */
export interface Unwritten<Row> {
  readonly get: (key: string) => Row | undefined;
  readonly put: (row: Row) => void;
  readonly all: () => ReadonlyArray<Row>;
  /** The statements that write what was put since the last time, each row once. */
  readonly changes: () => ReadonlyArray<string>;
  /** What `changes` gave is committed: the rows and the sizes of their texts. */
  readonly settle: () => ReadonlyArray<{ readonly key: string; readonly row: Row; readonly size: number }>;
  readonly forget: () => void;
}

/** Rows that are not committed, and the statements for them. */
export const createUnwritten = <Row>(table: Table<Row>): Unwritten<Row> => {
  const names = Object.keys(table.columns);
  const columns = Object.values(table.columns);
  const updates = [...names, 'row'].map((column) => `${column} = excluded.${column}`).join(', ');
  let put = new Map<string, Row>();
  let written: ReadonlyMap<string, Row> = new Map();
  let sizes: ReadonlyArray<number> = [];
  const toValues = ([key, row]: readonly [string, Row]): string =>
    `(${[key, ...columns.map((column) => column(row)), JSON.stringify(row)].map(literal).join(', ')})`;
  const upsert = (values: ReadonlyArray<string>): string =>
    `INSERT INTO ${table.name} (${['key', ...names, 'row'].join(', ')}) VALUES ${values.join(',\n')}
     ON CONFLICT (key) DO UPDATE SET ${updates}`;
  return {
    get: (key) => put.get(key) ?? written.get(key),
    put: (row) => void put.set(table.key(row), row),
    all: () => [...new Map([...written, ...put]).values()],
    changes: () => {
      if (put.size === 0) return [];
      const values = Array.from(put, toValues);
      written = put;
      put = new Map();
      sizes = values.map(({ length }) => length);
      return [upsert(values)];
    },
    settle: () => {
      const settled = Array.from(written, ([key, row], index) => ({ key, row, size: sizes[index] ?? 0 }));
      written = new Map();
      sizes = [];
      return settled;
    },
    forget: () => {
      put = new Map();
      written = new Map();
      sizes = [];
    },
  };
};
