import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type RecordedEvent, streamCategory, streamId } from '../../domain/kernel/recorded-event.js';
import { memoryRows } from '../tables.js';
import { videoViewIn } from '../shown-records.js';
import { projections } from '../projections.js';
import { type Difference, differences } from './differences.js';

/** An event of a stream with the record after it. */
export interface EventWithState {
  readonly recorded: RecordedEvent<DomainEvent>;
  /** The record of the stream; without one, what its events have told so far. */
  readonly state: unknown;
  readonly changed: ReadonlyArray<Difference>;
}

type Facts = Readonly<Record<string, unknown>>;

/** The latest value of each field of the events of a stream without a record. */
const factsAfter = (before: Facts, { event, stream }: RecordedEvent<DomainEvent>): Facts => {
  if (event.type === 'Withheld') return before;
  const fields = Object.entries(event.data).filter(([name]) => name !== 'at');
  // So that each row of the results is a difference of its own.
  const none = streamCategory(stream) === 'nameInference' ? { results: [] } : {};
  return { ...none, ...before, ...Object.fromEntries(fields) };
};

type Memory = ReturnType<typeof memoryRows>;

const recordOf = (rows: Memory, stream: string): unknown => {
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
      return undefined;
  }
};

/** The events of one stream from the first, each with the state after it and the changes. */
export const statesOf = (events: ReadonlyArray<RecordedEvent<DomainEvent>>): ReadonlyArray<EventWithState> => {
  const rows = memoryRows();
  let before: unknown = null;
  let facts: Facts = {};
  return events.map((recorded) => {
    projections.forEach((projection) => projection.project(rows, recorded));
    facts = factsAfter(facts, recorded);
    const record = recordOf(rows, recorded.stream);
    const state = record === undefined ? facts : record;
    const changed = differences(before, state);
    before = state;
    return { recorded, state, changed };
  });
};
