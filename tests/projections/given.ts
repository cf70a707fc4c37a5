import * as E from 'fp-ts/lib/Either.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { memoryRows } from '../../projections/tables.js';
import { projections } from '../../projections/projections.js';
import { at } from '../support/values.js';

/** An event after a round trip through storage. */
export const fact = (type: string, data: object): DomainEvent => {
  const event = decodeEvent(`${type}.v1`, data);
  if (E.isLeft(event)) throw new Error(`${type}: ${event.left.reason}`);
  return event.right;
};

/** An event and its stream. */
export type StreamEvent = readonly [stream: string, event: DomainEvent];

/** The events as recorded in this order, one a second. */
export const recorded = (events: ReadonlyArray<StreamEvent>): ReadonlyArray<RecordedEvent<DomainEvent>> => {
  const revisions = new Map<string, number>();
  return events.map(([stream, event], index) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    return {
      position: String(index + 1).padStart(4, '0'),
      stream,
      revision,
      event_id: `event-${index + 1}`,
      event,
      metadata: {
        actor: { key_id: 'key', account_id: 'account' },
        correlation_id: `request-${index + 1}`,
        causation_id: 'command',
        schema_version: 1,
        recorded_at: at(index + 1),
      },
    };
  });
};

/** All rows after these events. */
export const rowsAfter = (...events: ReadonlyArray<StreamEvent>) => {
  const rows = memoryRows();
  recorded(events).forEach((event) => projections.forEach((projection) => projection.project(rows, event)));
  return rows;
};
