import type { Task } from 'fp-ts/lib/Task.js';

/** What a stream added up to at one of its events. */
export interface Snapshot {
  /** Of the decider that made it. */
  readonly version: number;
  /** Of the last event that is in it, and that event's id. */
  readonly revision: number;
  readonly event_id: string;
  readonly state: unknown;
}

/** Keeps the newest snapshot of a stream. All of them may be lost at any time: the events say the same. */
export interface Snapshots {
  /** Null also where it cannot be read. */
  readonly load: (stream: string) => Task<Snapshot | null>;
  /** Keeps it some time later, or not at all. */
  readonly save: (stream: string, snapshot: Snapshot) => void;
}

export const noSnapshots: Snapshots = { load: () => async () => null, save: () => undefined };
