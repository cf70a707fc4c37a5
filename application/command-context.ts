import type { Actor, Position } from '../domain/kernel/recorded-event.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';

/** What a command brings along for the events that it causes. */
export interface CommandContext {
  readonly actor: Actor;
  readonly correlation_id: string;
  readonly causation_id: string;
  readonly at: Timestamp;
  /** The revision that the stream must have; null for any. */
  readonly if_revision: number | null;
  /**
   * The position of the event that this command follows from, when its ids derive from that: then the same command may
   * have been carried out before. Null for a command that comes once.
   */
  readonly follows: Position | null;
  /**
   * The command belongs to a write that may have been begun before, in another process: its events are looked for from
   * the position of that write's claim on, by `causation_id`. With `taken_over` they are looked for at once, else only
   * after a lost race. Absent for a command that comes once.
   */
  readonly repeats?: { readonly since: Position; readonly taken_over: boolean };
  /** What is known of the stream is enough to answer that nothing is to be done: the store need not be asked. */
  readonly trusts_known?: true;
  /** The id of the n-th event of this command, from 0. */
  readonly event_id: (index: number) => string;
}
