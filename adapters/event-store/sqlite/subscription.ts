import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { EventFilter, Subscription, SubscriptionHandlers } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { yieldForText } from '../../runtime/event-loop.js';
import type { ReadNewest } from './pages.js';
import { toRow } from './event-row.js';
import { attempt, attemptLater } from './transaction.js';

/** The newest row that this process knows of, and who waits for a newer one. */
export interface Tip {
  readonly row: () => number;
  readonly advance: (row: number) => void;
  /** Resolves at the next advance or wake. */
  readonly moved: () => Promise<void>;
  /** Lets all who wait look whether they still want to. */
  readonly wake: () => void;
}

/** Starts at the given row and never goes back. */
export const createTip = (start: number): Tip => {
  let tip = start;
  let waiting: Array<() => void> = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    woken.forEach((resolve) => resolve());
  };
  return {
    row: () => tip,
    advance: (row) => {
      if (row <= tip) return;
      tip = row;
      wake();
    },
    moved: () => new Promise((resolve) => waiting.push(resolve)),
    wake,
  };
};

interface Source {
  readonly read: ReadNewest;
  readonly tip: Tip;
}

/**
 * Reads from a row on, page by page, each after the handler of the last one is done, then waits at the tip. When
 * nothing passes the filter, a page without events still tells how far the log was examined.
 */
export const startSubscription = (
  { read, tip }: Source,
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
      const found = await attemptLater(() => read(row, tip.row(), filter));
      if (E.isLeft(found)) return fail(found.left);
      const { page, characters } = found.right;
      if (page.examined === null) {
        onCaughtUp?.();
        while (!closing.signal.aborted && tip.row() <= row) await tip.moved();
      } else {
        // What is made of a page is one slice of long work, and reading it was another.
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
      tip.wake();
      return ended;
    },
  };
};
