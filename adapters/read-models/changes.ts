import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/recorded-event.js';
import { Finite } from '../../domain/kernel/json.js';
import type { TableSums } from './checksum.js';
import type { Progress } from './progress-row.js';

/** The changed rows of one table: for each row its key, its columns, and its JSON text. */
export interface TableChange {
  readonly table: string;
  readonly columns: ReadonlyArray<string>;
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>;
  /** The keys of deleted rows. */
  readonly deleted: ReadonlyArray<string>;
}

/** Values in the order of a table's columns. */
export type Values = ReadonlyArray<string | number>;

/** New entries of the event index. */
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
  /** The checksums of the tables before this batch. */
  readonly sums: TableSums;
  readonly tables: ReadonlyArray<TableChange>;
  readonly index: IndexChange;
  /** Whether deleted content must not remain in any file afterwards. */
  readonly erases: boolean;
}

/** The result of a batch: the checksums of the tables after it, or why it was not written. */
export const Written = t.union([
  t.type({ ok: t.literal(true), sums: t.record(t.string, t.type({ rows: Finite, sum: Finite })) }),
  t.type({ ok: t.literal(false), message: t.string, code: nullable(t.string) }),
]);
export type Written = t.TypeOf<typeof Written>;
