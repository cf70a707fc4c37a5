import type * as t from 'io-ts';

/** A table of JSON rows. A row replaces an earlier one with the same key. Insertion order is kept. */
export interface Table<Row> {
  readonly name: string;
  readonly codec: t.Decoder<unknown, Row>;
  readonly key: (row: Row) => string;
  /** Columns for searching and sorting, besides the key. A null column is not indexed. */
  readonly columns: Readonly<Record<string, (row: Row) => string | null>>;
  /** The columns of each index, in order. */
  readonly indexes: ReadonlyArray<ReadonlyArray<string>>;
  /** Size in characters of the cache of recently used decoded rows, for large rows. */
  readonly room?: number;
}

/** Access of a projection to a table's rows. */
export interface TableRows<Row> {
  readonly get: (key: string) => Row | undefined;
  /** Inserts or replaces a row. */
  readonly put: (row: Row) => void;
  readonly delete: (key: string) => void;
  /** The rows with a value in a column, unordered. */
  readonly where: (column: string, value: string) => ReadonlyArray<Row>;
}
