import type Database from 'libsql';
import { LRUCache } from 'lru-cache';
import type { Table, TableRows } from '../../projections/table.js';
import { utf8Of } from '../runtime/sqlite.js';
import type { TableChange } from './changes.js';
import { DamagedFile } from './damage.js';
import { columnsOf, type ReadRow, readRow, rowColumns } from './row-json.js';

/** A row with the approximate length of its JSON text. */
interface Sized<Row> {
  readonly row: Row;
  readonly size: number;
}

/** Rows that are not committed yet: new, deleted (null), or being written. */
interface Unwritten<Row> {
  readonly get: (key: string) => Sized<Row> | null | undefined;
  /** `size`: the previous length of the row's text, if known. */
  readonly put: (row: Row, size: number) => void;
  readonly delete: (key: string) => void;
  readonly all: () => ReadonlyArray<Row>;
  /** The approximate length of the texts of the new rows. */
  readonly size: () => number;
  /** The changes since the last call, each row once; null if there are none. */
  readonly changes: () => TableChange | null;
  /** Call this when the result of `changes` is committed; returns its rows by key. */
  readonly committedChanges: () => ReadonlyMap<string, Sized<Row> | null>;
  readonly forget: () => void;
}

/** The uncommitted rows of a table. */
const createUnwritten = <Row>(table: Table<Row>): Unwritten<Row> => {
  const columns = Object.values(table.columns);
  let put = new Map<string, Sized<Row> | null>();
  let putSize = 0;
  let written: ReadonlyMap<string, Sized<Row> | null> = new Map();
  return {
    get: (key) => (put.has(key) ? put.get(key) : written.get(key)),
    put: (row, size) => {
      const key = table.key(row);
      putSize += put.has(key) ? 0 : size;
      put.set(key, { row, size });
    },
    delete: (key) => void put.set(key, null),
    all: () => [...new Map([...written, ...put]).values()].flatMap((sized) => (sized === null ? [] : [sized.row])),
    size: () => putSize,
    changes: () => {
      if (put.size === 0) return null;
      const deleted = [...put].flatMap(([key, sized]) => (sized === null ? [key] : []));
      const texts = [...put].flatMap(([key, sized]) =>
        sized === null ? [] : [{ key, row: sized.row, text: JSON.stringify(sized.row) }],
      );
      written = new Map([
        ...deleted.map((key) => [key, null] as const),
        ...texts.map(({ key, row, text }) => [key, { row, size: text.length }] as const),
      ]);
      put = new Map();
      putSize = 0;
      return {
        table: table.name,
        columns: Object.keys(table.columns),
        rows: texts.map(({ key, row, text }) => [key, ...columns.map((column) => column(row)), text]),
        deleted,
      };
    },
    committedChanges: () => {
      const settled = written;
      written = new Map();
      return settled;
    },
    forget: () => {
      put = new Map();
      putSize = 0;
      written = new Map();
    },
  };
};

/**
 * The rows of a table. What projections put is kept in memory until it is committed, and only projections see it until
 * then.
 */
export interface StoredTable<Row> extends TableRows<Row> {
  /** The committed row; a cached one is used only if it is new enough. */
  readonly committed: (key: string, isNewEnough?: (row: Row) => boolean) => Row | null;
  /** The approximate number of characters of rows put since the last `changes`. */
  readonly unwrittenSize: () => number;
  /** The changes since the last call, each row once; null if there are none. */
  readonly changes: () => TableChange | null;
  /** Call this when the result of `changes` is committed; returns the keys of its rows. */
  readonly committedChanges: () => ReadonlyArray<string>;
  /** A number that changes with every commit that changed rows. */
  readonly generation: () => number;
  /** Discards what is not committed, and all cached rows. */
  readonly forget: () => void;
}

/** The capacity of the row cache in characters of JSON, unless the table sets its own. */
const defaultRoom = 500_000;

const rowByKey = <Row>(db: Database.Database, table: Table<Row>): ((key: string) => ReadRow<Row> | null) => {
  const select = db.prepare(`SELECT ${rowColumns} FROM ${table.name} WHERE key = ?`).raw(true);
  return (key) => {
    const found: unknown = select.get(key);
    if (found === undefined) return null;
    const [bytes, checksum] = columnsOf(found);
    const read = readRow(table, bytes, checksum);
    if (table.key(read.row) !== key) throw new DamagedFile(`${table.name} finds another row by a key`);
    return read;
  };
};

/** The maximum number of cached lookups by column value. */
const maxCachedLookups = 10_000;

/**
 * Finds the keys of committed rows by the value of a column. Lookups are cached, because projections repeat one for
 * every event of a stream. A cached lookup may contain keys of rows whose value has changed, but it misses none.
 */
const keysByColumn = <Row>(db: Database.Database, { name, columns }: Table<Row>) => {
  const prepared = new Map<string, Database.Statement>();
  const cached = new LRUCache<string, ReadonlyArray<string>>({ max: maxCachedLookups });
  const select = (column: string): Database.Statement => {
    const known =
      prepared.get(column) ??
      db.prepare(`SELECT CAST(key AS BLOB) FROM ${name} WHERE ${column} = ? ORDER BY number`).raw(true);
    prepared.set(column, known);
    return known;
  };
  return {
    /**
     * `hasValue`: whether the row with a key has the value. Throws `DamagedFile` when the index leads to another row.
     */
    find: (column: string, value: string, hasValue: (key: string) => boolean): ReadonlyArray<string> => {
      const lookup = `${column} ${value}`;
      const known = cached.get(lookup);
      if (known !== undefined) return known;
      const keys = select(column)
        .all(value)
        .map((row) => utf8Of(columnsOf(row)[0]));
      if (!keys.every((key) => key !== null)) throw new DamagedFile(`a key of ${name} is not valid UTF-8`);
      if (!keys.every(hasValue)) throw new DamagedFile(`an index of ${name} leads to another row`);
      cached.set(lookup, keys);
      return keys;
    },
    /** Drops the cached lookups that have to find this row from now on. */
    committed: (row: Row): void =>
      prepared.forEach((_, column) => cached.delete(`${column} ${columns[column]?.(row) ?? ''}`)),
    clear: () => cached.clear(),
  };
};

/** Reads committed rows through an LRU cache. */
const committedRows = <Row>(db: Database.Database, table: Table<Row>) => {
  const select = rowByKey(db, table);
  const cache = new LRUCache<string, Sized<Row>>({
    maxSize: table.room ?? defaultRoom,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });
  /** The row that was last read and its size: usually the one that `put` replaces next. */
  let last = { key: '', size: 0 };
  return {
    get: (key: string, isNewEnough: (row: Row) => boolean = () => true): Row | null => {
      const known = cache.get(key);
      if (known !== undefined && isNewEnough(known.row)) {
        last = { key, size: known.size };
        return known.row;
      }
      const found = select(key);
      last = { key, size: found?.size ?? 0 };
      if (found !== null) cache.set(key, { row: found.row, size: found.size });
      return found?.row ?? null;
    },
    update: (key: string, sized: Sized<Row> | null): void =>
      void (sized === null ? cache.delete(key) : cache.set(key, sized)),
    clear: () => cache.clear(),
    wasRead: (key: string, size: number): void => void (last = { key, size }),
    sizeWhenRead: (key: string): number => (key === last.key ? last.size : 0),
  };
};

/** The rows of one table; `db` is for reading. Every function may throw. */
export const storedTable = <Row>(db: Database.Database, table: Table<Row>): StoredTable<Row> => {
  const rows = committedRows(db, table);
  const committed = rows.get;
  const keysBy = keysByColumn(db, table);
  const unwritten = createUnwritten(table);
  let generation = 0;

  return {
    get: (key) => {
      const known = unwritten.get(key);
      if (known === null) return undefined;
      if (known === undefined) return committed(key) ?? undefined;
      rows.wasRead(key, known.size);
      return known.row;
    },
    put: (row) => unwritten.put(row, rows.sizeWhenRead(table.key(row))),
    delete: unwritten.delete,
    where: (column, value) => {
      const valueOf = (row: Row | null): string | null =>
        row === null ? null : (table.columns[column]?.(row) ?? null);
      const isCommitted = (key: string): boolean => unwritten.get(key) === undefined;
      const keys = keysBy.find(column, value, (key) => !isCommitted(key) || valueOf(committed(key)) === value);
      const found = keys.filter(isCommitted).flatMap((key) => committed(key) ?? []);
      return [...found, ...unwritten.all()].filter((row) => valueOf(row) === value);
    },
    committed,
    unwrittenSize: unwritten.size,
    changes: unwritten.changes,
    committedChanges: () => {
      const settled = unwritten.committedChanges();
      if (settled.size > 0) generation += 1;
      for (const [key, sized] of settled) {
        rows.update(key, sized);
        if (sized !== null) keysBy.committed(sized.row);
      }
      return [...settled.keys()];
    },
    generation: () => generation,
    forget: () => {
      generation += 1;
      unwritten.forget();
      rows.clear();
      keysBy.clear();
    },
  };
};
