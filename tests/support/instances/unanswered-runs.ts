import type { Recorded, WholeLog } from '../kill-nine/log.js';

/** The events of a run, with times of day. */
const eventsOf = (events: ReadonlyArray<Recorded>, run_id: string): string =>
  events
    .filter(({ event }) => 'run_id' in event.data && event.data.run_id === run_id)
    .map(({ stream, event, metadata }) => `${metadata.recorded_at.slice(11)} ${event.type} in ${stream}`)
    .join('; ');

/** Runs that a worker should have answered but did not. The stored status does not show them: after a commit run it stays `queue`. */
export const unansweredRuns = ({ videos, events }: WholeLog): ReadonlyArray<string> =>
  [...videos].flatMap(([video_id, state]) =>
    state._tag === 'Registered'
      ? state.open_runs
          .filter(({ superseded }) => !superseded)
          .map(
            ({ run_id }) =>
              `the run ${run_id} of video ${video_id} was not answered by ${new Date().toISOString().slice(11)}: ` +
              eventsOf(events, run_id),
          )
      : [],
  );
