import type { Table, TableRows } from './table.js';
import { type Rows, tables } from './tables.js';

const inMemory = <Row>(table: Table<Row>): TableRows<Row> => {
  const rows = new Map<string, Row>();
  return {
    get: (key) => rows.get(key),
    put: (row) => void rows.set(table.key(row), row),
    where: (column, value) => [...rows.values()].filter((row) => table.columns[column]?.(row) === value),
  };
};

/** New, empty tables in memory. */
export const memoryRows = (): Rows => ({
  videos: inMemory(tables.videos),
  audios: inMemory(tables.audios),
  matchRuns: inMemory(tables.matchRuns),
  lateArrivals: inMemory(tables.lateArrivals),
  lateWrites: inMemory(tables.lateWrites),
  accounts: inMemory(tables.accounts),
  apiKeys: inMemory(tables.apiKeys),
  creditAccounts: inMemory(tables.creditAccounts),
  ledger: inMemory(tables.ledger),
});
