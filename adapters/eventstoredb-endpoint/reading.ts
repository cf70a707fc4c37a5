import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventRow } from '../event-store/sqlite/read.js';
import type { EventLog } from '../event-store/sqlite/open.js';
import { type ReadRequest, readRequest } from './read-request.js';
import { type Place, type Rows, placeOf } from './rows.js';
import { once } from 'node:events';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { isRefusal, unavailable } from './errors.js';

const { ReadEvent } = streamsPb.ReadResp;

const ticksPerMillisecond = 10_000;
const recordedAt = /"recorded_at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** When an event was recorded, in the unit of the protocol, according to its metadata; 0 if they do not say. */
const createdOf = (metadata: string): string => {
  const time = recordedAt.exec(metadata)?.[1];
  return String(time === undefined ? 0 : Date.parse(time) * ticksPerMillisecond);
};

const structuredOf = (id: string) => {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return new sharedPb.UUID.Structured()
    .setMostSignificantBits(String(bytes.readBigInt64BE(0)))
    .setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
};

const nameOf = (stream: string) => new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream));

/** A row as it is recorded in the log. Ids are two integers if the client asked for that. */
const recordedEvent = ([row, stream, revision, id, type, data, metadata]: EventRow, structuredIds: boolean) => {
  const uuid = new sharedPb.UUID();
  const position = String(row);
  const event = new ReadEvent.RecordedEvent()
    .setId(structuredIds ? uuid.setStructured(structuredOf(id)) : uuid.setString(id))
    .setStreamIdentifier(nameOf(stream))
    .setStreamRevision(String(revision))
    .setPreparePosition(position)
    .setCommitPosition(position)
    .setData(Buffer.from(data))
    .setCustomMetadata(Buffer.from(metadata));
  event.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', createdOf(metadata));
  return event;
};

const eventMessage = (row: EventRow, structuredIds: boolean) =>
  new streamsPb.ReadResp().setEvent(
    new ReadEvent().setEvent(recordedEvent(row, structuredIds)).setCommitPosition(String(row[0])),
  );

const confirmationMessage = (subscription: string) =>
  new streamsPb.ReadResp().setConfirmation(
    new streamsPb.ReadResp.SubscriptionConfirmation().setSubscriptionId(subscription),
  );

/** Reports how far the log was examined for a filter. */
export const checkpointMessage = (position: string, prepare = position) =>
  new streamsPb.ReadResp().setCheckpoint(
    new streamsPb.ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition(prepare),
  );

const caughtUpMessage = () => new streamsPb.ReadResp().setCaughtUp(new streamsPb.ReadResp.CaughtUp());

const streamNotFoundMessage = (stream: string) =>
  new streamsPb.ReadResp().setStreamNotFound(
    new streamsPb.ReadResp.StreamNotFound().setStreamIdentifier(nameOf(stream)),
  );

/** The embedded log as this server reads it. */
export interface ServedLog {
  readonly rows: Rows;
  readonly appended: EventLog['appended'];
  /** Returns a row as readers receive it. */
  readonly open: (row: EventRow) => Promise<EventRow>;
}

/** The client of a read or a subscription. */
export interface Reader {
  /** Resolves when more may be sent, or when the client has disconnected. */
  readonly send: (message: ReadResp) => Promise<void> | undefined;
  /** Everything up to this place was sent. */
  readonly caughtUp: (place: Place) => Promise<void> | undefined;
  readonly isGone: () => boolean;
  /** Calls back once when the client disconnects. */
  readonly onGone: (callback: () => void) => void;
}

/** Sends the events that a client asked for, as far as they exist now; to a subscriber, new ones until it disconnects. */
const sendEvents = async (log: ServedLog, request: ReadRequest, reader: Reader): Promise<void> => {
  const { rows, appended, open } = log;
  const { stream, backwards, count, filter, structuredIds } = request;
  const isSubscription = count === null;
  if (isSubscription) {
    await reader.send(confirmationMessage(randomUUID()));
    reader.onGone(() => appended.emit('appended'));
  } else if (stream !== null && rows.last(stream) < 0) return reader.send(streamNotFoundMessage(stream));
  let next = request.from ?? (isSubscription ? rows.last(stream) + 1 : Number.MAX_SAFE_INTEGER);
  let left = count ?? Infinity;
  let isLive = false;
  let unreported = 0;
  while (left > 0 && !reader.isGone()) {
    const head = rows.last(null);
    // A filter may let few rows pass, so the number of wanted events says nothing about how many rows to read.
    const page = rows.page(request, next, filter === null ? left : Infinity);
    const wanted = filter?.isWanted(page.rows);
    for (const [index, row] of page.rows.entries()) {
      if (left === 0 || reader.isGone()) return;
      next = placeOf(row, stream) + (backwards ? -1 : 1);
      if (wanted?.[index] !== false) {
        left -= 1;
        await reader.send(eventMessage(await open(row), structuredIds));
      }
      unreported += 1;
      if (!isSubscription || filter === null || unreported < filter.checkpointEvery) continue;
      unreported = 0;
      await reader.send(checkpointMessage(String(row[0])));
    }
    if (!page.isLast) {
      await setImmediate();
      continue;
    }
    if (!isSubscription) return;
    if (!isLive) await reader.caughtUp(next - 1);
    isLive = true;
    if (!reader.isGone() && rows.last(null) === head) await once(appended, 'appended');
  }
};

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** The client of a call; messages are sent with backpressure. */
const readerOf = (call: ReadCall): Reader => {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  call.once('cancelled', leave);
  call.once('error', leave);
  call.once('close', leave);
  const drained = async (): Promise<void> => {
    await once(call, 'drain', { signal: gone.signal }).catch(() => undefined);
  };
  const isGone = (): boolean => gone.signal.aborted || call.cancelled || call.destroyed;
  const send = (message: ReadResp): Promise<void> | undefined =>
    isGone() || call.write(message) ? undefined : drained();
  return {
    send,
    caughtUp: () => send(caughtUpMessage()),
    isGone,
    onGone: (callback) => gone.signal.addEventListener('abort', callback, { once: true }),
  };
};

/** `Streams.Read`: reads and subscriptions. `imitate` changes what the client receives; only tests do. */
export const serveRead = (call: ReadCall, log: ServedLog, imitate = (reader: Reader): Reader => reader): void => {
  const serve = async (): Promise<void> => {
    await sendEvents(log, readRequest(call.request), imitate(readerOf(call)));
  };
  void serve().then(
    () => void call.end(),
    (cause: unknown) => void call.emit('error', isRefusal(cause) ? cause : unavailable()),
  );
};
