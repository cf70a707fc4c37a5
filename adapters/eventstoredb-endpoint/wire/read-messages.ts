import type { EventRow } from '../../event-store/sqlite/event-row.js';
import type { LogPosition, Positions } from '../behaviour.js';
import { fromStored } from '../log/stored-payload.js';
import { createBackwardWriter } from './backward-writer.js';
import { structuredUuid } from './uuid.js';

/** An event for a client, with the link that led to it, if any. */
export interface ResolvedRow {
  /** Null if a link points to nothing. */
  readonly event: EventRow | null;
  readonly link: EventRow | null;
}

/** How events are serialised. */
export interface Shape {
  /** Whether ids are written as two integers. */
  readonly structured: boolean;
  readonly positions: Positions;
}

/** Field numbers of `ReadResp` and its parts in streams.proto. */
const response = { event: 1, confirmation: 2, checkpoint: 3, streamNotFound: 4, caughtUp: 8, fellBehind: 9 } as const;
const resolved = { event: 1, link: 2, commitPosition: 3 } as const;
const recorded = {
  id: 1,
  stream: 2,
  revision: 3,
  preparePosition: 4,
  commitPosition: 5,
  metadata: 6,
  customMetadata: 7,
  data: 8,
} as const;
/** Field numbers of the messages of a persistent subscription in persistent.proto. */
const persistent = { event: 1, confirmation: 2, retryCount: 5, noRetryCount: 6 } as const;
const uuidText = 2;
const streamName = 3;

const ticksPerMillisecond = 10_000;

const writer = createBackwardWriter();

const entry = (key: string, value: string): void => {
  const mark = writer.mark();
  writer.text(2, value);
  writer.text(1, key);
  writer.end(recorded.metadata, mark);
};

const content = (field: number, value: string | Uint8Array): void => {
  if (value.length === 0) return;
  if (typeof value === 'string') writer.text(field, value);
  else writer.bytes(field, value);
};

const nameOf = (field: number, stream: string): void => {
  const mark = writer.mark();
  writer.text(streamName, stream);
  writer.end(field, mark);
};

const recordedEvent = (field: number, row: EventRow, { structured, positions }: Shape): void => {
  const [number, stream, revision, id, type, data, metadata] = row;
  const payload = fromStored({ data, metadata });
  const position = positions.of(number);
  const mark = writer.mark();
  content(recorded.data, payload.data);
  content(recorded.customMetadata, payload.metadata);
  entry('created', String(payload.created * ticksPerMillisecond));
  entry('content-type', payload.isJson ? 'application/json' : 'application/octet-stream');
  entry('type', type);
  writer.number(recorded.commitPosition, position);
  writer.number(recorded.preparePosition, position);
  writer.number(recorded.revision, revision);
  nameOf(recorded.stream, stream);
  const idMark = writer.mark();
  if (structured) writer.raw(structuredUuid(id));
  else writer.text(uuidText, id);
  writer.end(recorded.id, idMark);
  writer.end(field, mark);
};

/** Writes the fields of a resolved event, common to reads and persistent subscriptions. */
const writeResolved = ({ event, link }: ResolvedRow, shape: Shape): void => {
  const row = (link ?? event)?.[0];
  if (row !== undefined) writer.number(resolved.commitPosition, shape.positions.of(row));
  if (link !== null) recordedEvent(resolved.link, link, shape);
  if (event !== null) recordedEvent(resolved.event, event, shape);
};

/** An event of a read. */
export const eventMessage = (row: ResolvedRow, shape: Shape): Buffer => {
  const mark = writer.mark();
  writeResolved(row, shape);
  writer.end(response.event, mark);
  return writer.take();
};

/** An event of a persistent subscription, with its number of retries. */
export const persistentEventMessage = (row: ResolvedRow, shape: Shape, retries: number): Buffer => {
  const mark = writer.mark();
  if (retries === 0) writer.end(persistent.noRetryCount, writer.mark());
  else writer.number(persistent.retryCount, retries);
  writeResolved(row, shape);
  writer.end(persistent.event, mark);
  return writer.take();
};

export const persistentConfirmationMessage = (subscription: string): Buffer => {
  const mark = writer.mark();
  writer.text(1, subscription);
  writer.end(persistent.confirmation, mark);
  return writer.take();
};

export const confirmationMessage = (subscription: string): Buffer => {
  const mark = writer.mark();
  writer.text(1, subscription);
  writer.end(response.confirmation, mark);
  return writer.take();
};

/** Reports how far the log was examined for a filter. */
export const checkpointMessage = ({ commit, prepare }: LogPosition): Buffer => {
  const mark = writer.mark();
  if (prepare > 0n) writer.number(2, prepare);
  writer.number(1, commit);
  writer.end(response.checkpoint, mark);
  return writer.take();
};

export const streamNotFoundMessage = (stream: string): Buffer => {
  const mark = writer.mark();
  nameOf(1, stream);
  writer.end(response.streamNotFound, mark);
  return writer.take();
};

const empty = (field: number): Buffer => {
  writer.end(field, writer.mark());
  return writer.take();
};

export const caughtUpMessage = empty(response.caughtUp);
export const fellBehindMessage = empty(response.fellBehind);
