import type { Task } from 'fp-ts/lib/Task.js';

/** The state of a stream after one of its events. */
export interface Snapshot {
  /** The version of the state's codec. */
  readonly version: number;
  /** Revision and id of the last event included. */
  readonly revision: number;
  readonly event_id: string;
  readonly state: unknown;
}

/** Stores the newest snapshot of each stream. Snapshots may be lost at any time: they are derived from events. */
export interface Snapshots {
  /** Null if there is none or it cannot be read. */
  readonly load: (stream: string) => Task<Snapshot | null>;
  /** Saves it later, or not at all. */
  readonly save: (stream: string, snapshot: Snapshot) => void;
}

export const noSnapshots: Snapshots = { load: () => async () => null, save: () => undefined };
