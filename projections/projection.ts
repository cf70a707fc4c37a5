import type { DomainEvent } from '../domain/event-catalogue.js';
import type { RecordedEvent } from '../domain/kernel/recorded-event.js';
import type { Rows } from './tables.js';

/** Turns events into rows. The result depends only on the event and the existing rows. */
export interface Projection {
  readonly name: string;
  /** Raise it with every change of the resulting rows: they are then rebuilt. */
  readonly version: number;
  /** Categories of the streams that it reads. */
  readonly categories: ReadonlyArray<string>;
  /** The tables that only this projection writes. */
  readonly tables: ReadonlyArray<keyof Rows>;
  readonly project: (rows: Rows, recorded: RecordedEvent<DomainEvent>) => void;
}
