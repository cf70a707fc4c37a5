import type { Table, TableRows } from './table.js';
import { tables } from './tables.js';

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
    all: () => [...rows.values()],
    where: (column, value) => [...rows.values()].filter((row) => table.columns[column]?.(row) === value),
  };
};

/** New, empty tables in memory. */
export const memoryRows = () => ({
  videos: inMemory(tables.videos),
  videoTags: inMemory(tables.videoTags),
  audios: inMemory(tables.audios),
  matchRuns: inMemory(tables.matchRuns),
  lateArrivals: inMemory(tables.lateArrivals),
  lateWrites: inMemory(tables.lateWrites),
  accounts: inMemory(tables.accounts),
  apiKeys: inMemory(tables.apiKeys),
  creditAccounts: inMemory(tables.creditAccounts),
  ledger: inMemory(tables.ledger),
  usage: inMemory(tables.usage),
  reviewQuestions: inMemory(tables.reviewQuestions),
  sessionKeys: inMemory(tables.sessionKeys),
});
