import * as t from 'io-ts';
import { LRUCache } from 'lru-cache';
import { mapTables, type Table, type TableMapping, type TableRows } from '../../projections/tables.js';
import type { Listing } from '../../projections/queries.js';
import { toCursor } from '../runtime/cursor.js';
import { parsedJson } from '../runtime/json.js';
import { countFitting } from '../runtime/memory.js';
import { DamagedFile, type Statements, textOf } from './sqlite.js';

/** The column to select for `readSized`. */
const rowColumn = 'CAST(row AS BLOB)';

interface Sized<Row> {
  readonly row: Row;
  /** The length of its JSON text. */
  readonly size: number;
}

/** The row from these bytes; throws `DamagedFile` when they do not fit its codec. */
const readSized = <Row>({ name, codec }: Pick<Table<Row>, 'name' | 'codec'>, bytes: unknown): Sized<Row> => {
  const text = textOf(bytes) ?? '';
  const row = parsedJson(text);
  if (!codec.is(row)) throw new DamagedFile(`a row of ${name} does not fit its codec`);
  return { row, size: text.length };
};

/** The rows of a table. What projections put is written by `write`, at the end of the same turn. */
export interface StoredTable<Row> extends TableRows<Row> {
  /** Writes the rows that were put or deleted. Returns the keys of all rows that changed since the last call. */
  readonly write: () => ReadonlyArray<string>;
  /** Discards what is not written, and all rows in memory. */
  readonly forget: () => void;
}

/** How many characters of rows of a table are kept in memory. */
const room = 500_000;

/** Writes rows. Of one that is known, only the columns that differ, because each costs the writing of its indexes. */
const rowWriter = <Row>(statements: Statements, table: Table<Row>) => {
  const columns = Object.entries(table.columns);
  const names = ['key', ...columns.map(([column]) => column), 'row'];
  const insert = statements(
    `INSERT OR REPLACE INTO ${table.name} (number, ${names.join(', ')})
     VALUES ((SELECT number FROM ${table.name} WHERE key = ?1), ${names.map((_, index) => `?${index + 1}`).join(', ')})`,
  );
  return (key: string, row: Row, text: string, before: Row | undefined): void => {
    if (before === undefined) return void insert.run(key, ...columns.map(([, valueOf]) => valueOf(row)), text);
    const differing = columns.filter(([, valueOf]) => valueOf(row) !== valueOf(before));
    const set = [...differing.map(([column]) => column), 'row'].map((column) => `${column} = ?`).join(', ');
    const values = differing.map(([, valueOf]) => valueOf(row));
    statements(`UPDATE ${table.name} SET ${set} WHERE key = ?`).run(...values, text, key);
  };
};

/** The rows of one table. Every function may throw. */
export const storedTable = <Row>(statements: Statements, table: Table<Row>): StoredTable<Row> => {
  const { name, codec } = table;
  const areRows = (rows: unknown): rows is ReadonlyArray<Row> => Array.isArray(rows) && rows.every(codec.is);
  const select = statements(`SELECT ${rowColumn} FROM ${name} WHERE key = ?`);
  /** The rows of a value as one JSON text: thousands of rows are read several times as fast. */
  const selectRows = `SELECT CAST('[' || ifnull(group_concat(row), '') || ']' AS BLOB) FROM ${name}`;
  const remove = statements(`DELETE FROM ${name} WHERE key = ?`);
  const writeRow = rowWriter(statements, table);
  const cache = new LRUCache<string, Sized<Row>>({
    maxSize: room,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });
  const unwritten = new Map<string, Row | null>();
  const changed = new Set<string>();

  const get = (key: string): Row | undefined => {
    const put = unwritten.get(key);
    if (put !== undefined) return put ?? undefined;
    const known = cache.get(key);
    if (known !== undefined) return known.row;
    const [found] = select.first(key);
    if (found === undefined) return undefined;
    const sized = readSized(table, found);
    cache.set(key, sized);
    return sized.row;
  };
  const writeAll = (): void => {
    for (const [key, row] of unwritten) {
      changed.add(key);
      if (row === null) {
        remove.run(key);
        cache.delete(key);
      } else {
        const text = JSON.stringify(row);
        writeRow(key, row, text, cache.peek(key)?.row);
        cache.set(key, { row, size: text.length });
      }
    }
    unwritten.clear();
  };
  return {
    get,
    put: (row) => void unwritten.set(table.key(row), row),
    delete: (key) => void unwritten.set(key, null),
    where: (column, value) => {
      writeAll();
      const [found] = statements(`${selectRows} WHERE ${column} = ?`).first(value);
      return readSized({ name, codec: { is: areRows } }, found).row;
    },
    write: () => {
      writeAll();
      const keys = [...changed];
      changed.clear();
      return keys;
    },
    forget: () => {
      unwritten.clear();
      changed.clear();
      cache.clear();
    },
  };
};

interface Stored extends TableMapping {
  readonly made: StoredTable<this['row']>;
}

/** All tables. */
export const openTables = (statements: Statements) => mapTables<Stored>((table) => storedTable(statements, table));
export type StoredTables = ReturnType<typeof openTables>;

/** The place of a row in a sorted list, as in a cursor: the value it is sorted by, and its id. */
export const Place = t.tuple([t.union([t.string, t.null]), t.string]);
export type Place = t.TypeOf<typeof Place>;

/** At most this many bytes of rows are read at once, but at least one row: reading them blocks the event loop. */
export const maxBytes = 500_000;

/** The SQL of a list. Its parameters are `?1`, where a page starts, and `?3` onwards. */
interface List<Row> {
  readonly where?: string;
  readonly order: string;
  /** What to select from; by default the table. */
  readonly from?: string;
  /** Where the list continues after a row; by default after its number, which is greater in later rows. */
  readonly placeOf?: (row: Row) => Place;
}

/** Lists rows of a table from a given place: at most `limit`, and fewer if they are large. */
export const listRows = <Row>(
  statements: Statements,
  table: Table<Row>,
  { where = 'TRUE', order, from = table.name, placeOf }: List<Row>,
) => {
  const rest = `FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ?2`;
  const sizes = statements(`SELECT octet_length(row) ${rest}`);
  const select = statements(`SELECT number, ${rowColumn} ${rest}`);
  return (place: number | string, limit: number, ...values: ReadonlyArray<string>): Listing<Row> => {
    const found = sizes.all(place, limit + 1, ...values).map(([size]) => Number(size));
    const count = countFitting(found.slice(0, limit), maxBytes);
    const rows = select
      .all(place, count, ...values)
      .map(([number, bytes]) => ({ number: Number(number), row: readSized(table, bytes).row }));
    const last = found.length > count ? rows.at(-1) : undefined;
    return {
      items: rows.map(({ row }) => row),
      next_cursor: last === undefined ? null : toCursor(placeOf?.(last.row) ?? [last.number]),
    };
  };
};
