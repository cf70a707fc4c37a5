import type { FaceId, RunId, SpeakerId } from '../kernel/ids.js';
import type { VideoEvent } from './events.js';
import { type FaceChange, followChanges, mergeChanges } from './face.js';
import { putBack, withChanges } from './faces.js';
import type { OpenRun, RegisteredVideo } from './state.js';

type Recorded<Type extends VideoEvent['type']> = Extract<VideoEvent, { type: Type }>['data'];

/** How many superseded runs are remembered as possible senders of a late write-back. */
const rememberedRuns = 16;

/** The state after a trigger. */
export const queued = (state: RegisteredVideo, data: Recorded<'MatchRunQueued'>, revision: number): RegisteredVideo => {
  const suggest = data.mode === 'suggest';
  const run: OpenRun = {
    run_id: data.run_id,
    mode: data.mode,
    target_speaker_ids: data.target_speaker_ids,
    queued_at: data.at,
    revision,
    superseded: false,
    assumed: null,
  };
  return {
    ...state,
    match: {
      status: 'queue',
      queued_at: suggest ? data.at : null,
      mode: suggest ? 'suggest' : null,
      run_id: data.run_id,
    },
    open_runs: [...state.open_runs.map((open) => ({ ...open, superseded: true })).slice(-rememberedRuns), run],
  };
};

/**
 * The open runs after a renumbering. What was assumed of them follows; their targets are followed when they answer, for
 * an answer uses the ids of the trigger.
 */
export const followedRuns = (
  open_runs: ReadonlyArray<OpenRun>,
  followSpeaker: (speaker_id: SpeakerId) => SpeakerId | null,
  followFace: (face_id: FaceId) => FaceId | null,
): ReadonlyArray<OpenRun> =>
  open_runs.map((run) =>
    run.assumed === null
      ? run
      : { ...run, assumed: { changes: followChanges(run.assumed.changes, followSpeaker, followFace) } },
  );

/** The open runs after an answer. */
export const answered = (
  state: RegisteredVideo,
  { run_id, attribution }: { readonly run_id: RunId; readonly attribution: string },
  changes: ReadonlyArray<FaceChange>,
): ReadonlyArray<OpenRun> =>
  attribution === 'assumed'
    ? state.open_runs.map((run) =>
        run.run_id === run_id
          ? { ...run, assumed: { changes: mergeChanges(run.assumed?.changes ?? [], changes) } }
          : run,
      )
    : state.open_runs.filter((run) => run.run_id !== run_id);

/** The state after a run committed matches. */
export const committed = (state: RegisteredVideo, data: Recorded<'MatchesCommitted'>): RegisteredVideo => ({
  ...state,
  faces: withChanges(putBack(state.faces, data.replaced, data.at), data.changes, { at: data.at, adopts: true }),
  open_runs: answered(state, data, data.changes),
});

/** The state after a run failed. */
export const runFailed = (state: RegisteredVideo, data: Recorded<'MatchRunFailed'>): RegisteredVideo => ({
  ...state,
  faces: putBack(state.faces, data.replaced, data.at),
  match: data.mode === 'suggest' ? { ...state.match, status: 'failed' } : state.match,
  open_runs: answered(state, data, []),
});
