import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import { type Position, type RecordedEvent, EventMetadata } from '../../domain/kernel/recorded-event.js';
import { type EventSelection, everyEvent, isSelected } from '../../projections/event-selection.js';
import { readEvent } from '../commands/read-event.js';
import { orThrow } from '../failures.js';
import type { EventFilter, EventStore, StoreUnavailable, StoredEvent } from '../ports/event-store.js';

/** The progress of reading a log. */
export interface ReadProgress {
  /** The number of events read so far. */
  readonly events: number;
  /** From 0 to 1; null if the store's positions do not tell. */
  readonly share: number | null;
  /** What is counted, if not events. */
  readonly counted?: string;
}

export type OnProgress = (progress: ReadProgress) => void;

const shareOf = (position: Position, last: Position): number | null => {
  const share = Number(position) / Number(last);
  return share >= 0 ? Math.min(1, share) : null;
};

/** Events may have 200,000 characters: a page must fit into memory. */
const pageSize = 200;

type Pages = AsyncGenerator<E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>, void>;

/** The pages of a log, up to its head at the time of the call. Ends after a failure. */
export async function* readLog(
  store: EventStore,
  filter: EventFilter = {},
  from: Position | null = null,
  onProgress: OnProgress = constVoid,
  limit = pageSize,
): Pages {
  const head = await store.head()();
  if (E.isLeft(head)) yield head;
  const last = E.isLeft(head) ? null : head.right;
  if (last === null) return;
  let events = 0;
  for (let after = from; after === null || after < last;) {
    const page = await store.readAll(after, filter, limit)();
    if (E.isLeft(page)) yield page;
    if (E.isLeft(page) || page.right.examined === null) return;
    const wanted = page.right.events.filter(({ position }) => position <= last);
    after = page.right.examined;
    events += wanted.length;
    onProgress({ events, share: shareOf(after, last) });
    yield E.right(wanted);
  }
}

/** The pages of a stream. Ends after a failure. */
export async function* streamPages(store: EventStore, stream: string): Pages {
  for (let after = -1; ;) {
    const page = await store.read(stream, after, pageSize)();
    yield page;
    if (E.isLeft(page) || page.right.length < pageSize) return;
    after = page.right.at(-1)?.revision ?? after;
  }
}

/** The account and key that acted, and those that the event opened or issued. */
const actorsOf = ({ type, data, metadata }: StoredEvent): ReadonlyArray<string> => {
  const known = EventMetadata.decode(metadata);
  const acting = E.isLeft(known) ? [] : [known.right.actor.account_id, known.right.actor.key_id];
  const event = /^(AccountOpened|ApiKeyIssued)\./.test(type) ? decodeEvent(type, data) : null;
  if (event === null || E.isLeft(event)) return acting;
  if (event.right.type === 'AccountOpened') return [...acting, event.right.data.account_id];
  return event.right.type === 'ApiKeyIssued' ? [...acting, event.right.data.key_id] : acting;
};

/** The ids of all accounts and keys of a log. Throws if the log cannot be read. */
export const knownActors = async (store: EventStore): Promise<ReadonlyArray<string>> => {
  const known = new Set<string>();
  for await (const page of selectEvents(store, everyEvent)) page.flatMap(actorsOf).forEach((id) => known.add(id));
  return [...known];
};

/** The events of a selection in log order, page by page. Throws if the log cannot be read. */
export async function* selectEvents(
  store: EventStore,
  selection: EventSelection,
): AsyncGenerator<ReadonlyArray<StoredEvent>, void> {
  const { stream, category } = selection;
  const pages =
    stream === null ? readLog(store, category === null ? {} : { categories: [category] }) : streamPages(store, stream);
  for await (const page of pages) yield orThrow(page).filter((event) => isSelected(event, selection));
}

/** All events of one stream, decoded. Throws if the log cannot be read. */
export const readStream = async (
  store: EventStore,
  stream: string,
): Promise<ReadonlyArray<RecordedEvent<DomainEvent>>> => {
  const events: RecordedEvent<DomainEvent>[] = [];
  for await (const page of streamPages(store, stream))
    for (const stored of orThrow(page)) events.push(orThrow(readEvent(stored)));
  return events;
};
