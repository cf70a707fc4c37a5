import type { DataOf } from '../../domain/event-catalogue.js';
import type { RunId, VideoId } from '../../domain/kernel/ids.js';
import type { FollowVideo } from '../../domain/match-run/contract.js';
import type { VideoEvent } from '../../domain/video/events.js';
import type { FollowUp } from './follow-up.js';

type Told = FollowVideo['event'];
type Answer = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;

const tell = (run_id: RunId, event: Told): FollowUp => ({
  to: 'matchRun',
  id: run_id,
  command: { type: 'FollowVideo', event },
});

/** A queued run starts, and those that it supersedes are told. */
export const ofQueued = (
  data: DataOf<'MatchRunQueued'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const { run_id, audio_id, mode, target_speaker_ids, at, supersedes } = data;
  return [
    tell(run_id, {
      type: 'MatchRunStarted',
      data: { video_revision, run_id, video_id, audio_id, mode, target_speaker_ids, at },
    }),
    ...supersedes.map((superseded) =>
      tell(superseded, { type: 'MatchRunSuperseded', data: { video_revision, by: run_id, at } }),
    ),
  ];
};

const answered = (event: Answer, video_revision: number): Told => {
  const { attribution, candidate_run_ids, late_write_suspected, late, at } = event.data;
  const origin = { video_revision, attribution, candidate_run_ids, late_write_suspected, late, at };
  switch (event.type) {
    case 'SuggestionsStored':
      return { type: 'MatchRunSuggested', data: { ...origin, suggested: event.data.block.mappings.length } };
    case 'MatchesCommitted': {
      const { replaced, changes } = event.data;
      return { type: 'MatchRunCommitted', data: { ...origin, replaced, changes } };
    }
    case 'MatchRunFailed': {
      const { error, replaced } = event.data;
      return { type: 'MatchRunFailureNoted', data: { ...origin, error, replaced } };
    }
  }
};

/** The run is told of its answer. An answer that belongs to no run gets one of its own, to be listed and undone. */
export const ofAnswer = (event: Answer, video_id: VideoId, video_revision: number): ReadonlyArray<FollowUp> => {
  const { run_id, audio_id, attribution, at } = event.data;
  const answer = tell(run_id, answered(event, video_revision));
  if (attribution !== 'unattributed') return [answer];
  const mode = event.type === 'SuggestionsStored' ? 'suggest' : 'commit';
  const data = { video_revision, run_id, video_id, audio_id, mode, target_speaker_ids: null, at } as const;
  return [tell(run_id, { type: 'MatchRunStarted', data }), answer];
};

/** What a run had changed was put back, by its own revert or by that of one change. */
export const ofUndone = (
  run_id: RunId | null,
  { faces, at }: Pick<DataOf<'VideoChangeReverted'>, 'faces' | 'at'>,
  video_revision: number,
): ReadonlyArray<FollowUp> =>
  run_id === null || faces.length === 0
    ? []
    : [tell(run_id, { type: 'MatchRunUndone', data: { video_revision, changes: faces, at } })];
