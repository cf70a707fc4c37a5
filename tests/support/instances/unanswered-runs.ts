import type { WholeLog } from '../kill-nine/log.js';

/** Runs that a worker should have answered, and did not. */
export const unansweredRuns = ({ videos }: WholeLog): ReadonlyArray<string> =>
  [...videos].flatMap(([video_id, state]) =>
    state._tag === 'Registered' && state.match.status === 'queue'
      ? [`the run ${state.match.run_id} of video ${video_id} was not answered`]
      : [],
  );
