import type { VideoEvent } from '../../domain/video/events.js';
import { runId, speakerId } from './values.js';
import { origin } from './video-events.js';

export const matched = (speaker: number, name: string, accuracy: number | null = 0.9) => ({
  name,
  speaker_id: speakerId(speaker),
  accuracy,
});
export const assumed = (...candidates: ReadonlyArray<string>) => ({
  attribution: 'assumed' as const,
  candidate_run_ids: candidates.map(runId),
});
/** The run `r` fails, in commit mode unless said otherwise. */
export const runFailed = (seconds: number, parts: object, rest: object): VideoEvent => ({
  type: 'MatchRunFailed',
  data: {
    ...origin('r', seconds, parts),
    mode: 'commit',
    error: 'out of memory',
    replaced: [],
    withdraws_block: false,
    ...rest,
  },
});
