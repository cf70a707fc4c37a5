import Database from 'libsql';
import type { RecordSelection } from '../../projections/queries.js';
import { columnsOf } from './row-json.js';
import type { Place } from './cursors.js';

/** A row in the order of a list, without its content. */
export interface Scanned extends Place {
  readonly number: number;
  /** Whether it matches the selection, as far as the columns tell. */
  readonly fits: boolean;
}

type Value = string | number | null | Buffer;

/** In SQLite's order blobs come after all texts, and the empty text before them. */
const afterAll = Buffer.alloc(0);
const beforeAll = '';

/** The parameters of all statements, by number. */
interface Parameters {
  readonly limit: number;
  readonly owner_id: Value;
  readonly low: Value;
  readonly high: Value;
  readonly key: string;
  readonly selection: RecordSelection;
  readonly needs_review: boolean | null;
}

const values = ({ limit, owner_id, low, high, key, selection, needs_review }: Parameters): ReadonlyArray<Value> => [
  limit,
  owner_id,
  low,
  high,
  key,
  selection.status,
  selection.linked_id,
  selection.title,
  selection.created.from,
  selection.created.to,
  needs_review === null ? null : Number(needs_review),
];

/** Every statement names all parameters, so that they can all be bound in the same way. */
const fits = (linked: string, needsReview: string): string =>
  `(?6 IS NULL OR status = ?6) AND (?7 IS NULL OR ${linked} = ?7) AND (?8 IS NULL OR instr(title, ?8) > 0)
   AND (?9 IS NULL OR created_at >= ?9) AND (?10 IS NULL OR created_at < ?10)
   AND (?11 IS NULL OR ${needsReview} = ?11) AND ?2 IS ?2 AND ?3 IS ?3 AND ?4 IS ?4 AND ?5 IS ?5`;

/** The parts of a list after a place: rows with an equal value, rows with a later value, rows without a value. */
type Part = 'equal' | 'from' | 'beyond' | 'none';

const conditions: Readonly<Record<Part, (column: string) => string>> = {
  equal: (column) => `${column} = ?3 AND key > ?5`,
  from: (column) => `${column} >= ?3 AND ${column} < ?4`,
  beyond: (column) => `${column} > ?3 AND ${column} < ?4`,
  none: (column) => `${column} IS NULL AND key > ?5`,
};

const columns = { created_at: 'created_at', updated_at: 'updated_at', title: 'title_order' } as const;

/** The column to sort by. Among those that wait for their analysis, only these are examined. */
const columnOf = ({ sort, status }: RecordSelection): string =>
  sort === 'created_at' && status === 'queue' ? 'waits_since' : columns[sort];

/** The texts from `low` up to `high` (exclusive), as the selection bounds the value it sorts by. */
const boundsOf = ({ sort, created }: RecordSelection): { readonly low: Value; readonly high: Value } =>
  sort === 'created_at'
    ? { low: created.from ?? beforeAll, high: created.to ?? afterAll }
    : { low: beforeAll, high: afterAll };

/** The parts that remain after a place, with the bounds of each. */
const partsAfter = (
  selection: RecordSelection,
  place: Place | null,
): ReadonlyArray<{ readonly part: Part; readonly low: Value; readonly high: Value; readonly key: string }> => {
  const { low, high } = boundsOf(selection);
  const none = (key: string) => ({ part: 'none', low, high, key }) as const;
  const last = selection.sort === 'title' ? [none('')] : [];
  if (place === null) return [{ part: 'from', low, high, key: '' }, ...last];
  const { value, key } = place;
  if (value === null) return [none(key)];
  const equal = { part: 'equal', low: value, high, key } as const;
  return selection.descending
    ? [equal, { part: 'from', low, high: value, key }, ...last]
    : [equal, { part: 'beyond', low: value, high, key }, ...last];
};

/**
 * Scans at most `limit` rows of videos or audios in the order of a selection, after a place. `linked` is the column
 * with the other record's id; `needsReview` is the SQL expression for whether a row needs review.
 */
export const scanRecords = (db: Database.Database, table: string, linked: string, needsReview: string) => {
  const prepared = new Map<string, Database.Statement>();
  const statement = (sql: string): Database.Statement => {
    const known = prepared.get(sql) ?? db.prepare(sql).raw(true);
    prepared.set(sql, known);
    return known;
  };
  return (
    selection: RecordSelection,
    needs_review: boolean | null,
    place: Place | null,
    limit: number,
  ): ReadonlyArray<Scanned> => {
    const { owner_id } = selection;
    const column = columnOf(selection);
    const scanned: Scanned[] = [];
    for (const { part, ...bounds } of partsAfter(selection, place)) {
      if (scanned.length >= limit) break;
      const found = statement(
        `SELECT number, key, ${column}, ${fits(linked, needsReview)} FROM ${table}
         WHERE ${owner_id === null ? '' : 'owner_id = ?2 AND '}${conditions[part](column)}
         ORDER BY ${column} ${selection.descending ? 'DESC' : 'ASC'}, key LIMIT ?1`,
      ).all(...values({ limit: limit - scanned.length, owner_id, ...bounds, selection, needs_review }));
      for (const row of found) {
        const [number, key, value, isFitting] = columnsOf(row);
        scanned.push({
          number: Number(number),
          key: String(key),
          value: typeof value === 'string' ? value : null,
          fits: isFitting === 1,
        });
      }
    }
    return scanned;
  };
};
