import { type Timestamp, secondsBetween } from '../kernel/timestamp.js';

/** What section 3 of the specification stores of a run. */
export interface StoredRun {
  readonly status: 'queue' | 'completed' | 'failed' | null;
  readonly queued_at: Timestamp | null;
}

/** Within the stale window: at most `stale_seconds` after `queued_at`. */
export const isWithinWindow = (queued_at: Timestamp, at: Timestamp, stale_seconds: number): boolean =>
  secondsBetween(queued_at, at) <= stale_seconds;

/** A run in flight holds new triggers up: `queue`, with a `queued_at` within the window (section 3). */
export const isInFlight = ({ status, queued_at }: StoredRun, at: Timestamp, stale_seconds: number): boolean =>
  status === 'queue' && queued_at !== null && isWithinWindow(queued_at, at, stale_seconds);

/** `queue` that holds nothing up: without `queued_at`, or older than the window. */
export const isStale = (run: StoredRun, at: Timestamp, stale_seconds: number): boolean =>
  run.status === 'queue' && !isInFlight(run, at, stale_seconds);
