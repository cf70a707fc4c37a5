import type { DataOf } from '../../domain/event-catalogue.js';
import type { RunId, VideoId } from '../../domain/kernel/ids.js';
import type { RecordAnswer } from '../../domain/match-run/contract.js';
import type { VideoEvent } from '../../domain/video/events.js';
import { originOf } from '../../domain/kernel/write-back-origin.js';
import type { FollowUp } from './carry-out.js';

type Answer = Extract<VideoEvent, { type: 'SuggestionsStored' | 'MatchesCommitted' | 'MatchRunFailed' }>;

/** Starts a queued run and supersedes earlier ones. */
export const startRun = (
  { supersedes, ...run }: DataOf<'MatchRunQueued'>,
  video_id: VideoId,
  video_revision: number,
): ReadonlyArray<FollowUp> => {
  const { run_id, at } = run;
  return [
    { to: 'matchRun', id: run_id, command: { type: 'StartRun', video_id, video_revision, ...run } },
    ...supersedes.map((id): FollowUp => ({
      to: 'matchRun',
      id,
      command: { type: 'SupersedeRun', video_revision, by: run_id, at },
    })),
  ];
};

const answerOf = (event: Answer): RecordAnswer['answer'] => {
  switch (event.type) {
    case 'SuggestionsStored':
      return { kind: 'suggested', suggested: event.data.block.mappings.length };
    case 'MatchesCommitted': {
      const { replaced, changes } = event.data;
      return { kind: 'committed', replaced, changes };
    }
    case 'MatchRunFailed': {
      const { replaced, error } = event.data;
      return { kind: 'failed', replaced, error };
    }
  }
};

/** Records an answer in the stream of its run. */
export const bookAnswer = (event: Answer, video_id: VideoId, video_revision: number): ReadonlyArray<FollowUp> => {
  const { run_id, audio_id, at } = event.data;
  const about = { video_id, video_revision, run_id, audio_id, at };
  const command: RecordAnswer = {
    type: 'RecordAnswer',
    ...about,
    origin: originOf(event.data),
    answer: answerOf(event),
  };
  return [{ to: 'matchRun', id: run_id, command }];
};

/** Records in a run's stream that faces which it changed were reverted. */
export const noteRevert = (
  run_id: RunId | null,
  video_id: VideoId,
  { faces, at }: Pick<DataOf<'VideoChangeReverted'>, 'faces' | 'at'>,
  video_revision: number,
): ReadonlyArray<FollowUp> =>
  run_id === null || faces.length === 0
    ? []
    : [
        {
          to: 'matchRun',
          id: run_id,
          command: { type: 'RecordRevert', video_id, video_revision, changes: faces, at },
        },
      ];
