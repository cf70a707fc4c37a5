import { randomUUID } from 'node:crypto';
import type Database from 'libsql';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import type { Behaviour } from '../behaviour.js';
import type { Rows } from './rows.js';
import {
  type StreamState,
  deletedMark,
  metadataStreamOf,
  metadataText,
  metadataType,
  streamState,
} from './stream-state.js';
import { toStored } from './stored-payload.js';

/** The expected revision of a stream. */
export type Expected = number | 'any' | 'no_stream' | 'stream_exists';

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
  | { readonly _tag: 'WrongExpectedVersion'; readonly actual: number }
  | { readonly _tag: 'StreamDeleted' };

export interface Appender {
  /** Appends all events or returns why none were appended. Runs inside the caller's transaction. */
  readonly append: (stream: string, expected: Expected, events: ReadonlyArray<PreparedEvent>) => AppendOutcome;
  /** Inserts without any checks, inside the caller's transaction; returns the row. */
  readonly insert: (stream: string, revision: number, event: PreparedEvent) => number;
}

const noStream = -1;

const wrongVersion = (actual: number): AppendOutcome => ({ _tag: 'WrongExpectedVersion', actual });

/** Whether the events were appended at this place before. */
const repetition = (
  rows: Rows,
  stream: string,
  events: ReadonlyArray<PreparedEvent>,
  first: number,
): 'same' | 'partly' | 'other' => {
  const there = rows.streamForwards(stream, first, events.length);
  const same = events.findIndex(({ id }, index) => there[index]?.[3] !== id);
  if (same === -1) return 'same';
  return same === 0 ? 'other' : 'partly';
};

/** An event created by the server itself, such as a stream's metadata. */
export const ownEvent = (type: string, data: string): PreparedEvent => ({
  id: randomUUID(),
  type,
  ...toStored({ isJson: true, data: Buffer.from(data), metadata: new Uint8Array() }, new Date()),
});

/** The metadata of a soft-deleted stream after a new append: its old events stay hidden. */
const revivedMetadata = (text: string, last: number): string => text.replace(deletedMark, String(last + 1));

const createInsert = (db: Database.Database): Appender['insert'] => {
  const statement = db.prepare(
    'INSERT INTO events (stream, category, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return (stream, revision, { id, type, data, metadata }) =>
    Number(statement.run(stream, streamCategory(stream), revision, id, type, data, metadata).lastInsertRowid);
};

/** Appends to the end of a stream, and revives it if it was soft-deleted. */
const createWrite = (rows: Rows, insert: Appender['insert'], { appendsKnownIds }: Behaviour) => {
  const revive = (stream: string, last: number): void => {
    const metadata = metadataStreamOf(stream);
    const revived = revivedMetadata(metadataText(rows, stream) ?? '{}', last);
    insert(metadata, rows.lastRevision(metadata) + 1, ownEvent(metadataType, revived));
  };
  const areKnown = (events: ReadonlyArray<PreparedEvent>): boolean =>
    new Set(events.map(({ id }) => id)).size < events.length || events.some(({ id }) => rows.byId(id) !== null);
  return (stream: string, events: ReadonlyArray<PreparedEvent>, { last, softDeleted }: StreamState): AppendOutcome => {
    if (!appendsKnownIds && areKnown(events)) return wrongVersion(last);
    const row = events.reduce((_, event, index) => insert(stream, last + 1 + index, event), 0);
    if (softDeleted && events.length > 0) revive(stream, last);
    return { _tag: 'Appended', revision: last + events.length, row };
  };
};

/**
 * Appends by the rules of the protocol: expected revisions, idempotency by event id, revival of soft-deleted streams.
 */
export const createAppender = (db: Database.Database, rows: Rows, behaviour: Behaviour): Appender => {
  const insert = createInsert(db);
  const write = createWrite(rows, insert, behaviour);

  const earlier = (stream: string, revision: number, last: number): AppendOutcome => {
    const [newest] = rows.streamForwards(stream, revision, 1);
    return newest === undefined ? wrongVersion(last) : { _tag: 'Appended', revision, row: newest[0] };
  };

  const anywhere = (stream: string, events: ReadonlyArray<PreparedEvent>, state: StreamState): AppendOutcome => {
    const known = events[0] === undefined ? null : rows.byId(events[0].id);
    if (known === null) return write(stream, events, state);
    const same = known[1] === stream && repetition(rows, stream, events, known[2]) === 'same';
    return same ? earlier(stream, known[2] + events.length - 1, state.last) : wrongVersion(state.last);
  };

  const after = (
    stream: string,
    revision: number,
    events: ReadonlyArray<PreparedEvent>,
    state: StreamState,
  ): AppendOutcome => {
    const { last, softDeleted } = state;
    if (revision === last) return write(stream, events, state);
    if (revision > last) return wrongVersion(last);
    const repeated = repetition(rows, stream, events, revision + 1);
    if (repeated === 'same' && events.length > 0) return earlier(stream, revision + events.length, last);
    const fresh = repeated === 'other' && softDeleted && revision === noStream;
    return fresh ? write(stream, events, state) : wrongVersion(last);
  };

  const append: Appender['append'] = (stream, expected, events) => {
    const state = streamState(rows, stream);
    if (state.tombstoned) return { _tag: 'StreamDeleted' };
    if (expected === 'any') return anywhere(stream, events, state);
    if (expected === 'stream_exists') {
      const exists = state.last >= 0 || rows.lastRevision(metadataStreamOf(stream)) >= 0;
      return exists && !state.softDeleted ? anywhere(stream, events, state) : wrongVersion(state.last);
    }
    return after(stream, expected === 'no_stream' ? noStream : expected, events, state);
  };
  return { append, insert };
};
