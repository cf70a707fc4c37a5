import type { DomainEvent } from '../domain/event-catalogue.js';
import type { RecordedEvent } from '../domain/kernel/recorded-event.js';
import type { Rows } from './tables.js';

/** How events become rows. What it makes of an event depends on that event and the rows alone. */
export interface Projection {
  readonly name: string;
  /** To be raised with every change of what the projection makes of the same events. */
  readonly version: number;
  /** The streams that it reads, by the part of their names before the first hyphen. */
  readonly categories: ReadonlyArray<string>;
  /** The tables that it alone writes. */
  readonly tables: ReadonlyArray<keyof Rows>;
  readonly project: (rows: Rows, recorded: RecordedEvent<DomainEvent>) => void;
}
