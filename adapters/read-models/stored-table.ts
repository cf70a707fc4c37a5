import type Database from 'libsql';
import type { Table, TableRows } from '../../projections/table.js';
import { type LruCache, lruCache } from '../../application/lru-cache.js';
import type { TableChange } from './changes.js';
import { DamagedFile } from './damage.js';
import { findBy } from './found-rows.js';
import { columnsOf, type ReadRow, readRow, rowColumns } from './row-json.js';

/** A row with about the length of its JSON text. */
interface Sized<Row> {
  readonly row: Row;
  readonly size: number;
}

/** Rows that are not committed: those that were put, those that were deleted (null), and those that are being written. */
interface Unwritten<Row> {
  readonly get: (key: string) => Sized<Row> | null | undefined;
  /** `size`: how long the row's text was before, as far as that is known. */
  readonly put: (row: Row, size: number) => void;
  readonly delete: (key: string) => void;
  readonly all: () => ReadonlyArray<Row>;
  /** How long the texts of what was put are, about. */
  readonly size: () => number;
  /** What was put since the last time, each row once; null for nothing. */
  readonly changes: () => TableChange | null;
  /** What `changes` gave is committed: its rows by their keys. */
  readonly settle: () => ReadonlyMap<string, Sized<Row> | null>;
  readonly forget: () => void;
}

/** Rows of a table that are not committed. */
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
    settle: () => {
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

/** The rows of a table: what projections put is kept in memory until it is committed, and seen by them alone. */
export interface StoredTable<Row> extends TableRows<Row> {
  /** The row as it is committed; one that was read before only if it is new enough. */
  readonly committed: (key: string, isNewEnough?: (row: Row) => boolean) => Row | null;
  /** About how many characters of rows were put since the last `changes`. */
  readonly unwrittenSize: () => number;
  /** What was put since the last time, each row once; null for nothing. */
  readonly changes: () => TableChange | null;
  /** What `changes` gave is committed; answers the keys of its rows. */
  readonly settle: () => ReadonlyArray<string>;
  /** Another number after every commit that changed rows. */
  readonly generation: () => number;
  /** Forgets what is not committed, and all that was read before. */
  readonly forget: () => void;
}

/** How much text of recently used rows a table keeps decoded, unless it says more. */
const usualRoom = 500_000;

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

/** Finds rows by the value of a column, with one statement for each column. */
const finder = <Row>(db: Database.Database, table: Table<Row>) => {
  const prepared = new Map<string, (value: string) => ReadonlyArray<Row>>();
  return (column: string, value: string): ReadonlyArray<Row> => {
    const find = prepared.get(column) ?? findBy(db, table, column);
    prepared.set(column, find);
    return find(value);
  };
};

const keep = <Row>(recent: LruCache<Sized<Row>>, key: string, sized: Sized<Row> | null): void =>
  sized === null ? recent.delete(key) : recent.set(key, sized);

/** The rows of one table; `db` is for reading. Every function may throw. */
export const storedTable = <Row>(db: Database.Database, table: Table<Row>): StoredTable<Row> => {
  const select = rowByKey(db, table);
  const find = finder(db, table);
  const recent = lruCache<Sized<Row>>(table.room ?? usualRoom, ({ size }) => size);
  const unwritten = createUnwritten(table);
  /** What `put` is told of the row that it takes the place of: the last that was asked for. */
  let last = { key: '', size: 0 };
  let generation = 0;

  const committed = (key: string, isNewEnough: (row: Row) => boolean = () => true): Row | null => {
    const known = recent.get(key);
    if (known !== undefined && isNewEnough(known.row)) {
      last = { key, size: known.size };
      return known.row;
    }
    const found = select(key);
    last = { key, size: found?.size ?? 0 };
    if (found !== null) recent.set(key, { row: found.row, size: found.size });
    return found?.row ?? null;
  };
  return {
    get: (key) => {
      const known = unwritten.get(key);
      if (known === null) return undefined;
      if (known === undefined) return committed(key) ?? undefined;
      last = { key, size: known.size };
      return known.row;
    },
    put: (row) => unwritten.put(row, table.key(row) === last.key ? last.size : 0),
    delete: unwritten.delete,
    where: (column, value) => [
      ...find(column, value).filter((row) => unwritten.get(table.key(row)) === undefined),
      ...unwritten.all().filter((row) => table.columns[column]?.(row) === value),
    ],
    committed,
    unwrittenSize: unwritten.size,
    changes: unwritten.changes,
    settle: () => {
      const settled = unwritten.settle();
      if (settled.size > 0) generation += 1;
      for (const [key, sized] of settled) keep(recent, key, sized);
      return [...settled.keys()];
    },
    generation: () => generation,
    forget: () => {
      generation += 1;
      unwritten.forget();
      recent.clear();
    },
  };
};
