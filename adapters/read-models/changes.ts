import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/event-codecs.js';
import { Finite } from '../../domain/kernel/json.js';
import type { TableSums } from './checksum.js';
import type { Progress } from './progress-row.js';

/** Rows of one table: for each its key, the columns, and its JSON text. */
export interface TableChange {
  readonly table: string;
  readonly columns: ReadonlyArray<string>;
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>;
  /** The keys of rows that are there no more. */
  readonly deleted: ReadonlyArray<string>;
}

/** Values in the order of a table's columns. */
export type Values = ReadonlyArray<string | number>;

/** What is new in the index of events. */
export interface IndexChange {
  readonly events: ReadonlyArray<Values>;
  readonly blocks: ReadonlyArray<Values>;
  readonly kinds: ReadonlyArray<Values>;
  readonly actors: ReadonlyArray<Values>;
}

/** What is written in one transaction. */
export interface Batch {
  readonly from: Progress;
  readonly to: Progress;
  /** The sums of the tables so far. */
  readonly sums: TableSums;
  readonly tables: ReadonlyArray<TableChange>;
  readonly index: IndexChange;
  /** What was there before must not be found in any file afterwards. */
  readonly erases: boolean;
}

/** What became of a batch: the sums of the tables after it, or why it was not written. */
export const Written = t.union([
  t.type({ ok: t.literal(true), sums: t.record(t.string, t.type({ rows: Finite, sum: Finite })) }),
  t.type({ ok: t.literal(false), message: t.string, code: nullable(t.string) }),
]);
export type Written = t.TypeOf<typeof Written>;
