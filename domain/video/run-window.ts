import { type Timestamp, secondsBetween } from '../kernel/timestamp.js';

/** The stored state of a run (specification, section 3). */
export interface StoredRun {
  readonly status: 'queue' | 'completed' | 'failed' | null;
  readonly queued_at: Timestamp | null;
}

/** Whether a time is within the stale window: at most `stale_seconds` after `queued_at`. */
export const isWithinWindow = (queued_at: Timestamp, at: Timestamp, stale_seconds: number): boolean =>
  secondsBetween(queued_at, at) <= stale_seconds;

/** Whether a run blocks new triggers: status `queue`, queued within the stale window (section 3). */
export const isInFlight = ({ status, queued_at }: StoredRun, at: Timestamp, stale_seconds: number): boolean =>
  status === 'queue' && queued_at !== null && isWithinWindow(queued_at, at, stale_seconds);

/** Whether a queued run no longer blocks: without `queued_at`, or older than the window. */
export const isStale = (run: StoredRun, at: Timestamp, stale_seconds: number): boolean =>
  run.status === 'queue' && !isInFlight(run, at, stale_seconds);
