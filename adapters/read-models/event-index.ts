import * as E from 'fp-ts/lib/Either.js';
import type { StoredEvent } from '../../application/ports/event-store.js';
import { EventMetadata, streamCategory } from '../../domain/kernel/recorded-event.js';
import { type EventSelection, bookkeepingCategory, typeName } from '../../projections/event-selection.js';
import { type Statements, columnsOf, textOf } from './sqlite.js';

/**
 * The place of every event in the log, without its content, with a column for each thing that can be searched for; each
 * index is in the order of the log. A search goes through the log in blocks of events; the times of a block tell whether
 * any of its events can be in a period, because the order of times and numbers may differ.
 */
export const eventIndexSchema = `CREATE TABLE event_index (
  number INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL,
  category TEXT NOT NULL,
  type TEXT NOT NULL, -- without version
  version TEXT NOT NULL,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
${['stream', 'type', 'key_id', 'account_id', 'request_id']
  .map((column) => `CREATE INDEX event_index_by_${column} ON event_index (${column});`)
  .join('\n')}
CREATE TABLE event_blocks (block INTEGER PRIMARY KEY, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL) STRICT;`;

/** How many events a block has. */
const defaultBlock = 10_000;

const unknown = { actor: { key_id: '', account_id: '' }, correlation_id: '', recorded_at: null };

/** The index of all events by what can be searched for. */
export interface EventIndex {
  /** Adds the next event of the log, whether or not a codec can read it. */
  readonly put: (stored: StoredEvent) => void;
  /** Writes the times of the events that were added. */
  readonly write: () => void;
  /** Discards what is not committed. */
  readonly forget: () => void;
}

/** The number of the newest event; 0 before the first. */
export const newestEvent = (statements: Statements) => (): number =>
  Number(columnsOf(statements('SELECT max(number) FROM event_index').get())[0] ?? 0);

export const eventIndex = (statements: Statements, blockSize = defaultBlock): EventIndex => {
  const insert = statements('INSERT INTO event_index VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const widen = statements(`INSERT INTO event_blocks VALUES (?, ?, ?) ON CONFLICT (block) DO UPDATE
    SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`);
  const newest = newestEvent(statements);
  const blocks = new Map<number, readonly [first_at: number, last_at: number]>();
  let number = newest();
  return {
    put: ({ stream, revision, type, metadata }) => {
      const known = EventMetadata.decode(metadata);
      const { actor, correlation_id, recorded_at } = E.isRight(known) ? known.right : unknown;
      const at = recorded_at === null ? 0 : Date.parse(recorded_at);
      number += 1;
      const name = typeName(type);
      insert.run([
        number,
        stream,
        revision,
        streamCategory(stream),
        name,
        type.slice(name.length),
        actor.key_id,
        actor.account_id,
        correlation_id,
        at,
      ]);
      const block = Math.floor((number - 1) / blockSize);
      const [first_at, last_at] = blocks.get(block) ?? [at, at];
      blocks.set(block, [Math.min(first_at, at), Math.max(last_at, at)]);
    },
    write: () => {
      blocks.forEach((times, block) => void widen.run([block, ...times]));
      blocks.clear();
    },
    forget: () => {
      blocks.clear();
      number = newest();
    },
  };
};

/** The place of an event, and its number in the order of the log. */
interface IndexedPlace {
  readonly number: number;
  readonly stream: string;
  readonly revision: number;
}

interface FoundPlaces {
  readonly places: ReadonlyArray<IndexedPlace>;
  /** How far the log was examined, so that the search can be continued from there; null when all of it was. */
  readonly examined: number | null;
}

type Value = string | number;

/** A condition and the values of its parameters. */
interface Condition {
  readonly sql: string;
  readonly values: ReadonlyArray<Value>;
}

const equals = (column: string, value: string | null): ReadonlyArray<Condition> =>
  value === null ? [] : [{ sql: `${column} = ?`, values: [value] }];

/** A plus sign keeps SQLite from using an index for a condition. */
const withoutIndex = (conditions: ReadonlyArray<Condition>): Condition => ({
  sql: `(${conditions.map(({ sql }) => `+${sql}`).join(' OR ')})`,
  values: conditions.flatMap(({ values }) => values),
});

/**
 * The conditions of a selection: those for an index, which is the one that probably finds the fewest events, and the
 * rest. Of the former one must hold, and each is for an index of its own.
 */
const conditionsOf = ({ request_id, stream, actor, type, category, hide, from, to }: EventSelection) => {
  const name = type === null ? null : typeName(type);
  const version = type === name ? null : (type?.slice(name?.length) ?? null);
  const all: Condition = { sql: 'true', values: [] };
  const [indexed = [all], ...others] = [
    equals('request_id', request_id),
    equals('stream', stream),
    [...equals('key_id', actor), ...equals('account_id', actor)],
    equals('type', name),
    equals('category', category),
  ].filter((conditions) => conditions.length > 0);
  const rest: ReadonlyArray<Condition> = [
    ...others.map(withoutIndex),
    ...equals('version', version),
    ...(hide === null ? [] : [{ sql: 'category <> ?', values: [bookkeepingCategory] }]),
    { sql: 'at >= ? AND at < ?', values: timesOf({ from, to }) },
  ];
  return { indexed, rest };
};

const timesOf = ({ from, to }: Pick<EventSelection, 'from' | 'to'>): readonly [from: number, to: number] => [
  from === null ? Number.MIN_SAFE_INTEGER : Date.parse(from),
  to === null ? Number.MAX_SAFE_INTEGER : Date.parse(to),
];

const placeOf = (row: unknown): IndexedPlace => {
  const [number, bytes, revision] = columnsOf(row);
  return { number: Number(number), stream: textOf(bytes) ?? '', revision: Number(revision) };
};

/** A search ends after a block when it has taken this long, in milliseconds. */
const defaultMs = 50;

/**
 * Finds events after one number and up to another, at most `limit`, in the order of the log or in the opposite one; fewer
 * or none if that takes too long. `examined` is the number up to which, or with `descending` down to which, the log was
 * examined.
 */
export const searchEvents =
  (statements: Statements, blockSize = defaultBlock, maxMs = defaultMs) =>
  (selection: EventSelection, after: number, upTo: number, limit: number, descending = false): FoundPlaces => {
    const began = performance.now();
    const { indexed, rest } = conditionsOf(selection);
    const order = descending ? 'DESC' : 'ASC';
    const sign = descending ? -1 : 1;
    const take = (low: number, high: number, most: number): ReadonlyArray<IndexedPlace> => {
      const found = indexed.flatMap(({ sql, values }) =>
        statements(
          `SELECT number, CAST(stream AS BLOB), revision FROM event_index
           WHERE ${[sql, ...rest.map((condition) => condition.sql)].join(' AND ')} AND number > ? AND number <= ?
           ORDER BY number ${order} LIMIT ?`,
        )
          .all([...values, ...rest.flatMap((condition) => condition.values), low, high, most])
          .map(placeOf),
      );
      if (indexed.length === 1) return found;
      const once = new Map(found.map((place) => [place.number, place]));
      return [...once.values()].sort((one, other) => sign * (one.number - other.number)).slice(0, most);
    };
    const blocks = statements(
      `SELECT block FROM event_blocks WHERE block BETWEEN ? AND ? AND last_at >= ? AND first_at < ? ORDER BY block ${order}`,
    ).all([Math.floor(after / blockSize), Math.floor((upTo - 1) / blockSize), ...timesOf(selection)]);
    const places: IndexedPlace[] = [];
    for (const [index, row] of blocks.entries()) {
      const block = Number(columnsOf(row)[0]);
      const [low, high] = [Math.max(after, block * blockSize), Math.min(upTo, (block + 1) * blockSize)];
      places.push(...take(low, high, limit - places.length));
      if (places.length >= limit) break;
      if (index < blocks.length - 1 && performance.now() - began > maxMs)
        return { places, examined: descending ? low + 1 : high };
    }
    return { places, examined: null };
  };
