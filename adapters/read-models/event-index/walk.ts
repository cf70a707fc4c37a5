import type Database from 'libsql';
import { utf8Of } from '../../runtime/sqlite.js';
import { DamagedFile } from '../damage.js';
import { columnsOf } from '../row-json.js';

/** The place of an event, and its number in the order of the log. */
export interface IndexedPlace {
  readonly number: number;
  readonly stream: string;
  readonly revision: number;
}

/** A condition with the value of its single parameter. */
export interface Condition {
  readonly sql: string;
  readonly value: string | number;
}

/** An ordered scan of one index, or of the whole log if null. */
export interface Walk {
  readonly index: string | null;
  readonly conditions: ReadonlyArray<Condition>;
}

/** A range of numbers: after one and up to another. */
export interface Stretch {
  readonly after: number;
  readonly upTo: number;
}

type Take = (walk: Walk, stretch: Stretch, limit: number) => ReadonlyArray<IndexedPlace>;

/** Returns the first places of a scan, in order; with `descending`, from the end, with negative numbers. */
export const createTake = (db: Database.Database, descending: boolean): Take => {
  const prepared = new Map<string, Database.Statement>();
  const statement = (sql: string): Database.Statement => {
    const known = prepared.get(sql) ?? db.prepare(sql).raw(true);
    prepared.set(sql, known);
    return known;
  };
  return ({ index, conditions }, { after, upTo }, limit) => {
    const by = index === null ? '' : ` INDEXED BY ${index}`;
    const where = [...conditions.map(({ sql }) => sql), 'number > ?', 'number <= ?'].join(' AND ');
    const order = descending ? 'number DESC' : 'number';
    const [low, high] = descending ? [-upTo - 1, -after - 1] : [after, upTo];
    return statement(
      `SELECT number, CAST(stream AS BLOB), revision FROM event_index${by} WHERE ${where} ORDER BY ${order} LIMIT ?`,
    )
      .all(...conditions.map(({ value }) => value), low, high, limit)
      .map((row) => {
        const [number, bytes, revision] = columnsOf(row);
        const stream = utf8Of(bytes);
        if (stream === null) throw new DamagedFile('a row of event_index is not valid UTF-8');
        return { number: descending ? -Number(number) : Number(number), stream, revision: Number(revision) };
      });
  };
};

const fewest = 8;

/**
 * The first places of several scans together, in order. Each scan returns a portion. Places up to the end of the
 * shortest portion are certain, and the next portions begin there.
 */
export const merge = (
  take: Take,
  walks: ReadonlyArray<Walk>,
  { after, upTo }: Stretch,
  limit: number,
): ReadonlyArray<IndexedPlace> => {
  const portion = walks.length === 1 ? limit : Math.max(fewest, Math.ceil((2 * limit) / walks.length));
  const found: IndexedPlace[] = [];
  let left = walks;
  for (let from = after; found.length < limit && left.length > 0;) {
    const portions = left.map((walk) => ({ walk, places: take(walk, { after: from, upTo }, portion) }));
    const goOn = portions.filter(({ places }) => places.length === portion);
    const certain = Math.min(upTo, ...goOn.map(({ places }) => places.at(-1)?.number ?? upTo));
    const places = portions.flatMap((one) => one.places);
    found.push(...places.filter(({ number }) => number <= certain).sort((one, other) => one.number - other.number));
    left = portions
      .filter(({ places }) => places.length === portion || (places.at(-1)?.number ?? certain) > certain)
      .map(({ walk }) => walk);
    from = certain;
  }
  return found.slice(0, limit);
};
