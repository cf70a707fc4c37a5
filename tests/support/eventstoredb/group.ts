import { setImmediate, setTimeout } from 'node:timers/promises';
import { constVoid } from 'fp-ts/lib/function.js';
import type { ServiceError } from '@grpc/grpc-js';
import type { EventRow } from '../../../adapters/event-store/sqlite/read.js';
import { type RowFilter, rowFilter } from '../../../adapters/eventstoredb-endpoint/filter.js';
import { type Delivery, createDelivery } from './delivery.js';
import type { GroupSettings, GroupStore } from './group-store.js';
import type { Imitation } from './imitation.js';

/** Tracks which rows are done. They begin in order but may finish out of order. */
const createPlaces = (start: number) => {
  /** In the order in which they began. */
  const open = new Set<number>();
  let next = start;
  const skipTo = (row: number): void => {
    next = Math.max(next, row);
  };
  return {
    begin: (row: number): void => {
      open.add(row);
      skipTo(row + 1);
    },
    done: (row: number): void => void open.delete(row),
    /** Marks the rows before this one as needing no work. */
    skipTo,
    /** The first row that is not done: where to continue after a restart. */
    first: (): number => {
      const [least] = open;
      return least ?? next;
    },
    /** The row to read next. */
    next: () => next,
  };
};
type Places = ReturnType<typeof createPlaces>;

/** A group that is being served. */
export interface Group extends Pick<Delivery, 'connect' | 'disconnect' | 'acknowledge' | 'retry'> {
  /** Ends all connections with an error and saves the checkpoint. */
  readonly close: (error: ServiceError) => Promise<void>;
}

const minIntervalMs = 50;
const retryPauseMs = 1_000;

const all: RowFilter = (rows) => rows.map(() => true);

/** Saves the checkpoint periodically. */
const startSaving = (
  { behaviour, log: { rows } }: Imitation,
  store: GroupStore,
  settings: GroupSettings,
  places: Places,
  filter: RowFilter,
) => {
  const { dropCheckpoints, resumeLate } = behaviour.groups;
  let saved = store.checkpoint(settings.group);
  let running = Promise.resolve();
  let isWriting = false;
  /** Some versions set the checkpoint past an unfinished event if the event before it did not pass the filter. */
  const late = (first: number): number => {
    if (!resumeLate || first >= places.next()) return first;
    const { rows: found } = rows.page({ stream: null, backwards: false }, first - 1, 2);
    const [isBeforeWanted] = filter(found);
    return found[1]?.[0] === first && isBeforeWanted === false ? first + 1 : first;
  };
  const save = async (): Promise<void> => {
    const first = late(places.first());
    if (first === saved || first <= settings.start_from) return;
    await store.save(settings.group, first);
    saved = Math.max(saved ?? 0, first);
  };
  const later = (): Promise<void> => (running = running.then(save));
  const due = async (): Promise<void> => {
    if (dropCheckpoints && isWriting) {
      saved = late(places.first());
      return;
    }
    isWriting = true;
    await later();
    isWriting = false;
  };
  const timer = setInterval(() => void due(), Math.max(minIntervalMs, settings.checkpoint_after)).unref();
  return {
    now: due,
    stop: (): Promise<void> => {
      clearInterval(timer);
      return later();
    },
  };
};

/** Serves a group from its checkpoint. */
export const startGroup = (imitation: Imitation, store: GroupStore, settings: GroupSettings): Group => {
  const { rows, headSignal } = imitation.log;
  const places = createPlaces(store.checkpoint(settings.group) ?? settings.start_from);
  const filter = settings.filter === null ? all : rowFilter(settings.filter.on, settings.filter);
  const saving = startSaving(imitation, store, settings, places, filter);
  const closing = new AbortController();
  let freed: () => void = constVoid;
  let done = 0;
  const delivery = createDelivery(settings.message_timeout, ([row]: EventRow) => {
    done += 1;
    places.done(row);
    if (done % Math.max(1, settings.max_checkpoint_count) === 0) void saving.now();
    freed();
  });

  const room = (): number =>
    delivery.consumers().length === 0 ? 0 : settings.history_buffer_size - delivery.waiting();
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const head = headSignal.row();
      if (room() <= 0) {
        await new Promise<void>((resolve) => (freed = resolve));
        continue;
      }
      const page = rows.page({ stream: null, backwards: false }, places.next(), room());
      const wanted = filter(page.rows);
      page.rows.forEach((row, index) => {
        if (wanted[index] !== true) return places.skipTo(row[0] + 1);
        places.begin(row[0]);
        delivery.add(row);
      });
      if (page.next === null && headSignal.row() === head) await headSignal.moved();
      else await setImmediate();
    }
  };
  const keepRunning = (): Promise<void> => run().catch(() => setTimeout(retryPauseMs).then(keepRunning));
  const ended = keepRunning();
  return {
    ...delivery,
    connect: (consumer) => {
      delivery.connect(consumer);
      freed();
    },
    close: async (error) => {
      [...delivery.consumers()].forEach(({ drop }) => drop(error));
      closing.abort();
      freed();
      headSignal.wake();
      await ended;
      await saving.stop();
    },
  };
};
