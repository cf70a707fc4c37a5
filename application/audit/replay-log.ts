import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent, Position } from '../../domain/kernel/recorded-event.js';
import { memoryRows } from '../../projections/tables.js';
import { projections } from '../../projections/projections.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';
import { type OnProgress, readLog } from './read-log.js';
import { orThrow } from '../failures.js';
import type { MartName } from '../../projections/audit/marts/catalogue.js';
import { changeRows, collectInferences } from '../../projections/audit/marts/change-rows.js';
import { currentMarts } from '../../projections/audit/marts/current-rows.js';

/** Writes rows of one mart, in order; resolves when it can take more. Fields that are no columns are left out. */
export type WriteMart = (name: MartName, rows: Iterable<Readonly<Record<string, unknown>>>) => Promise<void>;

/**
 * Replays a log into marts. Rows about changes are written during the replay, rows about the final state at its end.
 * `unreadable`: how many of its events have no keys.
 * Throws if the log cannot be read.
 */
export const replayMarts = async (store: EventStore, end: ReplayEnd, write: WriteMart, onProgress?: OnProgress) => {
  let changes: Array<ReturnType<typeof changeRows>> = [];
  const inferences = collectInferences();
  const entries = new Map<string, Position>();
  const flush = async (): Promise<void> => {
    const taken = changes;
    changes = [];
    await write(
      'matches',
      taken.flatMap(({ matches }) => matches),
    );
    await write(
      'names',
      taken.flatMap(({ names }) => names),
    );
  };
  const { rows, events, unreadable } = await replayLog(
    store,
    end,
    onProgress,
    (models, recorded, project) => {
      changes.push(changeRows(models, recorded, project));
      inferences.take(recorded);
      if (models.ledger.get(recorded.event_id) !== undefined) entries.set(recorded.event_id, recorded.position);
    },
    flush,
  );
  await flush();
  const ledger = rows.ledger.all();
  await write('inferences', inferences.rows(ledger));
  await write('inference_rows', inferences.results());
  for (const { name, rowsOf } of currentMarts) await write(name, rowsOf(rows, entries));
  return { events, unreadable };
};

/** Where a replay ends: at a position, or at a time of recording; null: the end of the log. */
export type ReplayEnd = { readonly position: string } | { readonly time: string } | null;

type ReadModels = ReturnType<typeof memoryRows>;

/** Called with each event of a replay. It must call `project`, which applies the event to the rows. */
export type Watch = (rows: ReadModels, recorded: RecordedEvent<DomainEvent>, project: () => void) => void;

const categories = [...new Set(projections.flatMap((projection) => projection.categories))];

/**
 * Replays a log into read models in memory. Throws if the log cannot be read. Awaits `onPage` after each page. `unreadable` counts
 * events whose keys are missing: they change no row.
 */
export const replayLog = async (
  store: EventStore,
  end: ReplayEnd,
  onProgress?: OnProgress,
  watch: Watch = (_rows, _recorded, project) => project(),
  onPage: () => Promise<void> = () => Promise.resolve(),
) => {
  const rows = memoryRows();
  let [events, unreadable, position] = [0, 0, ''];
  for await (const page of readLog(store, { categories }, null, onProgress)) {
    for (const stored of orThrow(page)) {
      if (end !== null && 'position' in end && stored.position > end.position)
        return { rows, events, unreadable, position };
      const recorded = orThrow(readEvent(stored));
      if (end !== null && 'time' in end && recorded.metadata.recorded_at > end.time) continue;
      if (stored.withheld === 'key_missing') unreadable += 1;
      watch(rows, recorded, () => projections.forEach((projection) => projection.project(rows, recorded)));
      events += 1;
      position = stored.position;
    }
    await onPage();
  }
  return { rows, events, unreadable, position };
};
