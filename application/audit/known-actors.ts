import * as E from 'fp-ts/lib/Either.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import { EventMetadata } from '../../domain/kernel/recorded-event.js';
import { everyEvent } from '../../projections/event-selection.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';
import { selectEvents } from './select-events.js';

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
