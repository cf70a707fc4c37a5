import * as t from 'io-ts';
import type Database from 'libsql';
import { utf8Of } from '../runtime/sqlite.js';

/** The file contains something that the read models cannot have written; it has to be rebuilt from the log. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Whether an error means that the file is damaged. */
export const isDamage = (cause: unknown): boolean =>
  cause instanceof DamagedFile ||
  (cause instanceof Error &&
    'code' in cause &&
    typeof cause.code === 'string' &&
    damageCodes.some((code) => String(cause.code).startsWith(code)));

/** A failure of a port; it contains a reason. */
const Described = t.type({ reason: t.string });

/** The reason of an error or failure, as text. */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof Error) return cause.message;
  return Described.is(cause) ? cause.reason : String(cause);
};

/** The columns of a result row as the database returned them. */
export const columnsOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : []);

/**
 * The text of a column that is selected as a BLOB: libsql ends the process when a text is not valid UTF-8. Throws
 * `DamagedFile` if it is not.
 */
export const textOf = (column: unknown): string | null => {
  const text = utf8Of(column);
  if (text === null && column !== null) throw new DamagedFile('a text is not valid UTF-8');
  return text;
};

/** Prepares each statement once. Its rows are lists of columns. */
export type Statements = (sql: string) => Database.Statement;

export const statementsOf = (db: Database.Database): Statements => {
  const prepared = new Map<string, Database.Statement>();
  return (sql) => {
    const known = prepared.get(sql) ?? db.prepare(sql);
    if (!prepared.has(sql)) prepared.set(sql, known.reader ? known.raw(true) : known);
    return known;
  };
};
