import type { QueueMatchRun, ReceiveWriteBack, AudioFacts } from '../../domain/video/contract.js';
import type { ProposedMatch, WorkerAnswer } from '../../domain/video/write-back.js';
import type { MatchMode } from '../../domain/video/events.js';
import { at, runId, speakerId } from './values.js';
import { audioWith } from './video-events.js';

export const stale_seconds = 900;

/** Speakers 1 and 2, whose names match no face. */
export const twoSpeakers = audioWith([1, null], [2, 'SPEAKER_02']);

interface Trigger {
  readonly run?: string;
  readonly targets?: ReadonlyArray<number> | null;
  readonly audio?: AudioFacts | null;
}

/** POST speaker-face-match, or its suggestions. */
export const trigger = (
  mode: MatchMode,
  seconds: number,
  { run = 'new', targets, audio }: Trigger = {},
): QueueMatchRun => ({
  type: 'QueueMatchRun',
  run_id: runId(run),
  mode,
  target_speaker_ids: targets?.map(speakerId) ?? null,
  audio: audio === undefined ? twoSpeakers : audio,
  stale_seconds,
  at: at(seconds),
});

export const found = (...matches: ReadonlyArray<ProposedMatch>): WorkerAnswer => ({
  status: 'completed',
  matches,
  unmatched_speakers: [],
});
export const broken: WorkerAnswer = { status: 'failed', error: 'out of memory' };

/** PUT matched_speakers; a run of null is a worker that knows no run ids. */
export const writeBack = (
  run: string | null,
  seconds: number,
  answer: WorkerAnswer,
  audio: AudioFacts | null = twoSpeakers,
): ReceiveWriteBack => ({
  type: 'ReceiveWriteBack',
  run_id: run === null ? null : runId(run),
  unattributed_run_id: runId('unattributed'),
  answer,
  video_revision: null,
  audio,
  stale_seconds,
  at: at(seconds),
});
