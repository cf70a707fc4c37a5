import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EventRow } from '../../sqlite/event-row.js';
import { streamDeleted } from '../errors.js';
import type { ServedLog } from '../log/open-log.js';
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

/** A subscriber that is so many events behind is told that it has fallen back to catching up. */
const farBehind = 2_000;

const nothing: RowPage = { rows: [], next: null };

/** The first row or revision that a subscription sees: it begins after the one that it names. */
const beginning = ({ rows }: ServedLog, { stream, from }: ReadRequest): number => {
  if (from === 'start') return 0;
  if (from === 'end') return (stream === null ? rows.head() : rows.lastRevision(stream)) + 1;
  return from + 1;
};

/**
 * Sends all events from a place on, then those to come, until the client is gone. Throws the answer to give when the
 * stream ends for ever.
 */
export const followEvents = async (log: ServedLog, request: ReadRequest, out: Outgoing): Promise<void> => {
  const { stream, filter, resolveLinks, structuredIds } = request;
  const { rows, tip } = log;
  let next = beginning(log, request);
  let live = false;
  let unreported = 0;

  const considered = async (row: EventRow): Promise<void> => {
    if (filter === null || filter.passes(row))
      await out.send(eventMessage(resolveRow(rows, row, resolveLinks), structuredIds));
    unreported += 1;
    if (filter === null || unreported < filter.checkpointEvery) return;
    unreported = 0;
    await out.send(checkpointMessage(row[0]));
  };
  const readPage = () =>
    stream === null
      ? allPageForwards(rows, next, Number.MAX_SAFE_INTEGER)
      : streamPageForwards(rows, stream, next, Number.MAX_SAFE_INTEGER);

  await out.send(confirmationMessage(randomUUID()));
  out.onGone(tip.wake);
  while (!out.isGone()) {
    const seen = tip.row();
    const page = stream !== null && live && rows.lastRevision(stream) < next ? nothing : readPage();
    for (const row of page.rows) {
      if (out.isGone()) return;
      if (stream !== null && row[2] === tombstoneRevision) throw streamDeleted(stream);
      next = (stream === null ? row[0] : row[2]) + 1;
      await considered(row);
    }
    next = Math.max(next, page.next ?? 0);
    if (page.next === null) {
      if (!live) await out.send(caughtUpMessage);
      live = true;
      if (tip.row() === seen) await tip.moved();
    } else {
      if (live && stream === null && tip.row() - next > farBehind) {
        live = false;
        await out.send(fellBehindMessage);
      }
      await setImmediate();
    }
  }
};
