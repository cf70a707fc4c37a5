import type { Command } from 'commander';
import { knownActors, selectEvents } from '../../../application/audit/read-log.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import {
  didYouMean,
  type EventSelection,
  everyEvent,
  unmatchableFilter,
} from '../../../projections/event-selection.js';
import { withTimes, WrongUsage } from '../readable-error.js';

export interface SelectionOptions {
  readonly stream?: string;
  readonly category?: string;
  readonly type?: string;
  readonly actor?: string;
  readonly requestId?: string;
  readonly from?: Timestamp;
  readonly to?: Timestamp;
  readonly hideBookkeeping?: true;
}

/** The names of the options that select events. */
export const filters = ['from', 'to', 'stream', 'category', 'type', 'actor', 'requestId', 'hideBookkeeping'];

export const withSelection = (command: Command): Command =>
  withTimes(command, 'recorded')
    .option('--stream <name>', 'of one stream, as in video-7')
    .option('--category <name>', 'of the streams of this category, such as video')
    .option('--type <name>', 'FacesMatched or FacesMatched.v1')
    .option('--actor <id>', 'by a key or an account')
    .option('--request-id <id>', 'caused by a request')
    .option('--hide-bookkeeping', 'without the events of idempotency keys');

/** Throws if no time can be in the range. */
export const refuseReversed = ({ from, to }: Pick<SelectionOptions, 'from' | 'to'>): void => {
  if (from !== undefined && to !== undefined && from > to) throw new WrongUsage('--from must not be later than --to');
};

/** The filters as given. Throws if their times are reversed. */
export const selectionOf = (options: SelectionOptions): EventSelection => {
  refuseReversed(options);
  return {
    stream: options.stream ?? null,
    category: options.category ?? null,
    type: options.type ?? null,
    actor: options.actor ?? null,
    request_id: options.requestId ?? null,
    from: options.from ?? null,
    to: options.to ?? null,
    hide: options.hideBookkeeping === true ? 'bookkeeping' : null,
  };
};

const isInLog = async (store: EventStore, selection: EventSelection): Promise<boolean> => {
  for await (const page of selectEvents(store, selection)) if (page.length > 0) return true;
  return false;
};

/**
 * Throws, with the nearest value, if no event can meet the filters. The log is asked only about what this service does not
 * write, because other programs may have written it to the same EventStoreDB.
 */
export const refuseUnmatchable = async (store: EventStore, selection: EventSelection): Promise<void> => {
  const { stream, category, type, hide } = selection;
  const unmatchable = unmatchableFilter(selection);
  if (unmatchable !== null && !(await isInLog(store, { ...everyEvent, stream, category, type, hide })))
    throw new Error(unmatchable.message);
};

/** Throws if no event was found because there is no such stream, account or key. */
export const refuseUnknown = async (store: EventStore, { stream, actor }: EventSelection): Promise<void> => {
  if (stream !== null && !(await isInLog(store, { ...everyEvent, stream })))
    throw new Error(`there is no stream ${stream}`);
  const known = actor === null ? [] : await knownActors(store);
  if (actor !== null && !known.includes(actor))
    throw new Error(`there is no account or key ${actor}${didYouMean(actor, known)}`);
};
