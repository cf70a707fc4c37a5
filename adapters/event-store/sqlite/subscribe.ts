import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { EventFilter, EventStore, Page, Subscription } from '../../../application/ports/event-store.js';
import { toRow } from './event-row.js';
import { attempt } from './file.js';

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

interface Subscriptions {
  readonly subscribe: EventStore['subscribe'];
  /** Closes all running subscriptions; resolves once none of their handlers is running. */
  readonly closeAll: () => Promise<void>;
}

/**
 * Subscriptions, which read page by page, each page after the handler of the last one has finished, then wait at the
 * head of the log. A page without events reports how far the log was examined when nothing passes the filter. `refusal`
 * says why there can be no new ones.
 */
export const createSubscriptions = (
  read: (after: number, upTo: number, filter: EventFilter) => Page,
  head: HeadSignal,
  refusal: () => unknown,
): Subscriptions => {
  const running = new Set<Subscription>();
  const subscribe: EventStore['subscribe'] = (after, filter, { onPage, onCaughtUp, onFailure }) => {
    const closing = new AbortController();
    const fail = (failure: unknown): void => {
      running.delete(subscription);
      if (!closing.signal.aborted) onFailure(failure);
    };
    const follow = async (): Promise<void> => {
      await setImmediate();
      if (refusal() !== null) return fail(refusal());
      const start = attempt(() => toRow(after));
      if (E.isLeft(start)) return fail(start.left);
      for (let row = start.right; !closing.signal.aborted; await setImmediate()) {
        const page = attempt(() => read(row, head.row(), filter));
        if (E.isLeft(page)) return fail(page.left);
        if (page.right.examined === null) {
          onCaughtUp?.();
          while (!closing.signal.aborted && head.row() <= row) await head.moved();
        } else {
          await onPage(page.right);
          row = toRow(page.right.examined);
        }
      }
    };
    const ended = follow().catch(fail);
    const subscription: Subscription = {
      close: () => {
        closing.abort();
        head.wake();
        return ended.finally(() => running.delete(subscription));
      },
    };
    running.add(subscription);
    return subscription;
  };
  return {
    subscribe,
    closeAll: async () => {
      await Promise.all([...running].map(({ close }) => close()));
    },
  };
};
