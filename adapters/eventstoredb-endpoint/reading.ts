import * as E from 'fp-ts/lib/Either.js';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventRow } from '../event-store/sqlite/read.js';
import type { EventLog } from '../event-store/sqlite/open.js';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  streamNotFoundMessage,
} from './read-messages.js';
import { type ReadRequest, readRequest } from './read-request.js';
import { type Place, type RowPage, type Rows, placeOf } from './rows.js';
import { once } from 'node:events';
import type { ServerWritableStream, ServiceError } from '@grpc/grpc-js';
import { isRefusal, unavailable } from './errors.js';

/** The embedded log as this server reads it. */
export interface ServedLog {
  readonly rows: Rows;
  readonly headSignal: EventLog['headSignal'];
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

/** The rows of a page that pass the filter. */
const passing = ({ rows }: RowPage, { filter }: ReadRequest): ReadonlyArray<boolean> =>
  filter === null ? rows.map(() => true) : filter.isWanted(rows);

/** Sends the events that a client asked for, as far as they exist now. */
const readEvents = async ({ rows, open }: ServedLog, request: ReadRequest, reader: Reader): Promise<void> => {
  const { stream, backwards, from, filter, structuredIds } = request;
  if (stream !== null && rows.last(stream) < 0) {
    await reader.send(streamNotFoundMessage(stream));
    return;
  }
  let left = request.count ?? 0;
  const end = backwards ? Number.MAX_SAFE_INTEGER : null;
  for (let next: Place | null = from ?? end; next !== null && left > 0 && !reader.isGone(); await setImmediate()) {
    // A filter may let few rows pass, so the number of wanted events says nothing about how many rows to read.
    const page: RowPage = rows.page(request, next, filter === null ? left : Number.MAX_SAFE_INTEGER);
    const wanted = passing(page, request);
    for (const [index, row] of page.rows.entries()) {
      if (left === 0 || reader.isGone()) return;
      if (wanted[index] !== true) continue;
      left -= 1;
      const waiting = reader.send(eventMessage(await open(row), structuredIds));
      if (waiting !== undefined) await waiting;
    }
    next = page.next;
  }
};

/** Sends all events from a place and then new ones, until the client disconnects. */
const followEvents = async (log: ServedLog, request: ReadRequest, reader: Reader): Promise<void> => {
  const { rows, headSignal, open } = log;
  const { stream, from, filter, structuredIds } = request;
  let next = from ?? rows.last(stream) + 1;
  let isLive = false;
  let unreported = 0;
  await reader.send(confirmationMessage(randomUUID()));
  reader.onGone(headSignal.wake);
  while (!reader.isGone()) {
    const head = headSignal.row();
    const page = rows.page(request, next, Number.MAX_SAFE_INTEGER);
    const wanted = passing(page, request);
    for (const [index, row] of page.rows.entries()) {
      if (reader.isGone()) return;
      next = placeOf(row, stream) + 1;
      if (wanted[index] === true) await reader.send(eventMessage(await open(row), structuredIds));
      unreported += 1;
      if (filter === null || unreported < filter.checkpointEvery) continue;
      unreported = 0;
      await reader.send(checkpointMessage(String(row[0])));
    }
    if (page.next !== null) {
      await setImmediate();
      continue;
    }
    if (!isLive) await reader.caughtUp(next - 1);
    isLive = true;
    if (headSignal.row() === head) await headSignal.moved();
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
  const fail = (error: ServiceError): void => void call.emit('error', error);
  const request = readRequest(call.request);
  if (E.isLeft(request)) return fail(request.left);
  const serve = request.right.count === null ? followEvents : readEvents;
  void serve(log, request.right, imitate(readerOf(call))).then(
    () => void call.end(),
    (cause: unknown) => fail(isRefusal(cause) ? cause : unavailable()),
  );
};
