import type { Table } from './table.js';
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
