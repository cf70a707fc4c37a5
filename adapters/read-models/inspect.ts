import Database from 'libsql';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { projections } from '../../projections/projections.js';
import { tables } from '../../projections/tables.js';
import { hasContent, isCurrent, readProgress } from './file.js';
import { isDamage, reasonOf, statementsOf } from './sqlite.js';

/** The content of a file of read models. */
export interface FileContent {
  /** Files that are `outdated`, `missing` or `broken` are rebuilt by the next start of a service. */
  readonly state: 'current' | 'outdated' | 'missing' | 'broken';
  readonly position: Position | null;
  /** The number of rows of each table; empty unless the file is current. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The versions of the projections in this program. */
export const currentVersions: Readonly<Record<string, number>> = Object.fromEntries(
  projections.map(({ name, version }) => [name, version]),
);

const tableNames: ReadonlyArray<string> = [...Object.values(tables).map(({ name }) => name), 'event_index'];

const readContent = (db: Database.Database): FileContent => {
  const statements = statementsOf(db);
  const current = isCurrent(db);
  const countOf = (name: string): number => Number(statements(`SELECT count(*) FROM ${name}`).first()[0]);
  return {
    state: current ? 'current' : 'outdated',
    position: readProgress(statements).position,
    rows: Object.fromEntries(current ? tableNames.map((name) => [name, countOf(name)]) : []),
  };
};

/**
 * Inspects a file of read models without writing to it; a service may be using it. Throws on a database of something
 * else, and on a file that may not be read.
 */
export const inspectFile = (file: string): FileContent => {
  if (!hasContent(file)) return { state: 'missing', position: null, rows: {} };
  try {
    const db = new Database(file, { readonly: true });
    try {
      db.exec('PRAGMA busy_timeout = 2000');
      return readContent(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isDamage(error)) return { state: 'broken', position: null, rows: {} };
    throw new Error(`Cannot read the read models ${file}: ${reasonOf(error)}`, { cause: error });
  }
};
