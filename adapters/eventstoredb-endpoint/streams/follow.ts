import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EventRow } from '../../event-store/sqlite/event-row.js';
import type { LogPosition } from '../behaviour.js';
import { streamDeleted, streamReset } from '../errors.js';
import { type ServedLog, opened } from '../log/open-log.js';
import { type RowPage, allPageForwards, streamPageForwards } from '../log/pages.js';
import { resolveRow } from '../log/resolve-links.js';
import { tombstoneRevision } from '../log/rows.js';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  fellBehindMessage,
} from '../wire/read-messages.js';
import type { Outgoing } from './outgoing.js';
import type { ReadRequest } from './read-request.js';

/** A live subscriber that is this many events behind receives a message that it has fallen behind. */
const fellBehindEvents = 2_000;

const nothing: RowPage = { rows: [], next: null };

/** The first row or revision that a subscription receives: the one after the position it names. */
const beginning = ({ rows }: ServedLog, { stream, from }: ReadRequest): number => {
  if (from === 'start') return 0;
  if (from === 'end') return (stream === null ? rows.head() : rows.lastRevision(stream)) + 1;
  return Math.floor(from) + 1;
};

const theEnd: LogPosition = { commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n };

/** Sends events and, with a filter, checkpoints, as the imitated server version does. */
const sender = (log: ServedLog, request: ReadRequest, out: Outgoing) => {
  const { rows, behaviour } = log;
  const { filter, resolveLinks, structuredIds, from } = request;
  const { positions, checkpoints } = behaviour;
  const shape = { structured: structuredIds, positions };
  let unreported = 0;
  let passed = false;

  const checkpoint = (row: number): LogPosition => {
    const position = BigInt(positions.of(checkpoints.names === 'next' ? row + 1 : row));
    return { commit: position, prepare: checkpoints.names === 'next' ? 0n : position };
  };
  const atTheEnd = (): boolean => checkpoints.firstIsMaximum && from === 'start' && !passed;
  return {
    considered: async (row: EventRow): Promise<void> => {
      if (filter === null || filter.passes(row)) {
        passed = true;
        await out.send(eventMessage(await opened(log, resolveRow(rows, row, resolveLinks)), shape));
      }
      unreported += 1;
      if (filter === null || unreported < filter.checkpointEvery) return;
      unreported = 0;
      await out.send(checkpointMessage(checkpoint(row[0])));
    },
    /** All rows up to this one were examined. */
    caughtUp: async (row: number): Promise<void> => {
      if (filter !== null && checkpoints.whenCaughtUp && row > 0)
        await out.send(checkpointMessage(atTheEnd() ? theEnd : checkpoint(row)));
      await out.send(caughtUpMessage);
    },
  };
};

/**
 * Sends all events from a position and then new ones, until the client disconnects. Throws the error to send when the
 * stream is tombstoned or the server ends.
 */
export const followEvents = async (log: ServedLog, request: ReadRequest, out: Outgoing): Promise<void> => {
  const { stream, filter } = request;
  const { rows, headSignal, behaviour, ending } = log;
  const { considered, caughtUp } = sender(log, request, out);
  let next = beginning(log, request);
  let live = false;

  const readPage = () =>
    stream === null
      ? allPageForwards(rows, next, Number.MAX_SAFE_INTEGER)
      : streamPageForwards(rows, stream, next, Number.MAX_SAFE_INTEGER);

  await out.send(confirmationMessage(randomUUID()));
  out.onGone(headSignal.wake);
  while (!out.isGone()) {
    if (ending.aborted && behaviour.resetsSubscribers) throw streamReset();
    const seen = headSignal.row();
    const page = stream !== null && live && rows.lastRevision(stream) < next ? nothing : readPage();
    if (filter !== null) await filter.learn(page.rows);
    for (const row of page.rows) {
      if (out.isGone()) return;
      if (stream !== null && row[2] === tombstoneRevision) throw streamDeleted(stream);
      next = (stream === null ? row[0] : row[2]) + 1;
      await considered(row);
    }
    next = Math.max(next, page.next ?? 0);
    if (page.next === null) {
      if (!live) await caughtUp(next - 1);
      live = true;
      if (headSignal.row() === seen) await headSignal.moved();
    } else {
      if (live && stream === null && headSignal.row() - next > fellBehindEvents) {
        live = false;
        await out.send(fellBehindMessage);
      }
      await setImmediate();
    }
  }
};
