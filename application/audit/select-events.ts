import * as E from 'fp-ts/lib/Either.js';
import { type EventSelection, isSelected, everyEvent } from '../../projections/event-selection.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import { type RecordedEvent, EventMetadata } from '../../domain/kernel/recorded-event.js';
import { type Failure, reasonOf } from '../failures.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';
import { readLog, streamPages } from './read-log.js';

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

/** The right side; a failure is thrown as `LogUnreadable`. */
export const orUnreadable = <Read>(read: E.Either<Failure, Read>): Read => {
  if (E.isLeft(read)) throw new LogUnreadable(read.left);
  return read.right;
};

/** The events of a selection in log order, page by page. Throws `LogUnreadable`. */
export async function* selectEvents(
  store: EventStore,
  selection: EventSelection,
): AsyncGenerator<ReadonlyArray<StoredEvent>, void> {
  const { stream, category } = selection;
  const pages =
    stream === null ? readLog(store, category === null ? {} : { categories: [category] }) : streamPages(store, stream);
  for await (const page of pages) yield orUnreadable(page).filter((event) => isSelected(event, selection));
}

/** All events of one stream, decoded. Throws `LogUnreadable`. */
export const readStream = async (
  store: EventStore,
  stream: string,
): Promise<ReadonlyArray<RecordedEvent<DomainEvent>>> => {
  const events: RecordedEvent<DomainEvent>[] = [];
  for await (const page of streamPages(store, stream))
    for (const stored of orUnreadable(page)) events.push(orUnreadable(readEvent(stored)));
  return events;
};
