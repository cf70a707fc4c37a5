import { isDeepStrictEqual } from 'node:util';
import * as t from 'io-ts';
import { audioView } from '../../../projections/shown-records.js';
import { audioRowAt, videoViewAt } from '../record-at.js';
import { type HttpClient, bodyOf } from '../http-client.js';
import type { Recorded, WholeLog } from './log.js';

const Runs = t.type({
  match_runs: t.array(
    t.type({
      run_id: t.string,
      outcome: t.union([t.string, t.null]),
      superseded_by: t.union([t.string, t.null]),
    }),
  ),
});

/** The outcome and successor of each run of a video, by id, from the video's events. */
const expectedRuns = (events: ReadonlyArray<Recorded>) => {
  const runs = new Map<string, { outcome: string | null; superseded_by: string | null }>();
  for (const { event } of events)
    switch (event.type) {
      case 'MatchRunQueued':
        runs.set(event.data.run_id, { outcome: null, superseded_by: null });
        event.data.supersedes.forEach((run_id) => {
          const run = runs.get(run_id);
          if (run !== undefined) run.superseded_by = event.data.run_id;
        });
        break;
      case 'SuggestionsStored':
      case 'MatchesCommitted':
      case 'MatchRunFailed':
        runs.set(event.data.run_id, {
          superseded_by: runs.get(event.data.run_id)?.superseded_by ?? null,
          outcome: event.type === 'MatchRunFailed' ? 'failed' : 'completed',
        });
        break;
      default:
    }
  return Object.fromEntries(runs);
};

const differs = async (
  client: HttpClient,
  path: string,
  view: { readonly record: unknown; readonly revision: number } | null,
): Promise<ReadonlyArray<string>> => {
  const { status, body, headers } = await client.get(path);
  if (view === null) return status === 404 ? [] : [`${path} answers ${status} without a registration`];
  return status === 200 && isDeepStrictEqual(body, view.record) && headers.get('ETag') === `"${view.revision}"`
    ? []
    : [`${path} differs from the record rebuilt from zero: ${status} ${JSON.stringify(body)}`];
};

const wrongRuns = async (
  client: HttpClient,
  video_id: string,
  events: ReadonlyArray<Recorded>,
): Promise<ReadonlyArray<string>> => {
  const { match_runs } = bodyOf(Runs, await client.get(`/v2/videos/${video_id}/match-runs`));
  const shown = Object.fromEntries(
    match_runs.map(({ run_id, outcome, superseded_by }) => [run_id, { outcome, superseded_by }]),
  );
  const expected = expectedRuns(events);
  return isDeepStrictEqual(shown, expected)
    ? []
    : [`match-runs of ${video_id}: ${JSON.stringify(shown)} instead of ${JSON.stringify(expected)}`];
};

/** Differences between the service's answers and the log, for records with events after a position. */
export const wrongAnswers = async (
  client: HttpClient,
  { events, streams }: WholeLog,
  after: string,
): Promise<ReadonlyArray<string>> => {
  const touched = [...new Set(events.filter(({ position }) => position > after).map(({ stream }) => stream))];
  const wrong: string[] = [];
  for (const stream of touched) {
    const id = stream.slice(stream.indexOf('-') + 1);
    const own = streams[stream] ?? [];
    if (stream.startsWith('video-')) {
      wrong.push(...(await differs(client, `/v2/videos/${id}`, videoViewAt(own))));
      wrong.push(...(await wrongRuns(client, id, own)));
    }
    if (stream.startsWith('audio-')) {
      const row = audioRowAt(own);
      const view =
        row && audioView(row, (video_id) => videoViewAt(streams[`video-${video_id}`] ?? [])?.record.kind ?? null);
      wrong.push(...(await differs(client, `/v2/audios/${id}`, view)));
    }
  }
  return wrong;
};
