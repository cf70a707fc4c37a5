import type { Table, TableRows } from './table.js';
import { type RowOf, type Tables, tables } from './tables.js';

/** What is made of a table, by the type of its rows: an interface that extends this one says it as `made`. */
export interface MadeOfTable {
  readonly row: unknown;
  readonly made: unknown;
}
type Made<Kind extends MadeOfTable, Row> = (Kind & { readonly row: Row })['made'];

/** Makes something of each table. */
export const ofEachTable = <Kind extends MadeOfTable>(
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
