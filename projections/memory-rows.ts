import type { Table, TableRows } from './table.js';
import { type MadeOfTable, ofEachTable } from './each-table.js';

/** A table in memory, which can also be read as a whole. */
export interface MemoryTable<Row> extends TableRows<Row> {
  /** All rows in the order in which they came. */
  readonly all: () => ReadonlyArray<Row>;
}

const inMemory = <Row>(table: Table<Row>): MemoryTable<Row> => {
  const rows = new Map<string, Row>();
  return {
    get: (key) => rows.get(key),
    put: (row) => void rows.set(table.key(row), row),
    delete: (key) => void rows.delete(key),
    all: () => [...rows.values()],
    where: (column, value) => [...rows.values()].filter((row) => table.columns[column]?.(row) === value),
  };
};

interface InMemory extends MadeOfTable {
  readonly made: MemoryTable<this['row']>;
}

/** New, empty tables in memory. */
export const memoryRows = () => ofEachTable<InMemory>(inMemory);
