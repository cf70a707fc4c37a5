import * as E from 'fp-ts/lib/Either.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { memoryRows } from '../../projections/memory-rows.js';
import { projections } from '../../projections/projections.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';
import { type OnProgress, readLog } from './read-log.js';
import { LogUnreadable } from './select-events.js';

/** Where a replay ends: at a position, or at a time of recording; null: the end of the log. */
export type ReplayEnd = { readonly position: string } | { readonly time: string } | null;

type ReadModels = ReturnType<typeof memoryRows>;

/** Called with each event of a replay. It must call `project`, which applies the event to the rows. */
export type Watch = (rows: ReadModels, recorded: RecordedEvent<DomainEvent>, project: () => void) => void;

const categories = [...new Set(projections.flatMap((projection) => projection.categories))];

/**
 * Replays a log into read models in memory. Throws `LogUnreadable`. Awaits `onPage` after each page. `unreadable` counts
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
    if (E.isLeft(page)) throw new LogUnreadable(page.left);
    for (const stored of page.right) {
      if (end !== null && 'position' in end && stored.position > end.position)
        return { rows, events, unreadable, position };
      const recorded = readEvent(stored);
      if (E.isLeft(recorded)) throw new LogUnreadable(recorded.left);
      if (end !== null && 'time' in end && recorded.right.metadata.recorded_at > end.time) continue;
      if (stored.withheld === 'key_missing') unreadable += 1;
      watch(rows, recorded.right, () => projections.forEach((projection) => projection.project(rows, recorded.right)));
      events += 1;
      position = stored.position;
    }
    await onPage();
  }
  return { rows, events, unreadable, position };
};
