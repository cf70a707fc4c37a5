import * as E from 'fp-ts/lib/Either.js';
import { type EventSelection, isSelected, everyEvent } from '../../projections/event-selection.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import { type RecordedEvent, EventMetadata } from '../../domain/kernel/recorded-event.js';
import { type Failure, reasonOf } from '../failures.js';
import type { EventFilter, EventStore, StoredEvent } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';
import { readLog } from './read-log.js';

/** The account and key that acted, and those that the event opened or issued. */
const actorsOf = ({ type, data, metadata }: StoredEvent): ReadonlyArray<string> => {
  const known = EventMetadata.decode(metadata);
  const acting = E.isLeft(known) ? [] : [known.right.actor.account_id, known.right.actor.key_id];
  const event = /^(AccountOpened|ApiKeyIssued)\./.test(type) ? decodeEvent(type, data) : null;
  if (event === null || E.isLeft(event)) return acting;
  if (event.right.type === 'AccountOpened') return [...acting, event.right.data.account_id];
  return event.right.type === 'ApiKeyIssued' ? [...acting, event.right.data.key_id] : acting;
};

/** The ids of all accounts and keys of a log. Throws `LogUnreadable`. */
export const knownActors = async (store: EventStore): Promise<ReadonlyArray<string>> => {
  const known = new Set<string>();
  for await (const page of selectEvents(store, everyEvent)) page.flatMap(actorsOf).forEach((id) => known.add(id));
  return [...known];
};

/** Thrown by readers of a whole log when it cannot be read. */
export class LogUnreadable extends Error {
  override readonly name = 'LogUnreadable';
  constructor(failure: Failure) {
    super(reasonOf(failure));
  }
}

const filterOf = ({ category }: EventSelection): EventFilter => (category === null ? {} : { categories: [category] });

const pageSize = 200;

async function* streamPages(store: EventStore, stream: string): AsyncGenerator<ReadonlyArray<StoredEvent>, void> {
  for (let after = -1; ;) {
    const page = await store.read(stream, after, pageSize)();
    if (E.isLeft(page)) throw new LogUnreadable(page.left);
    yield page.right;
    if (page.right.length < pageSize) return;
    after += page.right.length;
  }
}

async function* logPages(store: EventStore, filter: EventFilter): AsyncGenerator<ReadonlyArray<StoredEvent>, void> {
  for await (const page of readLog(store, filter)) {
    if (E.isLeft(page)) throw new LogUnreadable(page.left);
    yield page.right;
  }
}

/** The events of a selection in log order, page by page. Throws `LogUnreadable`. */
export async function* selectEvents(
  store: EventStore,
  selection: EventSelection,
): AsyncGenerator<ReadonlyArray<StoredEvent>, void> {
  const pages = selection.stream === null ? logPages(store, filterOf(selection)) : streamPages(store, selection.stream);
  for await (const page of pages) yield page.filter((event) => isSelected(event, selection));
}

/** All events of one stream, decoded. Throws `LogUnreadable`. */
export const readStream = async (
  store: EventStore,
  stream: string,
): Promise<ReadonlyArray<RecordedEvent<DomainEvent>>> => {
  const events: RecordedEvent<DomainEvent>[] = [];
  for await (const page of streamPages(store, stream))
    for (const stored of page) {
      const recorded = readEvent(stored);
      if (E.isLeft(recorded)) throw new LogUnreadable(recorded.left);
      events.push(recorded.right);
    }
  return events;
};
