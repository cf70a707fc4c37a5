import * as t from 'io-ts';
import { Timestamp } from './timestamp.js';

/** Who caused an event: the API key and its account. The service's own processes have key ids of their own. */
export const Actor = t.type({ key_id: t.string, account_id: t.string }, 'Actor');
export type Actor = t.TypeOf<typeof Actor>;

/** What is stored beside each event's data. */
export const EventMetadata = t.type(
  {
    actor: Actor,
    /** The request id of the request that caused the event, directly or through other events. */
    correlation_id: t.string,
    /** The event or command that caused it. */
    causation_id: t.string,
    schema_version: t.number,
    recorded_at: Timestamp,
  },
  'EventMetadata',
);
export type EventMetadata = t.TypeOf<typeof EventMetadata>;

/** An opaque text that orders all events of a store: a later event has the greater position. */
export type Position = string;

/** An event as a store gives it back. `Event` is decoded data with its type, without the version suffix. */
export interface RecordedEvent<Event> {
  readonly position: Position;
  readonly stream: string;
  /** The event's place in its stream, from 0. */
  readonly revision: number;
  readonly event_id: string;
  readonly event: Event;
  readonly metadata: EventMetadata;
}
