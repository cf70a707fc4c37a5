import { setImmediate } from 'node:timers/promises';
import { type ServedLog, opened } from '../log/open-log.js';
import {
  type RowPage,
  allPageBackwards,
  allPageForwards,
  streamPageBackwards,
  streamPageForwards,
} from '../log/pages.js';
import { resolveRow } from '../log/resolve-links.js';
import { type Rows, tombstoneRevision } from '../log/rows.js';
import { eventMessage } from '../wire/read-messages.js';
import type { Outgoing } from './outgoing.js';
import type { ReadRequest } from './read-request.js';

type NextPage = (from: number, maxRows: number) => RowPage;

/** Where a read starts and how it continues; null if there is nothing to read. */
const plan = (rows: Rows, { stream, from, backwards, filter }: ReadRequest): [number, NextPage] | null => {
  if (!backwards && from === 'end') return null;
  if (stream !== null) {
    if (!backwards)
      return [
        from === 'start' || from === 'end' ? 0 : from,
        (next, maxRows) => streamPageForwards(rows, stream, next, maxRows),
      ];
    const revision = from === 'end' ? tombstoneRevision : from === 'start' ? 0 : from;
    return [revision, (next, maxRows) => streamPageBackwards(rows, stream, next, maxRows)];
  }
  /** A filter may let few rows pass, so the number of wanted events says nothing about how many rows to read. */
  const looked = (maxRows: number): number => (filter === null ? maxRows : Number.MAX_SAFE_INTEGER);
  const row = from === 'end' ? Number.MAX_SAFE_INTEGER : from === 'start' ? 0 : from;
  return [
    row,
    backwards
      ? (next, maxRows) => allPageBackwards(rows, next, looked(maxRows))
      : (next, maxRows) => allPageForwards(rows, next, looked(maxRows)),
  ];
};

/** Sends the events that a client asked for, as far as they exist now. */
export const readEvents = async (log: ServedLog, request: ReadRequest, out: Outgoing): Promise<void> => {
  const { rows, behaviour } = log;
  const { count, filter, resolveLinks, structuredIds } = request;
  const shape = { structured: structuredIds, positions: behaviour.positions };
  const planned = plan(rows, request);
  if (planned === null) return;
  const [begin, nextPage] = planned;
  let left = count ?? 0;
  for (let next: number | null = begin; next !== null && left > 0 && !out.isGone(); await setImmediate()) {
    const page: RowPage = nextPage(next, left);
    if (filter !== null) await filter.learn(page.rows);
    for (const row of page.rows) {
      if (left === 0 || out.isGone()) return;
      if (filter !== null && !filter.passes(row)) continue;
      left -= 1;
      const waiting = out.send(eventMessage(await opened(log, resolveRow(rows, row, resolveLinks)), shape));
      if (waiting !== undefined) await waiting;
    }
    next = page.next;
  }
};
