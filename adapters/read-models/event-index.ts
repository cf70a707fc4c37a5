import type { StoredEvent } from '../../application/ports/event-store.js';
import { type EventMetadata, streamCategory } from '../../domain/kernel/recorded-event.js';
import { type EventSelection, bookkeepingCategory, typeName } from '../../projections/event-selection.js';
import { type Condition, type Statements, allOf, textOf } from './sqlite.js';

/**
 * The place of every event in the log, without its content, with a column for each thing that can be searched for. Only
 * streams have an index. Every other search scans the rows, about ten million a second: an index costs each event more.
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
CREATE INDEX event_index_by_stream ON event_index (stream);`;

/** The number of the newest event; 0 before the first. */
export const newestEvent = (statements: Statements) => (): number =>
  Number(statements('SELECT max(number) FROM event_index').first()[0] ?? 0);

/** Adds the next event of the log, whether or not a codec can read it; `metadata` is null if none can read those. */
export const addToEventIndex = (statements: Statements) => {
  const insert = statements('INSERT INTO event_index VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return ({ stream, revision, type }: StoredEvent, metadata: EventMetadata | null): void => {
    const name = typeName(type);
    const { key_id, account_id } = metadata?.actor ?? { key_id: '', account_id: '' };
    const at = metadata === null ? 0 : Date.parse(metadata.recorded_at);
    const request_id = metadata?.correlation_id ?? '';
    const kind = [streamCategory(stream), name, type.slice(name.length)];
    insert.run(stream, revision, ...kind, key_id, account_id, request_id, at);
  };
};

/** The place of an event, and its number in the order of the log. */
interface IndexedPlace {
  readonly number: number;
  readonly stream: string;
  readonly revision: number;
}

const conditionsOf = (selection: EventSelection): ReadonlyArray<Condition> => {
  const { request_id, stream, actor, type, category, hide, from, to } = selection;
  const name = type === null ? null : typeName(type);
  const version = type === name ? null : (type?.slice(name?.length) ?? null);
  return [
    ['request_id = ?', request_id],
    ['stream = ?', stream],
    ['? IN (key_id, account_id)', actor],
    ['type = ?', name],
    ['version = ?', version],
    ['category = ?', category],
    ['category <> ?', hide && bookkeepingCategory],
    ['at >= ?', from && Date.parse(from)],
    ['at < ?', to && Date.parse(to)],
  ];
};

const placeOf = ([number, bytes, revision]: ReadonlyArray<unknown>): IndexedPlace => ({
  number: Number(number),
  stream: textOf(bytes) ?? '',
  revision: Number(revision),
});

/** A search without a stream examines this many events, in about 100 ms. */
const defaultSpan = 1_000_000;

/**
 * Finds events after one number and up to another, at most `limit`, in the order of the log or in the opposite one; fewer
 * or none where it would have to examine too many. `examined` is the number up to which, or with `descending` down to
 * which, the log was examined, so that the search can be continued from there; null when all of it was.
 */
export const searchEvents =
  (statements: Statements, maxSpan = defaultSpan) =>
  (selection: EventSelection, after: number, upTo: number, limit: number, descending = false) => {
    const span = selection.stream === null ? maxSpan : Infinity;
    const low = descending ? Math.max(after, upTo - span) : after;
    const high = descending ? upTo : Math.min(upTo, after + span);
    const { sql, values } = allOf([['number > ?', low], ['number <= ?', high], ...conditionsOf(selection)]);
    const places = statements(
      `SELECT number, CAST(stream AS BLOB), revision FROM event_index
       WHERE ${sql} ORDER BY number ${descending ? 'DESC' : 'ASC'} LIMIT ?`,
    )
      .all(...values, limit)
      .map(placeOf);
    if (places.length === limit || (low === after && high === upTo)) return { places, examined: null };
    return { places, examined: descending ? low + 1 : high };
  };
