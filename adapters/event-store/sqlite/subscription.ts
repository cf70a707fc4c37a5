import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { EventFilter, Subscription, SubscriptionHandlers } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { yieldForText } from '../../runtime/event-loop.js';
import type { ReadShared } from './pages.js';
import { toRow } from './event-row.js';
import { attempt, attemptAsync } from './transaction.js';

/** The newest row that this process knows of; wakes those that wait for a newer one. */
export interface HeadSignal {
  readonly row: () => number;
  readonly advance: (row: number) => void;
  /** Resolves at the next `advance` or `wake`. */
  readonly moved: () => Promise<void>;
  /** Wakes all waiters so that they check whether to go on. */
  readonly wake: () => void;
}

/** Starts at the given row and never goes back. */
export const createHeadSignal = (start: number): HeadSignal => {
  let head = start;
  let waiting: Array<() => void> = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    woken.forEach((resolve) => resolve());
  };
  return {
    row: () => head,
    advance: (row) => {
      if (row <= head) return;
      head = row;
      wake();
    },
    moved: () => new Promise((resolve) => waiting.push(resolve)),
    wake,
  };
};

interface Source {
  readonly read: ReadShared;
  readonly headSignal: HeadSignal;
}

/**
 * Reads page by page from a row, each page after the handler of the last one has finished, then waits at the head of
 * the log. A page without events reports how far the log was examined when nothing passes the filter.
 */
export const startSubscription = (
  { read, headSignal }: Source,
  after: Position | null,
  filter: EventFilter,
  { onPage, onCaughtUp, onFailure }: SubscriptionHandlers,
): Subscription => {
  const closing = new AbortController();
  const fail = (failure: unknown): void => {
    if (!closing.signal.aborted) onFailure(failure);
  };
  const follow = async (from: number): Promise<void> => {
    for (let row = from; !closing.signal.aborted; await setImmediate()) {
      const found = await attemptAsync(() => read(row, headSignal.row(), filter));
      if (E.isLeft(found)) return fail(found.left);
      const { page, characters } = found.right;
      if (page.examined === null) {
        onCaughtUp?.();
        while (!closing.signal.aborted && headSignal.row() <= row) await headSignal.moved();
      } else {
        // Reading the page and handling it are separate slices of long work.
        await yieldForText(characters);
        await onPage(page);
        row = toRow(page.examined);
        await yieldForText(characters);
      }
    }
  };
  const start = attempt(() => toRow(after));
  const ended = setImmediate()
    .then(() => (E.isLeft(start) ? fail(start.left) : follow(start.right)))
    .catch(fail);
  return {
    close: () => {
      closing.abort();
      headSignal.wake();
      return ended;
    },
  };
};
