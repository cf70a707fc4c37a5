import * as t from 'io-ts';
import type Database from 'libsql';
import { LRUCache } from 'lru-cache';
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

/** Prepares a statement, or finds it among those that were prepared recently. */
export type Statements = (sql: string) => Query;

/** Searches are composed of many conditions, so that there could be thousands of statements. */
const maxStatements = 1_000;

export const statementsOf = (db: Database.Database): Statements => {
  const prepared = new LRUCache<string, Query>({ max: maxStatements, memoMethod: (sql) => query(db, sql) });
  return (sql) => prepared.memo(sql);
};

/** A condition with one parameter; null: no condition. */
export type Condition = readonly [sql: string, value: string | number | null];

/** All conditions as one, with the values of its parameters. */
export const allOf = (conditions: ReadonlyArray<Condition>) => {
  const stated = conditions.filter(([, value]) => value !== null);
  return { sql: stated.map(([sql]) => sql).join(' AND ') || 'TRUE', values: stated.map(([, value]) => value) };
};
