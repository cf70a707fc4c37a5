import type { DataIn } from '../../domain/kernel/recorded-event.js';
import type { MatchRunEvent } from '../../domain/match-run/contract.js';
import type { FaceChange } from '../../domain/video/changes.js';
import { certainOrigin } from '../../domain/video/write-back.js';
import { at, audioId, runId, speakerId, videoId } from './values.js';
import { recordedMatch } from './video-events.js';

type Parts<Type extends MatchRunEvent['type']> = Partial<DataIn<MatchRunEvent, Type>>;

/** The run of these events, and its media. */
export const ids = { run_id: runId('r'), video_id: videoId('v'), audio_id: audioId('a') };

/** A write-back of the run's own. */
const booked = { ...certainOrigin(ids.run_id, 'own'), at: at(100) };

export const runStarted = (parts: Parts<'MatchRunStarted'> = {}) => ({
  type: 'MatchRunStarted' as const,
  data: {
    video_revision: 1,
    ...ids,
    mode: 'commit' as const,
    target_speaker_ids: [speakerId(1)],
    at: at(50),
    ...parts,
  },
});

export const runSuggested = (video_revision: number, parts: Parts<'MatchRunSuggested'> = {}) => ({
  type: 'MatchRunSuggested' as const,
  data: { video_revision, ...booked, suggested: 2, ...parts },
});

export const runCommitted = (
  video_revision: number,
  changes: ReadonlyArray<FaceChange>,
  parts: Parts<'MatchRunCommitted'> = {},
) => ({
  type: 'MatchRunCommitted' as const,
  data: { video_revision, ...booked, replaced: [], changes, ...parts },
});

export const failureNoted = (video_revision: number, replaced: ReadonlyArray<FaceChange> = []) => ({
  type: 'MatchRunFailureNoted' as const,
  data: { video_revision, ...booked, error: 'broken', replaced },
});

export const runUndone = (video_revision: number, changes: ReadonlyArray<FaceChange>) => ({
  type: 'MatchRunUndone' as const,
  data: { video_revision, changes, at: at(200) },
});

export const runSuperseded = {
  type: 'MatchRunSuperseded' as const,
  data: { video_revision: 5, by: runId('s'), at: at(150) },
};

export const lateArrival = (parts: Parts<'LateWriteBackArrived'> = {}) => ({
  type: 'LateWriteBackArrived' as const,
  data: {
    reason: 'run_ended' as const,
    status: 'completed' as const,
    matches: [recordedMatch(1, 2, 0.5)],
    error: null,
    at: at(300),
    ...parts,
  },
});
