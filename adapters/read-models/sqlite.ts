import * as t from 'io-ts';
import type Database from 'libsql';
import { utf8Of } from '../runtime/sqlite.js';

/** The file contains something that the read models cannot have written; it has to be rebuilt from the log. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** A name that the fixed statements use can be missing only from a damaged schema. */
const missingName = /^no such (?:table|column|index)/;

/** Whether an error means that the file is damaged. */
export const isDamage = (cause: unknown): boolean =>
  cause instanceof DamagedFile ||
  (cause instanceof Error &&
    (missingName.test(cause.message) || ('code' in cause && /^SQLITE_(CORRUPT|NOTADB)/.test(String(cause.code)))));

/** A failure of a port; it contains a reason. */
const Described = t.type({ reason: t.string });

/** The reason of an error or failure, as text. */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof Error) return cause.message;
  return Described.is(cause) ? cause.reason : String(cause);
};

/**
 * The text of a column that is selected as a BLOB: libsql ends the process when a text is not valid UTF-8. Throws
 * `DamagedFile` if it is not.
 */
export const textOf = (column: unknown): string | null => {
  const text = utf8Of(column);
  if (text === null && column !== null) throw new DamagedFile('a text is not valid UTF-8');
  return text;
};

type Columns = ReadonlyArray<unknown>;

const columnsOf = (row: unknown): Columns => (Array.isArray(row) ? row : []);

/** A prepared statement. Rows are lists of columns, as the database returned them. */
interface Statement {
  /** The first row; no columns if there is none. */
  readonly first: (values?: Columns) => Columns;
  readonly all: (values?: Columns) => ReadonlyArray<Columns>;
  /** The number of rows that it changed. */
  readonly run: (values?: Columns) => number;
}

const prepare = (db: Database.Database, sql: string): Statement => {
  const statement = db.prepare(sql);
  if (statement.reader) statement.raw(true);
  return {
    first: (values = []) => columnsOf(statement.get(values)),
    all: (values = []) => statement.all(values).map(columnsOf),
    run: (values = []) => statement.run(values).changes,
  };
};

/** Prepares each statement once. */
export type Statements = (sql: string) => Statement;

export const statementsOf = (db: Database.Database): Statements => {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const known = prepared.get(sql) ?? prepare(db, sql);
    prepared.set(sql, known);
    return known;
  };
};
