import { isUtf8 } from 'node:buffer';

/**
 * The text of a column selected as a BLOB; null when it is not a BLOB or not valid UTF-8. Texts are read this way
 * because libsql crashes the process when a text is not valid UTF-8.
 */
export const utf8Of = (column: unknown): string | null =>
  Buffer.isBuffer(column) && isUtf8(column) ? column.toString('utf8') : null;

/** What a transaction needs of an open database. */
interface Database {
  readonly inTransaction: boolean;
  readonly exec: (sql: string) => unknown;
}

const rollBack = (db: Database): void => {
  if (db.inTransaction) db.exec('ROLLBACK');
};

/** Runs the work under the write lock and commits it; rolls everything back when it throws. */
export const inTransaction = <A>(db: Database, work: () => A): A => {
  rollBack(db);
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
};

type Columns = ReadonlyArray<unknown>;

/** What a query needs of an open database. */
interface Queried {
  prepare(sql: string): {
    readonly reader: boolean;
    raw(on: boolean): unknown;
    get(values: Columns): unknown;
    all(values: Columns): ReadonlyArray<unknown>;
    run(values: Columns): { readonly changes: number };
  };
}

export interface Query {
  /** The columns of the first row; none if there is no row. */
  readonly first: (...values: ReadonlyArray<unknown>) => Columns;
  readonly all: (...values: ReadonlyArray<unknown>) => ReadonlyArray<Columns>;
  /** The number of rows that it changed. */
  readonly run: (...values: ReadonlyArray<unknown>) => number;
}

const columnsOf = (row: unknown): Columns => (Array.isArray(row) ? row : []);

/** Prepares a query whose rows are lists of columns. */
export const query = (db: Queried, sql: string): Query => {
  const statement = db.prepare(sql);
  if (statement.reader) statement.raw(true);
  return {
    first: (...values) => columnsOf(statement.get(values)),
    all: (...values) => statement.all(values).map(columnsOf),
    run: (...values) => statement.run(values).changes,
  };
};
