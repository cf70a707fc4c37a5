import type { RunId, VideoId } from '../../domain/kernel/ids.js';
import type { MatchRunEvent } from '../../domain/match-run/contract.js';
import type { VideoEvent } from '../../domain/video/events.js';

type Told = Exclude<MatchRunEvent, { type: 'LateWriteBackArrived' }>;

/** What a run has to be told. */
export interface MatchRunFollowUp {
  readonly run_id: RunId;
  readonly event: Told;
}

type Queued = Extract<VideoEvent, { type: 'MatchRunQueued' }>;
type Answer = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;

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

const queued = ({ data }: Queued, video_id: VideoId, video_revision: number): ReadonlyArray<MatchRunFollowUp> => {
  const { run_id, audio_id, mode, target_speaker_ids, at, supersedes } = data;
  const started: Told = {
    type: 'MatchRunStarted',
    data: { video_revision, run_id, video_id, audio_id, mode, target_speaker_ids, at },
  };
  return [
    { run_id, event: started },
    ...supersedes.map((superseded): MatchRunFollowUp => ({
      run_id: superseded,
      event: { type: 'MatchRunSuperseded', data: { video_revision, by: run_id, at } },
    })),
  ];
};

/** A write-back that belongs to no run gets a run of its own, so that it can be listed and undone. */
const answers = (event: Answer, video_id: VideoId, video_revision: number): ReadonlyArray<MatchRunFollowUp> => {
  const { run_id, audio_id, attribution, at } = event.data;
  const answer: MatchRunFollowUp = { run_id, event: answered(event, video_revision) };
  if (attribution !== 'unattributed') return [answer];
  const mode = event.type === 'SuggestionsStored' ? 'suggest' : 'commit';
  const data = { video_revision, run_id, video_id, audio_id, mode, target_speaker_ids: null, at } as const;
  return [{ run_id, event: { type: 'MatchRunStarted', data } }, answer];
};

/** The Video stream decides about runs; this is what each run is told of it. */
export const matchRunFollowUps = (
  event: VideoEvent,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<MatchRunFollowUp> => {
  switch (event.type) {
    case 'MatchRunQueued':
      return queued(event, video_id, video_revision);
    case 'SuggestionsStored':
    case 'MatchesCommitted':
    case 'MatchRunFailed':
      return answers(event, video_id, video_revision);
    case 'MatchRunReverted': {
      const { run_id, changes, at } = event.data;
      return [{ run_id, event: { type: 'MatchRunUndone', data: { video_revision, changes, at } } }];
    }
    case 'VideoChangeReverted': {
      const { run_id, faces, at } = event.data;
      const undone = { type: 'MatchRunUndone' as const, data: { video_revision, changes: faces, at } };
      return run_id === null || faces.length === 0 ? [] : [{ run_id, event: undone }];
    }
    case 'VideoRegistered':
    case 'AudioAssociated':
    case 'AudioDissociated':
    case 'VideoAnalysisRecorded':
    case 'PersonalityTraitsRecorded':
    case 'FacesRenamed':
    case 'FacesMatched':
    case 'SpeakerWithdrawn':
    case 'TagsWritten':
    case 'TagRemoved':
    case 'VideoDetailsChanged':
    case 'FaceUnmatched':
      return [];
  }
};
