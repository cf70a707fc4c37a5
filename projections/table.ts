import type * as t from 'io-ts';

/** A kind of rows. A row is JSON; rows with equal keys are the same row. A store keeps the order in which they came. */
export interface Table<Row> {
  readonly name: string;
  readonly codec: t.Decoder<unknown, Row>;
  readonly key: (row: Row) => string;
  /** Beside the key, what rows are found and ordered by. A row whose column is null is not found by it. */
  readonly columns: Readonly<Record<string, (row: Row) => string | null>>;
  /** The columns of each index, in order. */
  readonly indexes: ReadonlyArray<ReadonlyArray<string>>;
  /** How many characters of rows that were used of late are worth keeping decoded, where rows are large. */
  readonly room?: number;
}

/** The rows of a table as a projection uses them. */
export interface TableRows<Row> {
  readonly get: (key: string) => Row | undefined;
  /** Adds the row, or takes the place of the one with its key. */
  readonly put: (row: Row) => void;
  readonly delete: (key: string) => void;
  /** The rows that have a value in a column, in no order. */
  readonly where: (column: string, value: string) => ReadonlyArray<Row>;
}
