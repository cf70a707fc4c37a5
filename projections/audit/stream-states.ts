import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { memoryRows } from '../memory-rows.js';
import { videoViewIn } from '../shown-records.js';
import { projections } from '../projections.js';
import { type Difference, differences } from './differences.js';
import { streamCategory, streamId } from '../../domain/kernel/stream-name.js';

/** An event of a stream with the record after it. */
export interface EventWithState {
  readonly recorded: RecordedEvent<DomainEvent>;
  /** Null if the stream has no record of its own. */
  readonly state: unknown;
  readonly changed: ReadonlyArray<Difference>;
}

type Memory = ReturnType<typeof memoryRows>;

const stateOf = (rows: Memory, stream: string): unknown => {
  const id = streamId(stream);
  switch (streamCategory(stream)) {
    case 'video':
      return videoViewIn(rows, id)?.record ?? null;
    case 'audio':
      return rows.audios.get(id)?.record ?? null;
    case 'matchRun':
      return rows.matchRuns.get(id)?.view ?? null;
    case 'creditAccount':
      return rows.creditAccounts.get(id) ?? null;
    case 'account': {
      const account = rows.accounts.get(id);
      const keys = rows.apiKeys.where('account_id', id).map(({ key_hash: _hash, ...key }) => key);
      return account === undefined ? null : { ...account, keys };
    }
    default:
      return null;
  }
};

/** The events of one stream from the first, each with the state after it and the changes. */
export const statesOf = (events: ReadonlyArray<RecordedEvent<DomainEvent>>): ReadonlyArray<EventWithState> => {
  const rows = memoryRows();
  let before: unknown = null;
  return events.map((recorded) => {
    projections.forEach((projection) => projection.project(rows, recorded));
    const state = stateOf(rows, recorded.stream);
    const changed = differences(before, state);
    before = state;
    return { recorded, state, changed };
  });
};
