import type { Table, TableRows } from './table.js';
import { type RowOf, type Tables, tables } from './tables.js';

/** Type function from a table's row type to `made`. Extend this interface to define one. */
export interface TableMapping {
  readonly row: unknown;
  readonly made: unknown;
}
type Made<Kind extends TableMapping, Row> = (Kind & { readonly row: Row })['made'];

/** Applies a function to every table. */
export const mapTables = <Kind extends TableMapping>(
  make: <Row>(table: Table<Row>) => Made<Kind, Row>,
): { readonly [Name in keyof Tables]: Made<Kind, RowOf<Tables[Name]>> } => ({
  videos: make(tables.videos),
  videoTags: make(tables.videoTags),
  audios: make(tables.audios),
  matchRuns: make(tables.matchRuns),
  lateArrivals: make(tables.lateArrivals),
  lateWrites: make(tables.lateWrites),
  accounts: make(tables.accounts),
  apiKeys: make(tables.apiKeys),
  creditAccounts: make(tables.creditAccounts),
  ledger: make(tables.ledger),
  usage: make(tables.usage),
  reviewQuestions: make(tables.reviewQuestions),
  nameQuestions: make(tables.nameQuestions),
  sessionKeys: make(tables.sessionKeys),
});

/** An in-memory table that can also list all rows. */
export interface MemoryTable<Row> extends TableRows<Row> {
  /** All rows in insertion order. */
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

interface InMemory extends TableMapping {
  readonly made: MemoryTable<this['row']>;
}

/** Creates empty in-memory tables. */
export const memoryRows = () => mapTables<InMemory>(inMemory);
