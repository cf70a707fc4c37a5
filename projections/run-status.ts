import type { Timestamp } from '../domain/kernel/timestamp.js';
import { isInFlight, isStale, isWithinWindow } from '../domain/video/write-back.js';
import type { MatchRunView, VideoRow } from './views.js';

/** The answer of the statuses endpoint for a video's newest match run (contract, Speaker-face match). */
export const statusAnswer = (
  { record, run_id }: Pick<VideoRow, 'record' | 'run_id'>,
  at: Timestamp,
  stale_seconds: number,
) => {
  const { status, queued_at, mode } = record.speaker_face_match;
  return {
    speaker_face_match_status: status,
    queued_at,
    mode,
    run_id,
    in_flight: isInFlight({ status, queued_at }, at, stale_seconds),
    stale: isStale({ status, queued_at }, at, stale_seconds),
  };
};

export const runStates = ['in_flight', 'stale', 'completed', 'failed', 'superseded', 'erased'] as const;
export type RunState = (typeof runStates)[number];

/** The state of a run at a time. */
export const runState = (
  { outcome, superseded_by, queued_at }: MatchRunView,
  at: Timestamp,
  stale_seconds: number,
): RunState => {
  if (outcome !== null) return outcome;
  if (superseded_by !== null) return 'superseded';
  return queued_at !== null && isWithinWindow(queued_at, at, stale_seconds) ? 'in_flight' : 'stale';
};
