import type { ServiceError } from '@grpc/grpc-js';
import { constNull, flow } from 'fp-ts/lib/function.js';
import type { EventRow } from '../../event-store/sqlite/event-row.js';
import type { ServedLog } from '../log/open-log.js';
import { resolveRow } from '../log/resolve-links.js';
import { tombstoneRevision } from '../log/rows.js';
import { type RowFilter, rowFilter } from '../log/row-filter.js';
import type { GroupCheckpoints } from './group-store.js';
import { type Delivery, createDelivery, type Waiting } from './delivery.js';
import type { Message } from './consumer.js';
import { parkingOf } from './parking.js';
import { startPump } from './pump.js';
import { type GroupConfig, checkpointKeyOf } from './settings.js';
import { strategies } from './strategies.js';

/** Tracks which places of a sequence are done. Places begin in order but may finish out of order. */
interface Places {
  readonly begin: (place: number) => void;
  readonly done: (place: number) => void;
  /** Marks the places before this one as needing no work. */
  readonly skipTo: (place: number) => void;
  /** The first place that is not done: where to continue after a restart. */
  readonly first: () => number;
  /** The place to read next. */
  readonly next: () => number;
}

const createPlaces = (start: number): Places => {
  /** In the order in which they began. */
  const open = new Set<number>();
  let next = start;
  const skipTo = (place: number): void => {
    next = Math.max(next, place);
  };
  return {
    begin: (place) => {
      open.add(place);
      skipTo(place + 1);
    },
    done: (place) => void open.delete(place),
    skipTo,
    first: () => {
      const [least] = open;
      return least ?? next;
    },
    next: () => next,
  };
};

/** A group that is being served. */
export interface Group extends Pick<Delivery, 'consumers' | 'connect' | 'disconnect' | 'ack' | 'nack' | 'waiting'> {
  readonly config: GroupConfig;
  /** Ends all connections with an error and saves the checkpoint. */
  readonly close: (answer: ServiceError) => Promise<void>;
}

const minIntervalMs = 50;

const unfiltered: RowFilter = {
  learn: () => Promise.resolve(),
  passes: (row) => row[2] !== tombstoneRevision,
};

/** Saves the checkpoint periodically. */
const startSaving = (
  { behaviour, rows }: ServedLog,
  checkpoints: GroupCheckpoints,
  config: GroupConfig,
  places: Places,
  { passes }: RowFilter,
) => {
  const { dropCheckpoints, resumeLate } = behaviour.groups;
  const key = checkpointKeyOf(config);
  let saved = checkpoints.load(key);
  let running = Promise.resolve();
  let writing = false;
  /**
   * Some server versions set the checkpoint past an unfinished event if the event before it did not pass the filter.
   */
  const late = (first: number): number => {
    const [before, row] = rows.allForwards(first - 1, 2);
    const open = row !== undefined && row[0] === first && first < places.next();
    return resumeLate && config.source === null && before !== undefined && open && !passes(before) ? first + 1 : first;
  };
  const save = async (): Promise<void> => {
    const first = late(places.first());
    if (first !== saved && first > config.settings.start_from) {
      await checkpoints.save(key, first);
      saved = Math.max(saved ?? 0, first);
    }
  };
  const later = (): Promise<void> => (running = running.then(save));
  const due = async (): Promise<void> => {
    if (dropCheckpoints && writing) {
      saved = late(places.first());
      return;
    }
    writing = true;
    await later();
    writing = false;
  };
  const timer = setInterval(() => void due(), Math.max(minIntervalMs, config.settings.checkpoint_after)).unref();
  return {
    now: due,
    stop: (): Promise<void> => {
      clearInterval(timer);
      return later();
    },
  };
};

const toMessage = (log: ServedLog, { source, settings }: GroupConfig, row: EventRow): Message => {
  const resolved = resolveRow(log.rows, row, settings.resolve_links);
  return { id: row[3], resolved, retries: 0, place: source === null ? row[0] : row[2] };
};

/** Queues the rows that pass the group's filter. */
const queueing =
  (log: ServedLog, config: GroupConfig, places: Places, waiting: Waiting, { passes }: RowFilter) =>
  (rows: ReadonlyArray<EventRow>, next: number | null): void => {
    for (const row of rows) {
      const message = toMessage(log, config, row);
      if (!passes(row)) places.skipTo(message.place + 1);
      else {
        places.begin(message.place);
        waiting.add(message);
      }
    }
    if (next !== null) places.skipTo(next);
  };

/** Serves a group from its checkpoint. */
export const startGroup = (log: ServedLog, checkpoints: GroupCheckpoints, config: GroupConfig): Group => {
  const { settings } = config;
  const places = createPlaces(checkpoints.load(checkpointKeyOf(config)) ?? settings.start_from);
  const filter = settings.filter === null ? unfiltered : rowFilter(settings.filter.on, settings.filter);
  const saving = startSaving(log, checkpoints, config, places, filter);
  let done = 0;

  const onDone = ({ place }: Message): void => {
    done += 1;
    places.done(place);
    if (done % Math.max(1, settings.max_checkpoint_count) === 0) void saving.now();
    pump.wake();
  };
  const delivery = createDelivery({
    choose: strategies.get(settings.strategy)?.() ?? constNull,
    messageTimeout: settings.message_timeout,
    maxRetryCount: settings.max_retry_count,
    onDone,
    park: parkingOf(log, config),
  });
  const { consumers, waiting, dispatch } = delivery;
  const take = queueing(log, config, places, waiting, filter);
  const pump = startPump(log, config, {
    next: places.next,
    wanted: () => (consumers().length === 0 ? 0 : settings.history_buffer_size - waiting.size()),
    learn: filter.learn,
    onRows: flow(take, dispatch),
  });
  return {
    ...delivery,
    config,
    connect: flow(delivery.connect, pump.wake),
    close: async (answer) => {
      [...consumers()].forEach(({ drop }) => drop(answer));
      await pump.stop();
      await saving.stop();
    },
  };
};
