import { setImmediate } from 'node:timers/promises';
import type { EventRow } from '../../event-store/sqlite/event-row.js';
import type { ServedLog } from '../log/open-log.js';
import { allPageForwards, streamPageForwards } from '../log/pages.js';
import type { GroupName } from './settings.js';

interface PumpNeeds {
  /** Where to read next: a row, or a revision of the stream. */
  readonly next: () => number;
  /** How many events are wanted now. */
  readonly wanted: () => number;
  /** Called before `onRows`, with the same rows. */
  readonly learn: (rows: ReadonlyArray<EventRow>) => Promise<void>;
  /** Called with the rows read, and where to continue if more are known to follow. */
  readonly onRows: (rows: ReadonlyArray<EventRow>, next: number | null) => void;
}

export interface Pump {
  /** Checks again whether events are wanted. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
}

const retryPauseMs = 1_000;

/** A signal that can be awaited repeatedly, for new events or for a wake-up. */
const createSignal = (moved: () => Promise<void>) => {
  let waiter: (() => void) | null = null;
  let waitsForHead = false;
  let woken = false;
  return {
    /** Ends the current wait, or else the next one. */
    wake: () => {
      woken = true;
      waiter?.();
    },
    wait: (forHead: boolean): Promise<void> =>
      new Promise((resolve) => {
        waiter = resolve;
        if (woken) resolve();
        woken = false;
        if (!forHead || waitsForHead) return;
        waitsForHead = true;
        void moved().then(() => {
          waitsForHead = false;
          waiter?.();
        });
      }),
  };
};

/** Reads from the group's place for as long as events are wanted, and waits for new ones. */
export const startPump = ({ rows, headSignal }: ServedLog, { source }: GroupName, needs: PumpNeeds): Pump => {
  const { next, wanted, learn, onRows } = needs;
  const signal = createSignal(headSignal.moved);
  const stopping = new AbortController();
  const read = (maxRows: number) =>
    source === null ? allPageForwards(rows, next(), maxRows) : streamPageForwards(rows, source, next(), maxRows);
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const seen = headSignal.row();
      const maxRows = wanted();
      const page = maxRows <= 0 ? null : read(maxRows);
      if (page !== null) {
        await learn(page.rows);
        onRows(page.rows, page.next);
      }
      if (page === null) await signal.wait(false);
      else if (page.next === null && headSignal.row() === seen) await signal.wait(true);
      else await setImmediate();
    }
  };
  const keepRunning = (): Promise<void> =>
    run().catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs).unref());
      await keepRunning();
    });
  const ended = keepRunning();
  return {
    wake: signal.wake,
    stop: () => {
      stopping.abort();
      signal.wake();
      return ended;
    },
  };
};
