import * as t from 'io-ts';
import type Database from 'libsql';
import { type Query, query, utf8Of } from '../runtime/sqlite.js';

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

/** Prepares each statement once. */
export type Statements = (sql: string) => Query;

export const statementsOf = (db: Database.Database): Statements => {
  const prepared = new Map<string, Query>();
  return (sql) => {
    const known = prepared.get(sql) ?? query(db, sql);
    prepared.set(sql, known);
    return known;
  };
};
