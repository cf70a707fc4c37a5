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

/** What a table's statements have in common: the rows come as JSON, each as its key, its columns and itself. */
const writeStatement = ({ name, columns }: Pick<Table<never>, 'name' | 'columns'>): string => {
  const names = Object.keys(columns);
  const values = ['key', ...names].map((_, index) => `value ->> ${index}`);
  const updates = [...names, 'row'].map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${name} (${['key', ...names, 'row'].join(', ')})
    SELECT ${values.join(', ')}, value -> ${values.length} FROM json_each(?) WHERE true
    ON CONFLICT (key) DO UPDATE SET ${updates.join(', ')}`;
};

export const createUnwritten = <Row>(table: Table<Row>): Unwritten<Row> => {
  const columns = Object.values(table.columns);
  const [beforeRows, afterRows] = writeStatement(table).split('?');
  let put = new Map<string, Row>();
  let written: ReadonlyMap<string, Row> = new Map();
  let sizes: ReadonlyArray<number> = [];
  const toText = ([key, row]: readonly [string, Row]): string =>
    JSON.stringify([key, ...columns.map((column) => column(row)), row]);
  return {
    get: (key) => put.get(key) ?? written.get(key),
    put: (row) => void put.set(table.key(row), row),
    all: () => [...new Map([...written, ...put]).values()],
    changes: () => {
      if (put.size === 0) return [];
      const texts = Array.from(put, toText);
      written = put;
      put = new Map();
      sizes = texts.map(({ length }) => length);
      return [`${beforeRows}${literal(`[${texts.join(',')}]`)}${afterRows}`];
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
