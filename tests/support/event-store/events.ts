import { randomUUID } from 'node:crypto';
import type { EventStore, NewEvent, StoredEvent } from '../../../application/ports/event-store.js';
import { subjectsOf } from '../../../domain/event-catalogue.js';
import { JsonObject } from '../../../domain/kernel/recorded-event.js';
import { succeeded } from './outcomes.js';

/** An event with an id of its own. */
export const newEvent = (parts: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'SomethingHappened.v1',
  data: { note: 'something' },
  metadata: { recorded_at: '2024-01-01T00:00:00.000Z' },
  ...parts,
});

/** Several of them, numbered in their data. */
export const newEvents = (count: number, parts: Partial<NewEvent> = {}): ReadonlyArray<NewEvent> =>
  Array.from({ length: count }, (_, number) => newEvent({ data: { number }, ...parts }));

/** A category that no other test uses, so that a store may be shared. */
export const freshCategory = (): string => `test${randomUUID().replaceAll('-', '')}`;

/** A stream that no other test uses. */
export const freshStream = (category: string = freshCategory()): string => `${category}-${randomUUID()}`;

/** The ids of events, in their order. */
export const idsOf = (events: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  events.map(({ id }) => id);

/** Events with the subjects of their personal data, which follow from the stream. */
export const ofSubjects = (stream: string, events: ReadonlyArray<NewEvent>): ReadonlyArray<NewEvent> =>
  events.map((event) => ({ ...event, subjects: subjectsOf(event.type, stream, []) }));

/** Appends an event of another log. */
export const appendCopy = async (store: EventStore, event: StoredEvent): Promise<void> => {
  const { id, type, data, metadata, stream, revision } = event;
  if (!JsonObject.is(data) || !JsonObject.is(metadata)) throw new Error(`${type} is no object`);
  await succeeded(store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [{ id, type, data, metadata }]));
};
