import { randomUUID } from 'node:crypto';
import type Database from 'libsql';
import { streamCategory } from '../../../domain/kernel/recorded-event.js';
import type { Rows } from '../../../adapters/eventstoredb-endpoint/rows.js';
import type { Behaviour } from '../event-store/versions.js';

/** The expected revision of a stream. */
export type Expected = number | 'any' | 'no_stream';

/** An event with its texts as the log stores them. */
export interface PreparedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export type AppendOutcome =
  /** Row 0 means that the append was empty. */
  | { readonly _tag: 'Appended'; readonly revision: number; readonly row: number }
  | { readonly _tag: 'WrongExpectedVersion'; readonly actual: number };

export interface Appender {
  /** Appends all events or returns why none were appended. Runs inside the caller's transaction. */
  readonly append: (stream: string, expected: Expected, events: ReadonlyArray<PreparedEvent>) => AppendOutcome;
}

/** An event of the server itself, as its projections, statistics and scavenges write them. */
const systemEvent = (): PreparedEvent => ({
  id: randomUUID(),
  type: '$statsCollected',
  data: '{"proc":{}}',
  metadata: JSON.stringify({ recorded_at: new Date().toISOString() }),
});
const systemStream = '$stats-127.0.0.1:2113';
/** System events at the beginning of an empty log. */
const firstSystemEvents = 8;
/** Appends of others between two system events. */
const appendsBetween = 3;

const afterOf = (expected: Expected, last: number): number => {
  if (typeof expected === 'number') return expected;
  return expected === 'no_stream' ? -1 : last;
};

/** Appends by the rules of the protocol: expected revisions, and the first result for a repetition at the same one. */
export const createAppender = (db: Database.Database, rows: Rows, behaviour: Behaviour): Appender => {
  const statement = db.prepare(
    'INSERT INTO events (stream, category, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const known = db.prepare('SELECT 1 FROM events WHERE event_id = ?').raw(true);
  const place = db.prepare('SELECT event_id, position FROM events WHERE stream = ? AND revision = ?').raw(true);
  const insertAt = (stream: string, revision: number, { id, type, data, metadata }: PreparedEvent): number =>
    Number(statement.run(stream, streamCategory(stream), revision, id, type, data, metadata).lastInsertRowid);

  const areKnown = (events: ReadonlyArray<PreparedEvent>): boolean =>
    new Set(events.map(({ id }) => id)).size < events.length || events.some(({ id }) => known.get(id) !== undefined);

  /** The row of the last of these events if all of them are where they would be appended; null if not. */
  const repeated = (stream: string, first: number, events: ReadonlyArray<PreparedEvent>): number | null => {
    const there = events.map(({ id }, index) => {
      const row: unknown = place.get(stream, first + index);
      return Array.isArray(row) && row[0] === id ? Number(row[1]) : null;
    });
    return there.includes(null) ? null : (there.at(-1) ?? null);
  };

  const writeSystemEvent = (): number => insertAt(systemStream, rows.last(systemStream) + 1, systemEvent());
  if (behaviour.writesSystemEvents && rows.last(null) === 0)
    Array.from({ length: firstSystemEvents }, writeSystemEvent);
  let appends = 0;
  return {
    append: (stream, expected, events) => {
      const last = rows.last(stream);
      const after = afterOf(expected, last);
      const refused: AppendOutcome = { _tag: 'WrongExpectedVersion', actual: last };
      if (after > last) return refused;
      if (after < last) {
        const row = repeated(stream, after + 1, events);
        return row === null ? refused : { _tag: 'Appended', revision: after + events.length, row };
      }
      if (!behaviour.appendsKnownIds && areKnown(events)) return refused;
      const row = events.reduce((_, event, index) => insertAt(stream, last + 1 + index, event), 0);
      appends += 1;
      if (behaviour.writesSystemEvents && appends % appendsBetween === 0) writeSystemEvent();
      return { _tag: 'Appended', revision: last + events.length, row };
    },
  };
};
